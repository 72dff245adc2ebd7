import { isDeepStrictEqual } from 'node:util'
import { createCheck } from '../runner/check.ts'
import { chooseCpuPins } from '../runner/cpu-pins.ts'
import { readCpuMs } from '../runner/cpu-time.ts'
import { interleave } from '../runner/interleave.ts'
import { judgeRatio } from '../runner/judge-ratio.ts'
import { type LoadGenerator, startLoadGenerator } from '../runner/load-generator.ts'
import { describeMachine, judgeMachine, watchMachine } from '../runner/machine.ts'
import { installPerfPackages, PEERS } from '../runner/perf-packages.ts'
import { type Program, startProgram } from '../runner/program.ts'
import { ratios, summarise } from '../runner/statistics.ts'
import type { Suite, SuiteContext } from '../runner/suite.ts'

/** Contestants that are measured against each other, ours first. */
interface Group {
  readonly name: 'memory' | 'database' | 'http'
  /** Programs of perf/peers/gateway. */
  readonly contestants: readonly ['ours', ...string[]]
}

const GROUPS: readonly Group[] = [
  { name: 'memory', contestants: ['ours', 'stock', 'single'] },
  { name: 'database', contestants: ['ours', 'stock', 'single'] },
  { name: 'http', contestants: ['ours', 'hive', 'stock'] },
]

/** Figures of the suite: ours ÷ theirs. Those without a limit are reported. */
const FIGURES = [
  { name: 'gateway.cpu_vs_stock', group: 'memory', peer: 'stock', limit: 0.22 },
  { name: 'gateway.cpu_vs_stock_db', group: 'database', peer: 'stock', limit: null },
  { name: 'gateway.cpu_vs_single_server', group: 'memory', peer: 'single', limit: 1 },
  { name: 'gateway.cpu_vs_single_server_db', group: 'database', peer: 'single', limit: null },
  { name: 'gateway.cpu_vs_hive', group: 'http', peer: 'hive', limit: 0.4 },
  { name: 'gateway.cpu_vs_stock_http', group: 'http', peer: 'stock', limit: null },
] as const

/** How long and how often. */
interface Plan {
  readonly rounds: number
  readonly roundMs: number
  readonly warmUpMs: number
  /** Requests of a contestant in a round; with fewer, chance and clock ticks (10 ms) show. */
  readonly minRequests: number
  /** How uncertain the median of a ratio may be: its 95 % interval, as a share. */
  readonly maxUncertainty: number
}

const PLAN: Plan = { rounds: 24, roundMs: 2_000, warmUpMs: 6_000, minRequests: 300, maxUncertainty: 0.1 }
const QUICK_PLAN: Plan = {
  rounds: 3,
  roundMs: 1_000,
  warmUpMs: 3_000,
  minRequests: 100,
  maxUncertainty: 0.25,
}

/** Past this share of its CPU the generator decides how fast answers come. */
const MAX_GENERATOR_SHARE = 0.95

/** What the peers' site tells: see perf/peers/gateway/site.ts. */
interface Site {
  readonly tokens: readonly string[]
  readonly body: string
}

interface Contestant {
  readonly name: string
  readonly program: Program<{ url: string }>
  /** What it answers, byte by byte. */
  readonly answer: string
}

/** One contestant in one round. */
interface Round {
  readonly cpuMsPerRequest: number
  readonly requests: number
  readonly failed: number
  readonly firstFailure: string | null
  readonly requestsPerSecond: number
  /** Share of its CPU that the contestant used. */
  readonly cpuShare: number
  readonly generatorShare: number
}

interface GroupResult {
  readonly rounds: ReadonlyMap<string, readonly Round[]>
  readonly answerBytes: number
}

/** CPU of the gateway process per request, ours against the stock gateway, a single server and Hive Gateway. */
export const gatewaySuite: Suite = {
  title: 'CPU per federated query, against stock ApolloGateway, a single server and Hive Gateway',

  async run(context) {
    const { isQuick, root, progress } = context
    const plan = isQuick ? QUICK_PLAN : PLAN
    await installPerfPackages(root, PEERS, progress)
    const pins = chooseCpuPins()
    await using generator = await startLoadGenerator({ cpu: pins.around })
    progress('starting MariaDB and filling it')
    await using site = await startProgram<Site>({ name: 'site', file: peerFile('site'), cpu: pins.around })
    const endWatch = watchMachine()
    const results = new Map<string, GroupResult>()
    for (const group of GROUPS)
      results.set(group.name, await runGroup({ ...context, group, plan, pins, generator, site: site.ready }))
    const use = endWatch()

    const figures = FIGURES.map(({ name, group, peer, limit }) => {
      const rounds = results.get(group)?.rounds
      const costs = (who: string) => (rounds?.get(who) ?? []).map(round => round.cpuMsPerRequest)
      const summary = summarise(ratios(costs('ours'), costs(peer)))
      const check = createCheck({ name, value: summary.median, unit: 'ratio', limit, better: 'lower' })
      return { check, summary }
    })
    return {
      checks: figures.map(({ check }) => check),
      reasons: [
        ...judgeMachine(use),
        ...figures.flatMap(({ check, summary }) => judgeRatio(check.name, summary, plan.maxUncertainty)),
        ...[...results].flatMap(([group, { rounds }]) =>
          [...rounds].flatMap(([who, of]) => judgeRounds(`${group}/${who}`, of, plan)),
        ),
      ],
      details: {
        machine: describeMachine(),
        machineUse: use,
        pins,
        plan,
        connections: site.ready.tokens.length,
        operation: JSON.parse(site.ready.body),
        ratios: Object.fromEntries(figures.map(({ check, summary }) => [check.name, summary])),
        groups: Object.fromEntries([...results].map(([name, result]) => [name, describeGroup(result)])),
      },
    }
  },
}

async function runGroup({
  group: { name, contestants },
  plan,
  pins,
  generator,
  site,
  progress,
}: SuiteContext & {
  group: Group
  plan: Plan
  pins: ReturnType<typeof chooseCpuPins>
  generator: LoadGenerator
  site: Site
}): Promise<GroupResult> {
  await using stack = new AsyncDisposableStack()
  const rows = name === 'database' ? 'database' : 'memory'
  let subgraphsUrl: string | null = null
  if (name === 'http') {
    const options = { site, rows }
    const file = peerFile('subgraph-servers')
    const servers = stack.use(
      await startProgram<{ url: string }>({ name: 'subgraph servers', file, options, cpu: pins.around }),
    )
    subgraphsUrl = servers.ready.url
  }
  const connections = site.tokens.map(token => ({ authorization: `Bearer ${token}` }))
  const entered: Contestant[] = []
  for (const peer of contestants) {
    progress(`${name}: starting and warming ${peer}`)
    const options = { site, rows, subgraphsUrl }
    const program = stack.use(
      await startProgram<{ url: string }>({ name: peer, file: peerFile(peer), options, cpu: pins.measured }),
    )
    const load = { url: program.ready.url, body: site.body, connections, expected: null }
    const { body, failed, firstFailure } = await generator.run({ ...load, durationMs: plan.warmUpMs })
    if (body === null || failed > 0)
      throw new Error(`${name}: ${peer} failed ${failed} times: ${firstFailure}\n${program.output()}`)
    entered.push({ name: peer, program, answer: body })
  }
  compareAnswers(name, entered)

  const samples = await interleave(entered, plan.rounds, async ({ name: peer, program, answer }, round) => {
    const cpuBefore = readCpuMs(program.pid)
    const load = { url: program.ready.url, body: site.body, connections, expected: answer }
    const result = await generator.run({ ...load, durationMs: plan.roundMs })
    const cpuMs = readCpuMs(program.pid) - cpuBefore
    const { answered: requests, failed, firstFailure, elapsedMs, generatorCpuMs } = result
    const cpuMsPerRequest = cpuMs / requests
    progress(`${name}: round ${round + 1} of ${plan.rounds}: ${peer} ${cpuMsPerRequest.toFixed(3)} CPU ms`)
    return {
      cpuMsPerRequest,
      requests,
      failed,
      firstFailure,
      requestsPerSecond: (requests / elapsedMs) * 1_000,
      cpuShare: cpuMs / elapsedMs,
      generatorShare: generatorCpuMs / elapsedMs,
    }
  })
  return {
    rounds: new Map([...samples].map(([contestant, rounds]) => [contestant.name, rounds])),
    answerBytes: Buffer.byteLength(entered[0]?.answer ?? ''),
  }
}

/** Whoever answers something else does not do the same work. */
function compareAnswers(group: string, [first, ...others]: readonly Contestant[]): void {
  const expected = JSON.parse(first?.answer ?? 'null')
  for (const { name, answer } of others) {
    if (isDeepStrictEqual(JSON.parse(answer), expected)) continue
    throw new Error(
      `${group}: ${name} answers something else than ${first?.name}:\n${answer.slice(0, 400)}\n${first?.answer.slice(0, 400)}`,
    )
  }
}

function judgeRounds(name: string, rounds: readonly Round[], { minRequests }: Plan): string[] {
  const reasons: string[] = []
  const failed = rounds.reduce((sum, round) => sum + round.failed, 0)
  if (failed > 0) {
    const first = rounds.find(round => round.firstFailure !== null)?.firstFailure
    reasons.push(`${name} failed ${failed} times, first: ${first}`)
  }
  const fewest = Math.min(...rounds.map(round => round.requests))
  if (fewest < minRequests)
    reasons.push(`${name} answered ${fewest} requests in a round; ${minRequests} are needed.`)
  const generator = summarise(rounds.map(round => round.generatorShare)).median
  if (generator > MAX_GENERATOR_SHARE)
    reasons.push(`The generator used ${Math.round(generator * 100)} % of its CPU against ${name}.`)
  return reasons
}

function describeGroup({ rounds, answerBytes }: GroupResult): Record<string, unknown> {
  const contestants = [...rounds].map(([name, of]) => {
    const middle = (read: (round: Round) => number) => summarise(of.map(read)).median
    const figures = {
      cpuMsPerRequest: summarise(of.map(round => round.cpuMsPerRequest)),
      requests: of.reduce((sum, round) => sum + round.requests, 0),
      failed: of.reduce((sum, round) => sum + round.failed, 0),
      requestsPerSecond: middle(round => round.requestsPerSecond),
      cpuShare: middle(round => round.cpuShare),
      generatorShare: middle(round => round.generatorShare),
      samples: of.map(round => round.cpuMsPerRequest),
    }
    return [name, figures]
  })
  return { answerBytes, contestants: Object.fromEntries(contestants) }
}

function peerFile(name: string): URL {
  return new URL(`../peers/gateway/${name}.ts`, import.meta.url)
}
