import { type Check, createCheck } from '../runner/check.ts'
import { judgeMachine } from '../runner/machine.ts'
import type { LoadSummary } from './load-summary.ts'
import type { MediaFigures } from './media-viewers.ts'
import type { LoadResult } from './run-load.ts'
import { durationOf, type LoadSuite } from './workload.ts'

/** What is asked of a suite at a scale. */
export interface LoadLimits {
  readonly p95Ms: number
  readonly eventP95Ms: number | null
  readonly cpuMillicores: number | null
  readonly nodeRssMiB: number | null
}

/** 150 m at scale 1 and 900 m at scale 10, and evenly between and beyond. */
const CPU_PER_SCALE = (900 - 150) / 9

/** At the seed's scale, and above; RSS is asked for at the seed's alone. */
export function limitsOf(suite: LoadSuite, scale: number): LoadLimits {
  const eventP95Ms = suite === 'query-only' ? null : scale <= 1 ? 50 : 100
  if (scale <= 1) return { p95Ms: 50, eventP95Ms, cpuMillicores: 150, nodeRssMiB: 350 }
  return { p95Ms: 100, eventP95Ms, cpuMillicores: 150 + (scale - 1) * CPU_PER_SCALE, nodeRssMiB: null }
}

/** Makes the checks of a run. */
export function checkLoad({
  suite,
  name: prefix,
  summary,
  limits,
  hasProcesses,
}: {
  suite: LoadSuite
  /** First part of the checks' names. */
  name: string
  summary: LoadSummary
  limits: LoadLimits
  hasProcesses: boolean
}): Check[] {
  const check = (name: string, value: number, unit: string, limit: number | null) =>
    createCheck({ name: `${prefix}.${name}`, value, unit, limit, better: 'lower' })
  // Where nobody asks queries, it is receipts that are waited for.
  const { p95, p99 } = suite === 'realtime-only' ? summary.receipts : summary.queries
  return [
    check('p95_ms', p95, 'ms', limits.p95Ms),
    check('p99_ms', p99, 'ms', null),
    check('error_rate', summary.errorRate, 'share', 0),
    check('lost', summary.lost, 'events', 0),
    check('doubled', summary.doubled, 'events', 0),
    ...(suite === 'query-only'
      ? []
      : [check('event_to_subscriber_p95_ms', summary.events.p95, 'ms', limits.eventP95Ms)]),
    ...(hasProcesses
      ? [
          check('node_rss_mib', summary.nodeRssMiB, 'MiB', limits.nodeRssMiB),
          check('cpu_millicores', summary.cpuMillicores, 'm', limits.cpuMillicores),
        ]
      : []),
  ]
}

/** Share of the packets of real video that may be lost on loopback. */
const MAX_MEDIA_LOSS = 0.001

/** Makes the checks of viewers who receive video; none without them. */
export function checkMedia(name: string, media: MediaFigures | null): Check[] {
  if (media === null) return []
  const loss = media.lost / (media.packets + media.lost)
  return [
    createCheck({
      name: `${name}.media_loss`,
      value: loss,
      unit: 'share',
      limit: MAX_MEDIA_LOSS,
      better: 'lower',
    }),
  ]
}

/** Samples above a quantile that it takes to trust it; a quick run claims nothing. */
const MIN_BEYOND = 10
const MIN_BEYOND_QUICK = 2

/** Past this share of its CPU a generator decides how fast answers come. */
const MAX_GENERATOR_SHARE = 0.8

/** Share of what the generator may send late by its own fault, and of time in which its event loop may be late. */
const MAX_LATE_SHARE = 0.01
const MAX_SLOW_SHARE = 0.05

/** Says what speaks against the figures of a run. */
export function judgeLoad(
  suite: LoadSuite,
  result: LoadResult,
  summary: LoadSummary,
  isQuick: boolean,
): string[] {
  const { queries, field, workload, machineUse } = result
  const reasons =
    machineUse === null
      ? ['What others did to the machine is not known: --pid tells which process the product is.']
      : judgeMachine(machineUse)
  const runMs = durationOf(workload)
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`
  const beyond = isQuick ? MIN_BEYOND_QUICK : MIN_BEYOND
  const demand = (what: string, count: number, share: number) => {
    const least = Math.ceil(beyond / (1 - share) - 1e-9)
    if (count < least) reasons.push(`There are ${count} ${what}; a p${share * 100} takes ${least}.`)
  }
  if (queries !== null) {
    const dropped = queries.windows.reduce((sum, window) => sum + window.dropped, 0)
    const due = queries.windows.reduce((sum, window) => sum + window.due, 0)
    if (dropped > 0)
      reasons.push(`${dropped} queries were dropped: more were on their way than the generator holds.`)
    if (queries.late > due * MAX_LATE_SHARE)
      reasons.push(
        `The generator of queries sent ${percent(queries.late / due)} of them late; at most ${percent(MAX_LATE_SHARE)}.`,
      )
    const share = queries.cpuMs / runMs
    if (share > MAX_GENERATOR_SHARE)
      reasons.push(
        `The generator of queries used ${percent(share)} of its CPU; at most ${percent(MAX_GENERATOR_SHARE)}.`,
      )
    demand('queries', summary.queries.count, 0.95)
    demand('queries', summary.queries.count, 0.99)
  }
  const fromBefore = result.deliveries?.fromBefore ?? 0
  if (fromBefore > 0)
    reasons.push(
      `Observers had ${fromBefore} events of before the run: the product had not delivered them when it stopped.`,
    )
  if (field !== null) {
    const { counts, slowReports, reports, cpuMs } = field
    if (counts.messagesLate > counts.messages * MAX_LATE_SHARE)
      reasons.push(
        `Artillery sent ${percent(counts.messagesLate / counts.messages)} of the messages late; at most ${percent(MAX_LATE_SHARE)}.`,
      )
    if (slowReports > reports * MAX_SLOW_SHARE)
      reasons.push(
        `Artillery's event loop was late in ${percent(slowReports / reports)} of the time; at most ${percent(MAX_SLOW_SHARE)}.`,
      )
    const share = cpuMs / runMs
    if (share > MAX_GENERATOR_SHARE)
      reasons.push(`Artillery used ${percent(share)} of its CPU; at most ${percent(MAX_GENERATOR_SHARE)}.`)
    demand('events at subscribers', summary.events.count, 0.95)
    if (suite === 'realtime-only') demand('receipts', summary.receipts.count, 0.99)
  }
  return reasons
}
