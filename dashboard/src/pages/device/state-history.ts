import type { DeviceStatus } from '../../graphql/schema-types.generated.ts'

/** A status, from a moment on. Epoch milliseconds. */
export interface StatusStep {
  readonly at: number
  readonly status: DeviceStatus
}

/** A metric, a sample a minute. */
export interface MetricTrack {
  readonly times: readonly number[]
  readonly last: readonly number[]
  readonly min: readonly number[]
  readonly max: readonly number[]
}

/** What a device was in a range. */
export interface StateHistory {
  readonly statuses: readonly StatusStep[]
  readonly metrics: ReadonlyMap<string, MetricTrack>
}

type Item =
  | { readonly __typename: 'StatusChange'; readonly at: string; readonly status: DeviceStatus }
  | {
      readonly __typename: 'MetricSample'
      readonly key: string
      readonly at: string
      readonly last: number
      readonly min: number
      readonly max: number
    }

const MINUTE_MS = 60_000

/** Puts the items of pages together. */
export function toHistory(items: readonly Item[]): StateHistory {
  const statuses: StatusStep[] = []
  const metrics = new Map<string, { times: number[]; last: number[]; min: number[]; max: number[] }>()
  for (const item of items) {
    const at = Date.parse(item.at)
    if (item.__typename === 'StatusChange') {
      statuses.push({ at, status: item.status })
      continue
    }
    let track = metrics.get(item.key)
    if (track === undefined) {
      track = { times: [], last: [], min: [], max: [] }
      metrics.set(item.key, track)
    }
    track.times.push(at)
    track.last.push(item.last)
    track.min.push(item.min)
    track.max.push(item.max)
  }
  return { statuses, metrics }
}

/** Adds a reported state: a status where it changes, and each number to the sample of its minute. Older ones are left out. */
export function addState(
  history: StateHistory,
  {
    status,
    metrics,
    at,
  }: { status: DeviceStatus; metrics: Readonly<Record<string, unknown>> | null; at: number },
): StateHistory {
  const newest = history.statuses.at(-1)
  if (newest !== undefined && at < newest.at) return history
  const isChange = newest?.status !== status
  const tracks = new Map(history.metrics)
  for (const [key, value] of Object.entries(metrics ?? {}))
    if (typeof value === 'number') tracks.set(key, addSample(tracks.get(key), value, at))
  return { statuses: isChange ? [...history.statuses, { at, status }] : history.statuses, metrics: tracks }
}

function addSample(track: MetricTrack | undefined, value: number, at: number): MetricTrack {
  const minute = Math.floor(at / MINUTE_MS) * MINUTE_MS
  const { times, last, min, max } = track ?? { times: [], last: [], min: [], max: [] }
  const end = times.length - 1
  if ((times[end] ?? Number.NEGATIVE_INFINITY) > minute) return { times, last, min, max }
  if (times[end] !== minute)
    return { times: [...times, minute], last: [...last, value], min: [...min, value], max: [...max, value] }
  return {
    times,
    last: last.with(end, value),
    min: min.with(end, Math.min(min[end] ?? value, value)),
    max: max.with(end, Math.max(max[end] ?? value, value)),
  }
}
