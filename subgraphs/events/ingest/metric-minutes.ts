import type { PoolConnection } from 'mysql2/promise'
import type { StateItem } from '../../../schema/ingest-entry.ts'
import { insertInParts } from './insert-in-parts.ts'

/** Numbers that are kept of one state; more are left out, in the order of the device. */
export const MAX_METRICS_PER_STATE = 32

/** Characters of a metric's name; one with a longer name is left out. */
export const MAX_METRIC_LENGTH = 64

const MINUTE_MS = 60_000

/** Bytes of a row about; a name may have four bytes a character. */
const ROW_BYTES = 400

/** A minute of a metric. */
export interface MetricMinute {
  readonly deviceId: string
  readonly metric: string
  /** Number of the minute since 1970. */
  readonly minute: number
  lastValue: number
  lastAt: number
  minValue: number
  maxValue: number
}

/** Gathers the numbers among the metrics of states by minute; sorted by key. What is nested or no number is left out. */
export function gatherMetricMinutes(states: readonly StateItem[]): MetricMinute[] {
  const minutes = new Map<string, MetricMinute>()
  for (const { deviceId, at, metrics } of states) {
    const minute = Math.floor(at / MINUTE_MS)
    let kept = 0
    for (const metric in metrics) {
      const value = metrics[metric]
      if (typeof value !== 'number' || metric.length > MAX_METRIC_LENGTH) continue
      if (++kept > MAX_METRICS_PER_STATE) break
      const key = `${deviceId}\0${metric}\0${minute}`
      const known = minutes.get(key)
      if (known === undefined) {
        const last = { lastValue: value, lastAt: at, minValue: value, maxValue: value }
        minutes.set(key, { deviceId, metric, minute, ...last })
        continue
      }
      if (at >= known.lastAt) {
        known.lastValue = value
        known.lastAt = at
      }
      known.minValue = Math.min(known.minValue, value)
      known.maxValue = Math.max(known.maxValue, value)
    }
  }
  return [...minutes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, minute]) => minute)
}

/** Merges minutes into what is there. The same again changes nothing. */
export async function mergeMetricMinutes(
  connection: PoolConnection,
  minutes: readonly MetricMinute[],
): Promise<void> {
  await insertInParts(
    connection,
    'INSERT INTO metric_minute (device_id, metric, minute, last_value, last_at, min_value, max_value)',
    minutes.map(m => [m.deviceId, m.metric, m.minute, m.lastValue, m.lastAt, m.minValue, m.maxValue]),
    () => ROW_BYTES,
    // MySQL assigns from left to right: the value before its time.
    `ON DUPLICATE KEY UPDATE
       last_value = IF(VALUES(last_at) >= last_at, VALUES(last_value), last_value),
       last_at = GREATEST(last_at, VALUES(last_at)),
       min_value = LEAST(min_value, VALUES(min_value)),
       max_value = GREATEST(max_value, VALUES(max_value))`,
  )
}
