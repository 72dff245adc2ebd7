import { digest, jsonObject, moment, uuid } from './columns.ts'
import {
  boolean,
  index,
  int,
  mysqlTable,
  primaryKey,
  smallint,
  sql,
  uniqueIndex,
  varchar,
} from './drizzle.ts'

/** Tables that the device subgraph writes; others only read them, except for the state of mails in `mail_outbox`. */

const ROLES = ['OWNER', 'ADMIN', 'OPERATOR', 'VIEWER'] as const
const LOCALES = ['ko', 'en'] as const

/**
 * People who sign in. `sign_up_id` is a UUIDv7 of the newest sign-up for the address that a mail was sent for: its
 * time keeps the next one waiting, and of several at once one becomes it. `sign_ups` counts those
 * before the address was proven: past 1, who reads its mail may not be who set the password.
 */
export const user = mysqlTable(
  'user',
  {
    id: uuid('id').primaryKey(),
    email: varchar('email', { length: 254 }).notNull(),
    name: varchar('name', { length: 128 }).notNull(),
    passwordHash: varchar('password_hash', { length: 255 }).notNull(),
    emailVerifiedAt: moment('email_verified_at'),
    createdAt: moment('created_at').notNull(),
    locale: varchar('locale', { length: 8, enum: LOCALES }).notNull().default('en'),
    signUps: smallint('sign_ups').notNull().default(1),
    signUpId: uuid('sign_up_id').notNull().default('00000000-0000-0000-0000-000000000000'),
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
  t => [index('session_user').on(t.userId), index('session_revoked').on(t.revokedAt)],
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

/**
 * Factory sites. `version` rises with every change of the row, so that who edits an older one learns of it. Without
 * `retention_days` what a space reports is kept as long as the site keeps it. A deleted one can be restored for 7 days.
 */
export const space = mysqlTable(
  'space',
  {
    id: uuid('id').primaryKey(),
    name: varchar('name', { length: 128 }).notNull(),
    timezone: varchar('timezone', { length: 64 }).notNull(),
    createdAt: moment('created_at').notNull(),
    version: int('version').notNull().default(1),
    retentionDays: int('retention_days'),
    createdBy: uuid('created_by'),
    deletedAt: moment('deleted_at'),
  },
  t => [index('space_deleted').on(t.deletedAt)],
)

/** Who may do what where; `role` is one of OWNER, ADMIN, OPERATOR, VIEWER. */
export const membership = mysqlTable(
  'membership',
  {
    spaceId: uuid('space_id').notNull(),
    userId: uuid('user_id').notNull(),
    role: varchar('role', { length: 16, enum: ROLES }).notNull(),
    joinedAt: moment('joined_at').notNull(),
  },
  t => [primaryKey({ columns: [t.spaceId, t.userId] }), index('membership_user').on(t.userId, t.spaceId)],
)

/** Production lines. `version` as that of `space`; a removed one stays, so that what happened on it keeps its name. */
export const line = mysqlTable(
  'line',
  {
    id: uuid('id').primaryKey(),
    spaceId: uuid('space_id').notNull(),
    name: varchar('name', { length: 128 }).notNull(),
    position: int('position').notNull(),
    version: int('version').notNull().default(1),
    removed: boolean('removed').notNull().default(false),
  },
  t => [index('line_space').on(t.spaceId, t.position)],
)

/** Steps of production, of a line or of the space as a whole. `version` and `removed` as those of `line`. */
export const process = mysqlTable(
  'process',
  {
    id: uuid('id').primaryKey(),
    spaceId: uuid('space_id').notNull(),
    lineId: uuid('line_id'),
    name: varchar('name', { length: 128 }).notNull(),
    position: int('position').notNull(),
    version: int('version').notNull().default(1),
    removed: boolean('removed').notNull().default(false),
  },
  t => [index('process_space').on(t.spaceId, t.position), index('process_line').on(t.lineId, t.position)],
)

/**
 * Devices; a removed one stays, so that its past keeps its name. `live_code` and `search_text`, in lower case, are null
 * then: its code is free, and no list holds it.
 */
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
    version: int('version').notNull().default(1),
    liveCode: varchar('live_code', { length: 64 }).generatedAlwaysAs(sql`IF(removed, NULL, code)`),
    searchText: varchar('search_text', { length: 322 }).generatedAlwaysAs(
      sql`IF(removed, NULL, LOWER(CONCAT_WS('\n', code, name, model)))`,
    ),
  },
  t => [
    uniqueIndex('device_code').on(t.spaceId, t.liveCode),
    index('device_line').on(t.lineId, t.liveCode),
    index('device_process').on(t.processId, t.liveCode),
    index('device_name').on(t.spaceId, t.name),
    index('device_created').on(t.spaceId, t.id),
    index('device_search').on(t.spaceId, t.liveCode, t.searchText),
  ],
)

/**
 * Secrets of devices by digest (256 random bits need no slow hash). One is good until `expires_at`, if it has been replaced,
 * and until it is revoked: that ends the device's tokens too.
 */
export const deviceCredential = mysqlTable(
  'device_credential',
  {
    digest: digest('digest').primaryKey(),
    deviceId: uuid('device_id').notNull(),
    createdAt: moment('created_at').notNull(),
    revokedAt: moment('revoked_at'),
    expiresAt: moment('expires_at'),
  },
  t => [index('device_credential_device').on(t.deviceId)],
)

/**
 * What was mailed to prove an address, by digest: the newest of each purpose. `tries` are guesses made at it. Rows of
 * users that do not exist are decoys, written so that an unknown address takes as long as a known one; all go once they
 * have expired.
 */
export const emailCode = mysqlTable(
  'email_code',
  {
    userId: uuid('user_id').notNull(),
    purpose: varchar('purpose', { length: 16, enum: ['verify-email', 'reset-password'] }).notNull(),
    digest: digest('digest').notNull(),
    tries: smallint('tries').notNull().default(0),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  t => [
    primaryKey({ columns: [t.userId, t.purpose] }),
    index('email_code_digest').on(t.digest),
    index('email_code_expiry').on(t.expiresAt),
  ],
)

/**
 * Invitations to a space. `pending_email` is the address while it can be accepted, else null: so there is one pending
 * invitation for an address in a space. Its token is kept by digest.
 */
export const invitation = mysqlTable(
  'invitation',
  {
    id: uuid('id').primaryKey(),
    spaceId: uuid('space_id').notNull(),
    email: varchar('email', { length: 254 }).notNull(),
    pendingEmail: varchar('pending_email', { length: 254 }),
    role: varchar('role', { length: 16, enum: ROLES }).notNull(),
    digest: digest('digest').notNull(),
    invitedBy: uuid('invited_by').notNull(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    acceptedAt: moment('accepted_at'),
    acceptedBy: uuid('accepted_by'),
    revokedAt: moment('revoked_at'),
  },
  t => [
    uniqueIndex('invitation_digest').on(t.digest),
    uniqueIndex('invitation_pending').on(t.spaceId, t.pendingEmail),
    index('invitation_space').on(t.spaceId, t.id),
  ],
)

/** Who changed what in a space; the id's time is when. `actor_id` is null for the system itself. Rows never change. */
export const audit = mysqlTable(
  'audit',
  {
    spaceId: uuid('space_id').notNull(),
    id: uuid('id').notNull(),
    actorId: uuid('actor_id'),
    action: varchar('action', { length: 64 }).notNull(),
    targetType: varchar('target_type', { length: 32 }).notNull(),
    targetId: uuid('target_id'),
    /** What the target was called then. */
    targetName: varchar('target_name', { length: 254 }),
    details: jsonObject('details'),
  },
  t => [primaryKey({ columns: [t.spaceId, t.id] })],
)

/**
 * Mails to send, written with what they tell of. Due when `next_attempt_at` has come; that is null once a mail is sent,
 * has failed for good, or is a decoy that nobody gets. `params` may hold secrets until then: who sends blanks them.
 */
export const mailOutbox = mysqlTable(
  'mail_outbox',
  {
    id: uuid('id').primaryKey(),
    recipient: varchar('recipient', { length: 254 }).notNull(),
    template: varchar('template', {
      length: 32,
      enum: [
        'verify-email',
        'account-exists',
        'reset-password',
        'password-changed',
        'invitation',
        'alert',
        'alert-digest',
      ],
    }).notNull(),
    locale: varchar('locale', { length: 8, enum: LOCALES }).notNull(),
    params: jsonObject('params').notNull(),
    attempts: smallint('attempts').notNull().default(0),
    nextAttemptAt: moment('next_attempt_at'),
    createdAt: moment('created_at').notNull(),
    sentAt: moment('sent_at'),
    failedAt: moment('failed_at'),
    lastError: varchar('last_error', { length: 512 }),
  },
  t => [index('mail_outbox_due').on(t.nextAttemptAt)],
)
