import type { ReadFactory } from '../peers/reads/ours.ts'
import { createCheck } from '../runner/check.ts'
import { chooseCpuPins } from '../runner/cpu-pins.ts'
import { interleave } from '../runner/interleave.ts'
import { judgeRatio } from '../runner/judge-ratio.ts'
import { startLoadGenerator } from '../runner/load-generator.ts'
import { describeMachine, judgeMachine, watchMachine } from '../runner/machine.ts'
import { type Program, startProgram } from '../runner/program.ts'
import { ratios, summarise } from '../runner/statistics.ts'
import type { Suite, SuiteContext } from '../runner/suite.ts'

/** How much and how often. */
interface Plan {
  /** Logs of the small factory, and of the large one. */
  readonly small: number
  readonly large: number
  readonly rounds: number
  readonly roundMs: number
  readonly warmUpMs: number
  /** Answers in a round; a p95 of fewer is chance. */
  readonly minAnswers: number
  readonly maxUncertainty: number
}

const PLAN: Plan = {
  small: 50_000,
  large: 5_000_000,
  rounds: 24,
  roundMs: 2_000,
  warmUpMs: 5_000,
  minAnswers: 200,
  maxUncertainty: 0.1,
}
const QUICK_PLAN: Plan = {
  small: 50_000,
  large: 500_000,
  rounds: 5,
  roundMs: 1_000,
  warmUpMs: 2_000,
  minAnswers: 100,
  maxUncertainty: 0.25,
}

const MAX_GROWTH = 1.3

/** People who ask at once, each over a connection that is kept. */
const USERS = 4
const PAGE_SIZE = 50

const QUERY = `query Logs($spaceId: ID!, $first: Int, $filter: LogFilter) {
  logs(spaceId: $spaceId, first: $first, filter: $filter) {
    nodes { id level message occurredAt device { id name } }
    pageInfo { hasNextPage endCursor }
  }
}`

const PAGES = ['newest', 'filtered'] as const
type Page = (typeof PAGES)[number]

/** A page of one factory. */
interface Lane {
  readonly page: Page
  readonly size: 'small' | 'large'
  readonly url: string
  readonly body: string
  readonly connections: readonly Readonly<Record<string, string>>[]
  /** What it answers, byte by byte. */
  readonly answer: string
}

/** One lane in one round. */
interface Round {
  readonly p50Ms: number
  readonly p95Ms: number
  readonly answered: number
  readonly failed: number
  readonly firstFailure: string | null
}

/** How much slower the newest page is, plain and filtered, of a hundred times as many logs. */
export const readsSuite: Suite = {
  title: 'growth of the newest page of logs from 50 thousand rows to 5 million',

  async run(context) {
    const plan = context.isQuick ? QUICK_PLAN : PLAN
    const pins = chooseCpuPins()
    await using generator = await startLoadGenerator({ cpu: pins.around })
    context.progress('starting MariaDB')
    await using program = await startProgram<object>({
      name: 'reads',
      file: new URL('../peers/reads/ours.ts', import.meta.url),
      options: { sizes: [plan.small, plan.large], users: USERS },
      cpu: null,
    })
    const fillMs = await fill(program, plan, context)
    const [small, large] = (await program.ask('start')) as ReadFactory[]
    if (small === undefined || large === undefined) throw new Error('The factories were not started.')

    const lanes: Lane[] = []
    for (const page of PAGES)
      for (const [size, factory] of [['small', small] as const, ['large', large] as const]) {
        context.progress(`warming the ${page} page of ${factory.logs} logs`)
        const load = makeLoad(factory, page)
        const { body, failed, firstFailure } = await generator.run({
          ...load,
          durationMs: plan.warmUpMs,
          expected: null,
        })
        if (body === null || failed > 0) throw new Error(`${page} of ${factory.logs} failed: ${firstFailure}`)
        checkPage(body)
        lanes.push({ page, size, ...load, answer: body })
      }

    const endWatch = watchMachine()
    const samples = await interleave(lanes, plan.rounds, async (lane, round): Promise<Round> => {
      const { url, body, connections, answer: expected } = lane
      const load = { url, body, connections, expected, durationMs: plan.roundMs }
      const result = await generator.run(load)
      const { latencyP50Ms: p50Ms, latencyP95Ms: p95Ms, answered, failed, firstFailure } = result
      context.progress(
        `round ${round + 1} of ${plan.rounds}: ${lane.page}, ${lane.size}: p95 ${p95Ms.toFixed(2)} ms`,
      )
      return { p50Ms, p95Ms, answered, failed, firstFailure }
    })
    const use = endWatch()

    const roundsOf = (page: Page, size: Lane['size']) =>
      [...samples].find(([lane]) => lane.page === page && lane.size === size)?.[1] ?? []
    const growths = PAGES.map(page => {
      const p95 = (size: Lane['size']) => roundsOf(page, size).map(({ p95Ms }) => p95Ms)
      const summary = summarise(ratios(p95('large'), p95('small')))
      const name = page === 'newest' ? 'reads.page_p95_growth' : 'reads.filtered_page_p95_growth'
      const figure = {
        name,
        value: summary.median,
        unit: 'ratio',
        limit: MAX_GROWTH,
        better: 'lower',
      } as const
      return { check: createCheck(figure), summary }
    })
    return {
      checks: growths.map(({ check }) => check),
      reasons: [
        ...judgeMachine(use),
        ...growths.flatMap(({ check, summary }) => judgeRatio(check.name, summary, plan.maxUncertainty)),
        ...[...samples].flatMap(([{ page, size }, rounds]) => judgeRounds(`${page}, ${size}`, rounds, plan)),
      ],
      details: {
        machine: describeMachine(),
        machineUse: use,
        pins,
        plan,
        fillMs,
        connections: USERS,
        query: QUERY,
        ratios: Object.fromEntries(growths.map(({ check, summary }) => [check.name, summary])),
        lanes: Object.fromEntries(
          [...samples].map(([{ page, size }, rounds]) => [`${page}, ${size}`, describeRounds(rounds)]),
        ),
      },
    }
  },
}

/** Has both factories filled and tells how far it is; answers how long it took. */
async function fill(
  program: Program<object>,
  { small, large }: Plan,
  { progress }: SuiteContext,
): Promise<number> {
  const startedAt = performance.now()
  for (let rows = 0; rows < small + large; ) {
    rows = Number(await program.ask('fill'))
    const seconds = (performance.now() - startedAt) / 1_000
    progress(`${rows} of ${small + large} logs are in, ${Math.round(rows / seconds)} a second`)
  }
  return performance.now() - startedAt
}

function makeLoad({ url, spaceId, lineId, tokens }: ReadFactory, page: Page) {
  const filter = page === 'filtered' ? { lineId, levels: ['ERROR', 'WARN'] } : null
  return {
    url,
    body: JSON.stringify({ query: QUERY, variables: { spaceId, first: PAGE_SIZE, filter } }),
    connections: tokens.map(token => ({ authorization: `Bearer ${token}` })),
  }
}

/** A page that is short, or without its devices' names, is cheap. */
function checkPage(answer: string): void {
  const nodes: unknown = JSON.parse(answer)?.data?.logs?.nodes
  const isWhole =
    Array.isArray(nodes) &&
    nodes.length === PAGE_SIZE &&
    nodes.every(node => node?.device?.name !== undefined)
  if (!isWhole) throw new Error(`Not a page of ${PAGE_SIZE} logs: ${answer.slice(0, 400)}`)
}

function judgeRounds(name: string, rounds: readonly Round[], { minAnswers }: Plan): string[] {
  const reasons: string[] = []
  const failed = rounds.reduce((sum, round) => sum + round.failed, 0)
  const first = rounds.find(({ firstFailure }) => firstFailure !== null)?.firstFailure
  if (failed > 0) reasons.push(`${name} failed ${failed} times, first: ${first}`)
  const fewest = Math.min(...rounds.map(({ answered }) => answered))
  if (fewest < minAnswers)
    reasons.push(`${name} was answered ${fewest} times in a round; ${minAnswers} are needed.`)
  return reasons
}

function describeRounds(rounds: readonly Round[]): Record<string, unknown> {
  return {
    p50Ms: summarise(rounds.map(({ p50Ms }) => p50Ms)),
    p95Ms: summarise(rounds.map(({ p95Ms }) => p95Ms)),
    answers: rounds.reduce((sum, { answered }) => sum + answered, 0),
    samples: rounds.map(({ p95Ms }) => p95Ms),
  }
}
