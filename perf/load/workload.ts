/** Kinds of messages that devices send. */
export const MESSAGE_KINDS = ['state', 'log', 'connectivity', 'anomaly'] as const
export type MessageKind = (typeof MESSAGE_KINDS)[number]

/** Kinds of queries that people ask. */
export const QUERY_KINDS = ['dashboard', 'logs', 'anomalies', 'reports'] as const
export type QueryKind = (typeof QUERY_KINDS)[number]

/** How much of what comes, and for how long. */
export interface Workload {
  readonly devices: number
  /** People who follow what is new and join broadcasts, a socket each. */
  readonly viewers: number
  /** Those who follow everything, so that every event can be accounted for. */
  readonly observers: number
  /** Queries a second, at level 1. */
  readonly queryRate: number
  readonly lines: number
  readonly processes: number
  readonly intervalsMs: Readonly<Record<MessageKind, number>>
  readonly queryShares: Readonly<Record<QueryKind, number>>
  /** One after the other; only what begins in a stage that is measured counts. */
  readonly stages: readonly Stage[]
}

/** A part of a run. */
export interface Stage {
  readonly name: 'warm-up' | 'ramp' | 'measure' | 'cool-down'
  readonly durationMs: number
  /** Share of the queries and of the devices that are at work at its begin and end; between them it grows evenly. */
  readonly from: number
  readonly to: number
  readonly isMeasured: boolean
}

/** Which sides of the product a suite loads. */
export type LoadSuite = 'query-only' | 'realtime-only' | 'mixed'

/** How to change the seed's workload. */
export interface WorkloadOptions {
  readonly suite: LoadSuite
  /** Multiplies devices, viewers and rate. */
  readonly scale: number
  readonly isQuick: boolean
}

const SEED = { devices: 50, viewers: 10, queryRate: 20, lines: 4, processes: 4 } as const
const OBSERVERS = 2
const SEED_STAGES_MS = { warmUp: 60_000, measure: 180_000, coolDown: 30_000 }
const QUICK_STAGES_MS = { warmUp: 6_000, measure: 20_000, coolDown: 2_000 }

/** Makes the workload of a suite: the seed's, scaled; `--quick` keeps its rates for a shorter time. */
export function createWorkload({ suite, scale, isQuick }: WorkloadOptions): Workload {
  if (!(scale > 0)) throw new TypeError(`Expected a scale above 0, got ${scale}.`)
  const times = isQuick ? QUICK_STAGES_MS : SEED_STAGES_MS
  const steady = { from: 1, to: 1 }
  const scaled = (count: number) => Math.max(1, Math.round(count * scale))
  return {
    devices: scaled(SEED.devices),
    viewers: suite === 'query-only' ? 0 : scaled(SEED.viewers),
    observers: suite === 'query-only' ? 0 : OBSERVERS,
    queryRate: suite === 'realtime-only' ? 0 : SEED.queryRate * scale,
    lines: SEED.lines,
    processes: SEED.processes,
    intervalsMs: { state: 5_000, log: 1_000, connectivity: 10_000, anomaly: 30_000 },
    queryShares: { dashboard: 0.4, logs: 0.3, anomalies: 0.2, reports: 0.1 },
    stages: [
      { name: 'warm-up', durationMs: times.warmUp, ...steady, isMeasured: false },
      { name: 'measure', durationMs: times.measure, ...steady, isMeasured: true },
      { name: 'cool-down', durationMs: times.coolDown, ...steady, isMeasured: false },
    ],
  }
}

/** Replaces the stages by a ramp that is not measured and a hold that is. */
export function rampAndHold(workload: Workload, rampMs: number, holdMs: number): Workload {
  return {
    ...workload,
    stages: [
      { name: 'ramp', durationMs: rampMs, from: 0, to: 1, isMeasured: false },
      { name: 'measure', durationMs: holdMs, from: 1, to: 1, isMeasured: true },
    ],
  }
}

/** How long a workload takes. */
export function durationOf({ stages }: Pick<Workload, 'stages'>): number {
  return stages.reduce((sum, { durationMs }) => sum + durationMs, 0)
}

/** Whether what begins at this moment of a run is measured. */
export function isMeasuredAt({ stages }: Pick<Workload, 'stages'>, atMs: number): boolean {
  let begin = 0
  for (const { durationMs, isMeasured } of stages) {
    if (atMs >= begin && atMs < begin + durationMs) return isMeasured
    begin += durationMs
  }
  return false
}

/** Share of the load at a moment of a run; 0 outside of it. */
export function levelAt({ stages }: Pick<Workload, 'stages'>, atMs: number): number {
  let begin = 0
  for (const { durationMs, from, to } of stages) {
    if (atMs >= begin && atMs < begin + durationMs) return from + ((to - from) * (atMs - begin)) / durationMs
    begin += durationMs
  }
  return 0
}

/** Moments at which queries are due, in milliseconds of the run: at a constant rate, evenly apart, as the level says. */
export function* scheduleQueries(workload: Pick<Workload, 'stages' | 'queryRate'>): Generator<number> {
  const { stages, queryRate } = workload
  if (queryRate <= 0) return
  const perMs = queryRate / 1_000
  let begin = 0
  let carried = 0
  for (const { durationMs, from, to } of stages) {
    const total = (perMs * durationMs * (from + to)) / 2
    for (let nth = 1 - carried; nth <= total; nth++)
      yield begin + timeOfNth(nth, { durationMs, from, to }, perMs)
    carried = (carried + total) % 1
    begin += durationMs
  }
}

/** When the integral of a rate that grows evenly comes to n. */
function timeOfNth(
  n: number,
  { durationMs, from, to }: Pick<Stage, 'durationMs' | 'from' | 'to'>,
  perMs: number,
) {
  const slope = (perMs * (to - from)) / durationMs
  const start = perMs * from
  if (Math.abs(slope) < 1e-15) return n / start
  return (Math.sqrt(start * start + 2 * slope * n) - start) / slope
}

/** A message that a device is to send. */
export interface DueMessage {
  readonly atMs: number
  readonly device: number
  readonly kind: MessageKind
}

/**
 * What all devices send, in the order of time. Every device begins each kind at another moment of its interval; while
 * the level is below 1 only so many of them are at work.
 */
export function* scheduleMessages(
  workload: Pick<Workload, 'stages' | 'devices' | 'intervalsMs'>,
): Generator<DueMessage> {
  const { devices, intervalsMs } = workload
  const endMs = durationOf(workload)
  const lanes = MESSAGE_KINDS.flatMap(kind =>
    Array.from({ length: devices }, (_, device) => ({
      kind,
      device,
      atMs: intervalsMs[kind] * ((device * 0.618) % 1),
    })),
  )
  // A slice of time at once: sorting hours of messages would hold them all.
  const sliceMs = 1_000
  for (let begin = 0; begin < endMs; begin += sliceMs) {
    const slice: DueMessage[] = []
    for (const lane of lanes)
      for (; lane.atMs < Math.min(begin + sliceMs, endMs); lane.atMs += intervalsMs[lane.kind])
        if (lane.device < levelAt(workload, lane.atMs) * devices)
          slice.push({ atMs: lane.atMs, device: lane.device, kind: lane.kind })
    yield* slice.sort((a, b) => a.atMs - b.atMs)
  }
}

/** Chooses what the nth query is, so that shares hold over any hundred of them. */
export function chooseQuery({ queryShares }: Pick<Workload, 'queryShares'>, nth: number): QueryKind {
  let place = (nth * 0.618_033_988_749_895) % 1
  for (const kind of QUERY_KINDS) {
    if (place < queryShares[kind]) return kind
    place -= queryShares[kind]
  }
  return 'dashboard'
}
