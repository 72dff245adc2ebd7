import { digest, moment, uuid } from './columns.ts'
import { boolean, index, int, mysqlTable, primaryKey, uniqueIndex, varchar } from './drizzle.ts'

/** Tables that the device subgraph writes; others only read them. */

/** People who sign in. */
export const user = mysqlTable(
  'user',
  {
    id: uuid('id').primaryKey(),
    email: varchar('email', { length: 254 }).notNull(),
    name: varchar('name', { length: 128 }).notNull(),
    passwordHash: varchar('password_hash', { length: 255 }).notNull(),
    emailVerifiedAt: moment('email_verified_at'),
    createdAt: moment('created_at').notNull(),
  },
  t => [uniqueIndex('user_email').on(t.email)],
)

/** Sign-ins; a session is also the family of its refresh tokens. */
export const session = mysqlTable(
  'session',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id').notNull(),
    createdAt: moment('created_at').notNull(),
    revokedAt: moment('revoked_at'),
  },
  t => [index('session_user').on(t.userId)],
)

/** Refresh tokens by digest; a used one stays until it expires, so that its reuse is seen. */
export const refreshToken = mysqlTable(
  'refresh_token',
  {
    digest: digest('digest').primaryKey(),
    sessionId: uuid('session_id').notNull(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    usedAt: moment('used_at'),
  },
  t => [index('refresh_token_session').on(t.sessionId), index('refresh_token_expiry').on(t.expiresAt)],
)

/** Factory sites. */
export const space = mysqlTable('space', {
  id: uuid('id').primaryKey(),
  name: varchar('name', { length: 128 }).notNull(),
  timezone: varchar('timezone', { length: 64 }).notNull(),
  createdAt: moment('created_at').notNull(),
})

/** Who may do what where; `role` is one of OWNER, ADMIN, OPERATOR, VIEWER. */
export const membership = mysqlTable(
  'membership',
  {
    spaceId: uuid('space_id').notNull(),
    userId: uuid('user_id').notNull(),
    role: varchar('role', { length: 16, enum: ['OWNER', 'ADMIN', 'OPERATOR', 'VIEWER'] }).notNull(),
    joinedAt: moment('joined_at').notNull(),
  },
  t => [primaryKey({ columns: [t.spaceId, t.userId] }), index('membership_user').on(t.userId, t.spaceId)],
)

/** Production lines. */
export const line = mysqlTable(
  'line',
  {
    id: uuid('id').primaryKey(),
    spaceId: uuid('space_id').notNull(),
    name: varchar('name', { length: 128 }).notNull(),
    position: int('position').notNull(),
  },
  t => [index('line_space').on(t.spaceId, t.position)],
)

/** Steps of production, of a line or of the space as a whole. */
export const process = mysqlTable(
  'process',
  {
    id: uuid('id').primaryKey(),
    spaceId: uuid('space_id').notNull(),
    lineId: uuid('line_id'),
    name: varchar('name', { length: 128 }).notNull(),
    position: int('position').notNull(),
  },
  t => [index('process_space').on(t.spaceId, t.position), index('process_line').on(t.lineId, t.position)],
)

/** Devices; a removed one stays, so that its past keeps its name. */
export const device = mysqlTable(
  'device',
  {
    id: uuid('id').primaryKey(),
    spaceId: uuid('space_id').notNull(),
    lineId: uuid('line_id'),
    processId: uuid('process_id'),
    code: varchar('code', { length: 64 }).notNull(),
    name: varchar('name', { length: 128 }).notNull(),
    model: varchar('model', { length: 128 }),
    createdAt: moment('created_at').notNull(),
    removed: boolean('removed').notNull().default(false),
  },
  t => [
    uniqueIndex('device_code').on(t.spaceId, t.code),
    index('device_line').on(t.lineId, t.code),
    index('device_process').on(t.processId, t.code),
  ],
)

/** Secrets of devices by digest (256 random bits need no slow hash). */
export const deviceCredential = mysqlTable(
  'device_credential',
  {
    digest: digest('digest').primaryKey(),
    deviceId: uuid('device_id').notNull(),
    createdAt: moment('created_at').notNull(),
    revokedAt: moment('revoked_at'),
  },
  t => [index('device_credential_device').on(t.deviceId)],
)
