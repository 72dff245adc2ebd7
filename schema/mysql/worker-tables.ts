import { moment } from './columns.ts'
import { mysqlTable, varchar } from './drizzle.ts'

/** Tables that the worker writes. */

/** Which process does a job of the site, and when it was last done; the clock is the database's. */
export const jobLease = mysqlTable('job_lease', {
  job: varchar('job', { length: 64 }).primaryKey(),
  owner: varchar('owner', { length: 64 }).notNull(),
  leaseUntil: moment('lease_until').notNull(),
  finishedAt: moment('finished_at').notNull(),
})
