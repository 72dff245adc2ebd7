import { moment, uuid } from './columns.ts'
import { index, mysqlTable, primaryKey, varchar } from './drizzle.ts'

/** Tables that the events subgraph writes alone. */

/**
 * What people watch: a device, line, process or space, and the space it is in. `id` is a UUIDv7 of this watch: who
 * unwatches and watches again has another one.
 */
export const watch = mysqlTable(
  'watch',
  {
    userId: uuid('user_id').notNull(),
    targetId: uuid('target_id').notNull(),
    kind: varchar('kind', { length: 8, enum: ['DEVICE', 'LINE', 'PROCESS', 'SPACE'] }).notNull(),
    spaceId: uuid('space_id').notNull(),
    id: uuid('id').notNull(),
    since: moment('since').notNull(),
  },
  t => [
    primaryKey({ columns: [t.userId, t.targetId] }),
    index('watch_target').on(t.targetId, t.userId),
    index('watch_space').on(t.spaceId),
  ],
)
