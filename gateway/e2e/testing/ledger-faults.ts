import type { Pool, RowDataPacket } from 'mysql2/promise'
import { timeOfId } from '../../../subgraphs/shared/uuid-v7.ts'
import type { MessageLedger } from './message-ledger.ts'

/** Length of a bucket of the rollups and of a minute of the metrics, in milliseconds. */
const BUCKET_MS = 900_000
const MINUTE_MS = 60_000

const LEVEL_COUNTS = ['debug', 'info', 'warn', 'error']
const SEVERITY_COUNTS = ['info', 'minor', 'major', 'critical']

/**
 * Compares the tables and the rollups of a space, in which nobody else has sent anything, with what its devices know
 * to have sent: a line for each row that is missing, too many or another.
 */
export async function findLedgerFaults(
  pool: Pool,
  spaceId: string,
  ledger: MessageLedger,
): Promise<string[]> {
  const devices = [...new Set([...ledger.logs.values(), ...ledger.states].map(({ deviceId }) => deviceId))]
  const faults: string[] = []

  async function compare(
    what: string,
    expected: ReadonlyMap<string, unknown>,
    sql: string,
    values: unknown[],
  ) {
    const [rows] = await pool.query<RowDataPacket[]>(sql, values)
    const found = new Map<string, string>()
    for (const { k, v } of rows) {
      if (found.has(String(k))) faults.push(`${what} ${k} is there twice`)
      found.set(String(k), String(v))
    }
    for (const [key, value] of expected)
      if (found.get(key) !== String(value))
        faults.push(`${what} ${key}: ${found.get(key)} instead of ${value}`)
    for (const [key, value] of found)
      if (!expected.has(key)) faults.push(`${what} ${key}: ${value} instead of nothing`)
  }

  await compare(
    'log',
    new Map([...ledger.logs].map(([id, log]) => [id, `${log.deviceId} ${log.level}`])),
    `SELECT id AS k, CONCAT_WS(' ', device_id, level) AS v FROM log WHERE space_id = ?`,
    [spaceId],
  )
  await compare(
    'anomaly_occurrence',
    new Map(
      [...ledger.anomalies].map(([id, one]) => [
        id,
        `${one.deviceId} ${one.type} ${one.severity} ${Number(one.cleared)}`,
      ]),
    ),
    `SELECT id AS k, CONCAT_WS(' ', device_id, type, severity, cleared) AS v FROM anomaly_occurrence WHERE space_id = ?`,
    [spaceId],
  )
  const occurred = [...ledger.anomalies.values()].filter(({ cleared }) => !cleared)
  await compare(
    'occurrences of anomalies',
    countKinds(occurred),
    `SELECT CONCAT_WS(' ', device_id, type) AS k, SUM(occurrences) AS v FROM anomaly
     WHERE space_id = ? GROUP BY device_id, type`,
    [spaceId],
  )
  // Whatever each anomaly says of itself: its occurrences are rows, and it has as many, is as grave and as old as they.
  await compare(
    'anomaly that its occurrences do not make',
    new Map(),
    `SELECT COALESCE(a.id, o.anomaly_id, 'none') AS k,
       CONCAT_WS(' ', a.occurrences, a.first_occurrence_id, a.last_occurrence_id, a.severity_rank, 'instead of',
         o.occurrences, o.first_id, o.last_id, o.severity) AS v
     FROM (
       SELECT anomaly_id, COUNT(*) AS occurrences, MIN(id) AS first_id, MAX(id) AS last_id,
         MAX(FIELD(severity, 'INFO', 'MINOR', 'MAJOR', 'CRITICAL')) AS severity
       FROM anomaly_occurrence WHERE space_id = ? AND cleared = 0 GROUP BY anomaly_id
     ) AS o LEFT JOIN anomaly AS a ON a.id = o.anomaly_id
     WHERE a.id IS NULL OR NOT (a.occurrences = o.occurrences AND a.first_occurrence_id = o.first_id
       AND a.last_occurrence_id = o.last_id AND a.severity_rank = o.severity)`,
    [spaceId],
  )
  await compare(
    'step of an anomaly',
    new Map(),
    `SELECT a.id AS k, GROUP_CONCAT(c.step ORDER BY c.id) AS v
     FROM anomaly AS a LEFT JOIN anomaly_comment AS c ON c.anomaly_id = a.id WHERE a.space_id = ? GROUP BY a.id
     HAVING NOT (COALESCE(SUM(c.step = 'RAISED'), 0) = 1
       AND COALESCE(SUM(c.step = 'CLEARED'), 0) = MAX(a.status = 'RESOLVED'))`,
    [spaceId],
  )
  await compare(
    'state_change',
    new Map(ledger.states.map(({ deviceId, at, status }) => [`${deviceId} ${at}`, status])),
    `SELECT CONCAT_WS(' ', device_id, at) AS k, status AS v FROM state_change WHERE device_id IN (?)`,
    [devices],
  )
  await compare(
    'metric_minute',
    metricMinutes(ledger),
    `SELECT CONCAT_WS(' ', device_id, metric, minute) AS k,
       CONCAT_WS(' ', last_at, last_value, min_value, max_value) AS v FROM metric_minute WHERE device_id IN (?)`,
    [devices],
  )
  await compare(
    'device_status.state_at',
    new Map(ledger.states.map(({ deviceId, at, status }) => [deviceId, `${at} ${status}`])),
    `SELECT device_id AS k, CONCAT_WS(' ', state_at, status) AS v FROM device_status WHERE device_id IN (?) AND state_at > 0`,
    [devices],
  )
  await compare(
    'device_status.connectivity_at',
    ledger.connectivities,
    'SELECT device_id AS k, connectivity_at AS v FROM device_status WHERE device_id IN (?) AND connectivity_at > 0',
    [devices],
  )

  const logs = [...ledger.logs].map(([id, { deviceId, level }]) => {
    return { bucket: bucketOf(id), deviceId, column: LEVEL_COUNTS.indexOf(level.toLowerCase()) }
  })
  const occurrences = [...ledger.anomalies]
    .filter(([, { cleared }]) => !cleared)
    .map(([id, { deviceId, type, severity }]) => {
      return { bucket: bucketOf(id), deviceId, type, column: SEVERITY_COUNTS.indexOf(severity.toLowerCase()) }
    })
  const compareCounts = (
    table: string,
    key: string,
    counts: string[],
    expected: ReadonlyMap<string, number[]>,
  ) =>
    compare(
      table,
      new Map([...expected].map(([k, numbers]) => [k, numbers.join(' ')])),
      `SELECT CONCAT_WS(' ', ${key}) AS k, CONCAT_WS(' ', ${counts.map(count => `SUM(${count})`)}) AS v
       FROM ${table} WHERE space_id = ? GROUP BY ${key}`,
      [spaceId],
    )
  await compareCounts(
    'log_rollup_fine',
    'bucket, device_id',
    LEVEL_COUNTS,
    countBy(logs, ({ bucket, deviceId }) => `${bucket} ${deviceId}`),
  )
  await compareCounts(
    'log_rollup_coarse',
    'bucket',
    LEVEL_COUNTS,
    countBy(logs, ({ bucket }) => `${bucket}`),
  )
  await compareCounts(
    'anomaly_rollup_fine',
    'bucket, device_id, type',
    SEVERITY_COUNTS,
    countBy(occurrences, ({ bucket, deviceId, type }) => `${bucket} ${deviceId} ${type}`),
  )
  await compareCounts(
    'anomaly_rollup_device',
    'bucket, device_id',
    SEVERITY_COUNTS,
    countBy(occurrences, ({ bucket, deviceId }) => `${bucket} ${deviceId}`),
  )
  await compareCounts(
    'anomaly_rollup_coarse',
    'bucket',
    SEVERITY_COUNTS,
    countBy(occurrences, ({ bucket }) => `${bucket}`),
  )
  return faults
}

function bucketOf(id: string): number {
  return Math.floor(timeOfId(id) / BUCKET_MS)
}

function countBy<T extends { column: number }>(items: readonly T[], keyOf: (item: T) => string) {
  const counts = new Map<string, number[]>()
  for (const item of items) {
    const numbers = counts.get(keyOf(item)) ?? [0, 0, 0, 0]
    numbers[item.column] = (numbers[item.column] ?? 0) + 1
    counts.set(keyOf(item), numbers)
  }
  return counts
}

function countKinds(occurred: readonly { readonly deviceId: string; readonly type: string }[]) {
  const kinds = Map.groupBy(occurred, ({ deviceId, type }) => `${deviceId} ${type}`)
  return new Map([...kinds].map(([kind, ofKind]) => [kind, ofKind.length]))
}

function metricMinutes({ states }: MessageLedger): Map<string, string> {
  const minutes = Map.groupBy(states, ({ deviceId, at }) => `${deviceId} parts ${Math.floor(at / MINUTE_MS)}`)
  return new Map(
    [...minutes].map(([key, ofMinute]) => {
      const parts = ofMinute.map(state => state.parts)
      const last = ofMinute.at(-1)
      return [key, `${last?.at} ${last?.parts} ${Math.min(...parts)} ${Math.max(...parts)}`]
    }),
  )
}
