import { SEVERITIES } from '../severity.ts'
import { jsonObject, moment, uuid } from './columns.ts'
import {
  bigint,
  boolean,
  double,
  index,
  int,
  mysqlTable,
  primaryKey,
  smallint,
  text,
  varchar,
} from './drizzle.ts'

/** Tables that ingest writes; others only read them, but for `device_status.broadcasting`, which is streaming's. */

/** Counts of a rollup of logs; columns and not rows, so that a batch merges and a report reads a quarter of them. */
const levelCounts = {
  debug: int('debug').notNull(),
  info: int('info').notNull(),
  warn: int('warn').notNull(),
  error: int('error').notNull(),
}

/** Counts of a rollup of anomalies. */
const severityCounts = {
  info: int('info').notNull(),
  minor: int('minor').notNull(),
  major: int('major').notNull(),
  critical: int('critical').notNull(),
}

/**
 * What devices logged. Partitioned by week of `id` (RANGE COLUMNS), so that a resent id meets its first copy.
 * `level` is one of DEBUG, INFO, WARN, ERROR; line and process are those of the moment of writing.
 */
export const log = mysqlTable(
  'log',
  {
    spaceId: uuid('space_id').notNull(),
    id: uuid('id').notNull(),
    deviceId: uuid('device_id').notNull(),
    lineId: uuid('line_id'),
    processId: uuid('process_id'),
    level: varchar('level', { length: 8, enum: ['DEBUG', 'INFO', 'WARN', 'ERROR'] }).notNull(),
    message: text('message').notNull(),
    attributes: jsonObject('attributes'),
    clockReplaced: boolean('clock_replaced').notNull(),
    receivedAt: moment('received_at').notNull(),
  },
  t => [
    primaryKey({ columns: [t.spaceId, t.id] }),
    index('log_device').on(t.deviceId, t.id),
    index('log_device_level').on(t.deviceId, t.level, t.id),
    index('log_level').on(t.spaceId, t.level, t.id),
    index('log_line').on(t.spaceId, t.lineId, t.level, t.id),
    index('log_process').on(t.spaceId, t.processId, t.level, t.id),
  ],
)

/**
 * What devices have found wrong, one row a message; never changed. Partitioned as `log`. `cleared`: word that the
 * anomaly is over, which is no occurrence. Line and process are those of the moment of writing. `anomaly_id` is the
 * anomaly it joined or ended; null when it is word that ended none.
 */
export const anomalyOccurrence = mysqlTable(
  'anomaly_occurrence',
  {
    spaceId: uuid('space_id').notNull(),
    id: uuid('id').notNull(),
    deviceId: uuid('device_id').notNull(),
    lineId: uuid('line_id'),
    processId: uuid('process_id'),
    type: varchar('type', { length: 64 }).notNull(),
    severity: varchar('severity', { length: 8, enum: SEVERITIES }).notNull(),
    message: text('message'),
    score: double('score'),
    attributes: jsonObject('attributes'),
    cleared: boolean('cleared').notNull(),
    clockReplaced: boolean('clock_replaced').notNull(),
    receivedAt: moment('received_at').notNull(),
    anomalyId: uuid('anomaly_id'),
  },
  t => [primaryKey({ columns: [t.spaceId, t.id] }), index('anomaly_occurrence_device').on(t.deviceId, t.id)],
)

/**
 * Rows of `log` per quarter of an hour and device, by level, and by the line and process that the device had when they were
 * written, NO_PLACE where it had none. See ROLLUP_BUCKET_MS for `bucket`.
 */
export const logRollupFine = mysqlTable(
  'log_rollup_fine',
  {
    spaceId: uuid('space_id').notNull(),
    bucket: int('bucket').notNull(),
    deviceId: uuid('device_id').notNull(),
    lineId: uuid('line_id').notNull(),
    processId: uuid('process_id').notNull(),
    ...levelCounts,
  },
  t => [primaryKey({ columns: [t.spaceId, t.bucket, t.deviceId, t.lineId, t.processId] })],
)

/** The same without device. */
export const logRollupCoarse = mysqlTable(
  'log_rollup_coarse',
  {
    spaceId: uuid('space_id').notNull(),
    bucket: int('bucket').notNull(),
    lineId: uuid('line_id').notNull(),
    processId: uuid('process_id').notNull(),
    ...levelCounts,
  },
  t => [primaryKey({ columns: [t.spaceId, t.bucket, t.lineId, t.processId] })],
)

/**
 * Rows of `anomaly_occurrence` that are not `cleared`, per quarter of an hour, device and type, by severity, and by line and
 * process as in log_rollup_fine.
 */
export const anomalyRollupFine = mysqlTable(
  'anomaly_rollup_fine',
  {
    spaceId: uuid('space_id').notNull(),
    bucket: int('bucket').notNull(),
    deviceId: uuid('device_id').notNull(),
    type: varchar('type', { length: 64 }).notNull(),
    lineId: uuid('line_id').notNull(),
    processId: uuid('process_id').notNull(),
    ...severityCounts,
  },
  t => [primaryKey({ columns: [t.spaceId, t.bucket, t.deviceId, t.type, t.lineId, t.processId] })],
)

/** The same per device alone, and in its order: what a device has had is read without what others have. */
export const anomalyRollupDevice = mysqlTable(
  'anomaly_rollup_device',
  {
    spaceId: uuid('space_id').notNull(),
    bucket: int('bucket').notNull(),
    deviceId: uuid('device_id').notNull(),
    ...severityCounts,
  },
  t => [
    primaryKey({ columns: [t.spaceId, t.deviceId, t.bucket] }),
    index('anomaly_rollup_device_bucket').on(t.spaceId, t.bucket),
  ],
)

/** The same per line and process alone. */
export const anomalyRollupCoarse = mysqlTable(
  'anomaly_rollup_coarse',
  {
    spaceId: uuid('space_id').notNull(),
    bucket: int('bucket').notNull(),
    lineId: uuid('line_id').notNull(),
    processId: uuid('process_id').notNull(),
    ...severityCounts,
  },
  t => [primaryKey({ columns: [t.spaceId, t.bucket, t.lineId, t.processId] })],
)

/** Stands in the rollups for the line or process of a device that had none. */
export const NO_PLACE = '00000000-0000-0000-0000-000000000000'

/**
 * Length of a bucket of the rollups, in milliseconds. `bucket` is the quarter's number since 1970, UTC: the event's time,
 * which is that of its id, divided by this.
 */
export const ROLLUP_BUCKET_MS = 900_000

/**
 * What status devices reported, where it changed, was late, or came after a silence; equal neighbours are possible.
 * Partitioned by week of `at`, epoch milliseconds.
 */
export const stateChange = mysqlTable(
  'state_change',
  {
    deviceId: uuid('device_id').notNull(),
    at: bigint('at', { mode: 'number' }).notNull(),
    status: varchar('status', {
      length: 8,
      enum: ['RUNNING', 'IDLE', 'STOPPED', 'ERROR', 'UNKNOWN'],
    }).notNull(),
  },
  t => [primaryKey({ columns: [t.deviceId, t.at] })],
)

/**
 * Numeric metrics of states per minute: the last value, the least and the greatest. Partitioned by week of `minute`,
 * the minute's number since 1970, UTC. `last_at` is epoch milliseconds.
 */
export const metricMinute = mysqlTable(
  'metric_minute',
  {
    deviceId: uuid('device_id').notNull(),
    metric: varchar('metric', { length: 64 }).notNull(),
    minute: int('minute').notNull(),
    lastValue: double('last_value').notNull(),
    lastAt: bigint('last_at', { mode: 'number' }).notNull(),
    minValue: double('min_value').notNull(),
    maxValue: double('max_value').notNull(),
  },
  t => [primaryKey({ columns: [t.deviceId, t.metric, t.minute] })],
)

/** When devices went online and offline; partitioned as `log`. `kind` is ONLINE or OFFLINE. */
export const presenceEvent = mysqlTable(
  'presence_event',
  {
    spaceId: uuid('space_id').notNull(),
    id: uuid('id').notNull(),
    deviceId: uuid('device_id').notNull(),
    kind: varchar('kind', { length: 8, enum: ['ONLINE', 'OFFLINE'] }).notNull(),
  },
  t => [primaryKey({ columns: [t.spaceId, t.id] }), index('presence_event_device').on(t.deviceId, t.id)],
)

/**
 * The newest of each device, kept so that a lost Redis does not blank the dashboard. Times are epoch milliseconds.
 * `status` is that of `state`, null before the first. Its indexes change with transitions only.
 */
export const deviceStatus = mysqlTable(
  'device_status',
  {
    deviceId: uuid('device_id').primaryKey(),
    spaceId: uuid('space_id').notNull(),
    online: boolean('online').notNull().default(false),
    generation: bigint('generation', { mode: 'number' }).notNull().default(0),
    lastSeenAt: bigint('last_seen_at', { mode: 'number' }),
    status: varchar('status', { length: 8, enum: ['RUNNING', 'IDLE', 'STOPPED', 'ERROR', 'UNKNOWN'] }),
    state: jsonObject('state'),
    stateAt: bigint('state_at', { mode: 'number' }).notNull().default(0),
    connectivity: jsonObject('connectivity'),
    connectivityAt: bigint('connectivity_at', { mode: 'number' }).notNull().default(0),
    broadcasting: boolean('broadcasting').notNull().default(false),
  },
  t => [
    index('device_status_online').on(t.spaceId, t.online),
    index('device_status_status').on(t.spaceId, t.status),
    index('device_status_broadcasting').on(t.spaceId, t.broadcasting),
    index('device_status_seen').on(t.spaceId, t.lastSeenAt),
  ],
)

/** Where each shard of the ingest log has been written to, and who may write on. */
export const ingestOffset = mysqlTable('ingest_offset', {
  shard: smallint('shard').primaryKey(),
  lastId: varchar('last_id', { length: 41 }).notNull(),
  fence: bigint('fence', { mode: 'number' }).notNull(),
  owner: varchar('owner', { length: 64 }).notNull(),
  leaseUntil: moment('lease_until').notNull(),
})
