import { createCheck } from '../runner/check.ts'
import { chooseCpuPins } from '../runner/cpu-pins.ts'
import { judgeRatio } from '../runner/judge-ratio.ts'
import { describeMachine, judgeMachine, watchMachine } from '../runner/machine.ts'
import { installPerfPackages, PEERS } from '../runner/perf-packages.ts'
import { ratios, type Summary, summarise } from '../runner/statistics.ts'
import { startSubscribers } from '../runner/subscribers.ts'
import type { Suite } from '../runner/suite.ts'
import { FULL_PLAN, GROUPS, type Plan, QUICK_PLAN } from './fanout/fanout-plan.ts'
import { type IdleCost, measureIdle } from './fanout/measure-idle.ts'
import { type GroupResult, type Round, runGroup } from './fanout/run-group.ts'

/** A figure out of the rounds of two lanes of a group. */
interface RatioFigure {
  readonly name: string
  readonly group: keyof typeof GROUPS
  /** Cost of `over` ÷ cost of `under`. */
  readonly over: string
  readonly under: string
  readonly cost: (round: Round) => number
  readonly limit: number | null
  readonly better: 'lower' | 'higher'
}

const perEvent = (round: Round) => round.cpuMsPerEvent
const perMessage = (round: Round) => round.cpuUsPerMessage

/** A rate is what one core would deliver: the inverse of the CPU time an event takes. */
const RATIO_FIGURES: readonly RatioFigure[] = [
  {
    name: 'fanout.cpu_vs_naive_200',
    group: 'naive',
    over: 'ours, single',
    under: 'naive, single',
    cost: perEvent,
    limit: 0.04,
    better: 'lower',
  },
  {
    name: 'fanout.rate_vs_ws_1000',
    group: 'ws',
    over: 'bare, single',
    under: 'ours, single',
    cost: perEvent,
    limit: 1,
    better: 'higher',
  },
  {
    name: 'fanout.burst_rate_vs_ws_1000',
    group: 'ws',
    over: 'bare, burst',
    under: 'ours, burst',
    cost: perEvent,
    limit: 4,
    better: 'higher',
  },
  {
    name: 'fanout.cost_growth_10_to_1000',
    group: 'ws',
    over: 'ours, single',
    under: 'ours of 10, spaced',
    cost: perMessage,
    limit: 1.2,
    better: 'lower',
  },
  {
    name: 'fanout.cpu_vs_hive_200',
    group: 'hive',
    over: 'ours, single',
    under: 'hive, single',
    cost: perEvent,
    limit: null,
    better: 'lower',
  },
]

const MAX_IDLE_KIB = 25

/** What live events cost per subscriber, against naive execution, bare sockets and Hive Gateway. */
export const fanoutSuite: Suite = {
  title: 'CPU, latency and memory of live events, against naive execution, bare sockets and Hive Gateway',

  async run(context) {
    const { isQuick, root, progress } = context
    const plan = isQuick ? QUICK_PLAN : FULL_PLAN
    await installPerfPackages(root, PEERS, progress)
    const pins = chooseCpuPins()
    await using generator = await startSubscribers({ cpu: pins.around })
    const endWatch = watchMachine()
    const groupContext = { ...context, plan, pins, generator }
    const idle = await measureIdle(groupContext)
    const results = {
      naive: await runGroup(GROUPS.naive, groupContext),
      ws: await runGroup(GROUPS.ws, groupContext),
      hive: await runGroup(GROUPS.hive, groupContext),
      hive1000: await runGroup(GROUPS.hive1000, groupContext),
    }
    const use = endWatch()

    const figures = RATIO_FIGURES.map(({ name, group, over, under, cost, limit, better }) => {
      const costs = (lane: string) => (results[group].rounds.get(lane) ?? []).map(cost)
      const summary = summarise(ratios(costs(over), costs(under)))
      return { check: createCheck({ name, value: summary.median, unit: 'ratio', limit, better }), summary }
    })
    return {
      checks: [...figures.map(({ check }) => check), checkIdle(idle), ...checkLatencies(results)],
      reasons: [
        ...judgeMachine(use),
        ...figures.flatMap(({ check, summary }) => judgeRatio(check.name, summary, plan.maxUncertainty)),
        ...Object.values(results).flatMap(result => judgeGroup(result, plan)),
      ],
      details: {
        machine: describeMachine(),
        machineUse: use,
        pins,
        plan,
        ratios: Object.fromEntries(figures.map(({ check, summary }) => [check.name, summary])),
        idle,
        groups: Object.fromEntries(
          Object.values(results).map(result => [result.group.name, describe(result)]),
        ),
      },
    }
  },
}

function checkIdle({ rssKib }: IdleCost) {
  const name = 'fanout.kib_per_idle_subscriber'
  return createCheck({ name, value: rssKib, unit: 'KiB', limit: MAX_IDLE_KIB, better: 'lower' })
}

/** Of ours and Hive over the same remote subgraphs, from the command for the event to the client. */
function checkLatencies({ hive, hive1000 }: { hive: GroupResult; hive1000: GroupResult }) {
  return [hive, hive1000].flatMap(({ group, rounds }) =>
    group.contestants.flatMap(({ name: who, subscribers }) =>
      (['p50', 'p95'] as const).map(share => {
        const name = `fanout.${who}_latency_${share}_ms_${subscribers}`
        const samples = (rounds.get(`${who}, single`) ?? []).map(
          ({ latencyMs }) => latencyMs?.[share] ?? Number.NaN,
        )
        const value = summarise(samples).median
        return createCheck({ name, value, unit: 'ms', limit: null, better: 'lower' })
      }),
    ),
  )
}

function judgeGroup({ group, rounds }: GroupResult, { minCpuMs }: Plan): string[] {
  return [...rounds].flatMap(([lane, of]) => {
    const reasons: string[] = []
    const failed = of.reduce((sum, round) => sum + round.failed, 0)
    const first = of.find(({ firstFailure }) => firstFailure !== null)?.firstFailure
    if (failed > 0) reasons.push(`${group.name}/${lane}: ${failed} messages failed, first: ${first}`)
    const least = Math.min(...of.map(({ cpuMs }) => cpuMs))
    if (least < minCpuMs)
      reasons.push(`${group.name}/${lane} used ${least} ms of CPU in a round; ${minCpuMs} are needed.`)
    return reasons
  })
}

function describe({ rounds, samples }: GroupResult): Record<string, unknown> {
  const lanes = [...rounds].map(([name, of]) => {
    const summary = (read: (round: Round) => number): Summary => summarise(of.map(read))
    const figures = {
      cpuMsPerEvent: summary(perEvent),
      cpuUsPerMessage: summary(perMessage),
      bytesPerMessage: summary(round => round.bytesPerMessage).median,
      events: of.reduce((sum, round) => sum + round.events, 0),
      messages: of.reduce((sum, round) => sum + round.messages, 0),
      failed: of.reduce((sum, round) => sum + round.failed, 0),
      eventsPerSecond: summary(round => round.eventsPerSecond).median,
      latencyP50Ms: summary(round => round.latencyMs?.p50 ?? Number.NaN).median,
      latencyP95Ms: summary(round => round.latencyMs?.p95 ?? Number.NaN).median,
      cpuShare: summary(round => round.cpuShare).median,
      generatorShare: summary(round => round.generatorShare).median,
      samples: of.map(perEvent),
    }
    return [name, figures]
  })
  return { firstMessages: samples, lanes: Object.fromEntries(lanes) }
}
