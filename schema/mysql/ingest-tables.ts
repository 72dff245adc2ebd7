import { jsonObject, moment, uuid } from './columns.ts'
import { bigint, boolean, index, mysqlTable, primaryKey, smallint, text, varchar } from './drizzle.ts'

/** Tables that ingest writes; others only read them. */

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
    index('log_level').on(t.spaceId, t.level, t.id),
  ],
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

/** The newest of each device, kept so that a lost Redis does not blank the dashboard. Times are epoch milliseconds. */
export const deviceStatus = mysqlTable(
  'device_status',
  {
    deviceId: uuid('device_id').primaryKey(),
    spaceId: uuid('space_id').notNull(),
    online: boolean('online').notNull().default(false),
    generation: bigint('generation', { mode: 'number' }).notNull().default(0),
    lastSeenAt: bigint('last_seen_at', { mode: 'number' }),
    state: jsonObject('state'),
    stateAt: bigint('state_at', { mode: 'number' }).notNull().default(0),
    connectivity: jsonObject('connectivity'),
    connectivityAt: bigint('connectivity_at', { mode: 'number' }).notNull().default(0),
  },
  t => [index('device_status_online').on(t.spaceId, t.online)],
)

/** Where each shard of the ingest log has been written to, and who may write on. */
export const ingestOffset = mysqlTable('ingest_offset', {
  shard: smallint('shard').primaryKey(),
  lastId: varchar('last_id', { length: 41 }).notNull(),
  fence: bigint('fence', { mode: 'number' }).notNull(),
  owner: varchar('owner', { length: 64 }).notNull(),
  leaseUntil: moment('lease_until').notNull(),
})
