import { createHistogram, type Histogram, mergeHistograms } from './histogram.ts'
import type { ProcessKind } from './process-watch.ts'
import type { ResourceSample } from './resource-watch.ts'
import type { LoadResult } from './run-load.ts'
import { isMeasuredAt, QUERY_KINDS, type QueryKind } from './workload.ts'

/** Percentiles of what was measured, in milliseconds. */
export interface Latency {
  readonly count: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
}

/** A second of a run, for plots; NaN where nothing came. */
export interface Second {
  readonly second: number
  readonly isMeasured: boolean
  readonly queries: number
  readonly failed: number
  readonly queryP50: number
  readonly queryP95: number
  readonly queryP99: number
  readonly receipts: number
  readonly receiptP95: number
  readonly events: number
  readonly eventP95: number
}

/** What a process used in the measured time. */
export interface ProcessUse {
  readonly name: string
  readonly kind: ProcessKind
  /** CPU ÷ time, in thousandths of a core. */
  readonly millicores: number
  readonly maxRssMiB: number
}

/** A run in figures; only what was due in measured stages counts, but for losses and doubles. */
export interface LoadSummary {
  readonly queries: Latency
  readonly queriesByKind: Readonly<Record<QueryKind, Latency>>
  readonly receipts: Latency
  readonly signaling: Latency
  readonly events: Latency
  /** Requests, messages, calls and subscriptions that failed ÷ all of them. */
  readonly errorRate: number
  readonly attempts: number
  readonly failures: number
  /** Events missing in the table, or at an observer, or without a receipt. */
  readonly lost: number
  /** Events beyond the first in the table or at an observer, and those that nobody sent. */
  readonly doubled: number
  readonly processes: readonly ProcessUse[]
  /** Node and mediasoup's workers. */
  readonly cpuMillicores: number
  /** The largest sum of the RSS of all Node processes; pages that they share count in each. */
  readonly nodeRssMiB: number
  readonly seconds: readonly Second[]
  /** Growth of the stores' counters from the first to the last sample, a second. */
  readonly storeRates: Readonly<
    Record<'database' | 'redis' | 'ingestRedis', Readonly<Record<string, number>>>
  >
  /** Largest values seen. */
  readonly peaks: Readonly<Record<string, number>>
  /** Callers of each process that had to wait for a connection to the database. */
  readonly poolWaits: Readonly<Record<string, number>>
}

/** Reckons the figures of a run. */
export function summariseLoad(result: LoadResult): LoadSummary {
  const { workload, queries, field, deliveries, resources, startedAt } = result
  const isMeasured = (second: number) => isMeasuredAt(workload, second * 1_000)
  const windows = (queries?.windows ?? []).filter(window => window.isMeasured)
  const fieldSeconds = [...(field?.seconds ?? [])].filter(([second]) => isMeasured(second))
  const kinds = Object.fromEntries(
    QUERY_KINDS.map(kind => [kind, mergeHistograms(windows.map(({ latencies }) => latencies[kind]))]),
  ) as Record<QueryKind, Histogram>
  const ofField = (read: 'receipts' | 'signaling' | 'events') =>
    mergeHistograms(fieldSeconds.map(([, second]) => second[read].toSparse()))

  const asked = windows.reduce((sum, { due }) => sum + due, 0)
  const failedQueries = windows.reduce((sum, { failed, dropped }) => sum + failed + dropped, 0)
  const counts = field?.counts
  const fieldFailures =
    (counts?.messagesFailed ?? 0) +
    (counts?.messagesUnreceipted ?? 0) +
    (counts?.signalingFailed ?? 0) +
    (counts?.subscriptionsFailed ?? 0) +
    (counts?.reconnects ?? 0) +
    (counts?.gaps ?? 0)
  const attempts = asked + (counts?.messages ?? 0) + (counts?.signalingCalls ?? 0)
  const failures = failedQueries + fieldFailures
  const measured = resources.filter(({ at }) => isMeasuredAt(workload, at - startedAt))
  const processes = summariseProcesses(measured)
  return {
    queries: describe(mergeHistograms(QUERY_KINDS.map(kind => kinds[kind].toSparse()))),
    queriesByKind: Object.fromEntries(QUERY_KINDS.map(kind => [kind, describe(kinds[kind])])) as Record<
      QueryKind,
      Latency
    >,
    receipts: describe(ofField('receipts')),
    signaling: describe(ofField('signaling')),
    events: describe(ofField('events')),
    errorRate: attempts === 0 ? Number.NaN : Math.min(1, failures / attempts),
    ...{ attempts, failures },
    lost:
      deliveries === null
        ? 0
        : Math.max(deliveries.lostInTable, deliveries.unreceipted) + deliveries.lostAtObservers,
    doubled:
      deliveries === null
        ? 0
        : deliveries.doubledInTable + deliveries.doubledAtObservers + deliveries.unknown,
    processes,
    cpuMillicores: processes
      .filter(({ kind }) => kind === 'node' || kind === 'mediasoup')
      .reduce((sum, { millicores }) => sum + millicores, 0),
    nodeRssMiB: Math.max(0, ...measured.map(sample => sumRss(sample, 'node'))),
    seconds: listSeconds(result, isMeasured),
    storeRates: {
      database: reckonRates(measured, 'database'),
      redis: reckonRates(measured, 'redis'),
      ingestRedis: reckonRates(measured, 'ingestRedis'),
    },
    peaks: findPeaks(measured),
    poolWaits: countWaits(measured),
  }
}

function describe(histogram: Histogram): Latency {
  return {
    count: histogram.count,
    p50: histogram.quantile(0.5),
    p95: histogram.quantile(0.95),
    p99: histogram.quantile(0.99),
    max: histogram.max,
  }
}

function listSeconds({ queries, field }: LoadResult, isMeasured: (second: number) => boolean): Second[] {
  const byWindow = new Map((queries?.windows ?? []).map(window => [window.second, window]))
  const numbers = new Set([...byWindow.keys(), ...(field?.seconds.keys() ?? [])])
  return [...numbers]
    .filter(second => second >= 0)
    .sort((a, b) => a - b)
    .map(second => {
      const window = byWindow.get(second)
      const latencies =
        window === undefined ? createHistogram() : mergeHistograms(Object.values(window.latencies))
      const of = field?.seconds.get(second)
      return {
        ...{ second, isMeasured: isMeasured(second) },
        queries: window?.due ?? 0,
        failed: (window?.failed ?? 0) + (window?.dropped ?? 0),
        queryP50: latencies.quantile(0.5),
        queryP95: latencies.quantile(0.95),
        queryP99: latencies.quantile(0.99),
        receipts: of?.receipts.count ?? 0,
        receiptP95: of?.receipts.quantile(0.95) ?? Number.NaN,
        events: of?.events.count ?? 0,
        eventP95: of?.events.quantile(0.95) ?? Number.NaN,
      }
    })
}

/** CPU of processes that were there at the first and the last sample. */
function summariseProcesses(samples: readonly ResourceSample[]): ProcessUse[] {
  const [first, last] = [samples[0], samples.at(-1)]
  if (first === undefined || last === undefined || last.at === first.at) return []
  return last.processes.flatMap(({ pid, kind, name, cpuMs }) => {
    const before = first.processes.find(process => process.pid === pid)
    if (before === undefined) return []
    const rss = samples.map(({ processes }) => processes.find(process => process.pid === pid)?.rssMiB ?? 0)
    return [
      {
        name,
        kind,
        millicores: ((cpuMs - before.cpuMs) / (last.at - first.at)) * 1_000,
        maxRssMiB: Math.max(...rss),
      },
    ]
  })
}

function sumRss({ processes }: ResourceSample, wanted: ProcessKind): number {
  return processes.filter(({ kind }) => kind === wanted).reduce((sum, { rssMiB }) => sum + rssMiB, 0)
}

function reckonRates(samples: readonly ResourceSample[], store: 'database' | 'redis' | 'ingestRedis') {
  const read = samples.filter(sample => sample[store] !== null)
  const [first, last] = [read[0], read.at(-1)]
  const [before, after] = [first?.[store], last?.[store]]
  if (first === undefined || last === undefined || !before || !after || last.at === first.at) return {}
  const seconds = (last.at - first.at) / 1_000
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, (value - (before[name] ?? 0)) / seconds]),
  )
}

function countWaits(samples: readonly ResourceSample[]): Record<string, number> {
  const told = samples.filter(({ pools }) => Object.keys(pools).length > 0)
  const [first, last] = [told[0]?.pools, told.at(-1)?.pools]
  return Object.fromEntries(
    Object.entries(last ?? {}).flatMap(([name, value]) =>
      name.endsWith(' waits so far')
        ? [[name.replace(' waits so far', ''), value - (first?.[name] ?? 0)]]
        : [],
    ),
  )
}

function findPeaks(samples: readonly ResourceSample[]): Record<string, number> {
  const peaks: Record<string, number> = {}
  const note = (name: string, value: number | null | undefined) => {
    if (
      value !== null &&
      value !== undefined &&
      Number.isFinite(value) &&
      !(value <= (peaks[name] ?? Number.NEGATIVE_INFINITY))
    )
      peaks[name] = value
  }
  for (const sample of samples) {
    note('ingestLagSeconds', sample.ingestLagSeconds)
    note('ingestLagEntries', sample.ingestLagEntries)
    note('outboxLagSeconds', sample.outboxLagSeconds)
    note('databaseThreadsRunning', sample.database?.Threads_running)
    note('databaseThreadsConnected', sample.database?.Threads_connected)
    for (const [group, { p99Ms, maxMs }] of Object.entries(sample.loops)) {
      note(`${group} event loop p99 ms`, p99Ms)
      note(`${group} event loop max ms`, maxMs)
    }
    for (const [pool, value] of Object.entries(sample.pools))
      if (!pool.endsWith('so far')) note(`pool ${pool}`, value)
  }
  return peaks
}
