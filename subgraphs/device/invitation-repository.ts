import { invitation } from '../../schema/mysql/device-tables.ts'
import { and, eq, gt, inArray, isNotNull, lt, lte, type SQL, sql } from '../../schema/mysql/drizzle.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { parseMoment, selectBranches } from '../shared/mysql/select-branches.ts'
import type { Role } from '../shared/space-access.ts'
import type { InvitationParent } from './model.ts'

/** A piece of a space's open invitations, by address. */
export interface InvitationListRequest {
  readonly spaceId: string
  /** Invitations behind this address; null from the beginning on. */
  readonly afterEmail: string | null
  readonly limit: number
}

const COLUMNS = {
  id: invitation.id,
  spaceId: invitation.spaceId,
  email: invitation.email,
  pendingEmail: invitation.pendingEmail,
  role: invitation.role,
  invitedBy: invitation.invitedBy,
  createdAt: invitation.createdAt,
  expiresAt: invitation.expiresAt,
  acceptedAt: invitation.acceptedAt,
  acceptedBy: invitation.acceptedBy,
  revokedAt: invitation.revokedAt,
}

/** Whether an invitation can be accepted. */
export function isOpenInvitation({ pendingEmail, expiresAt }: InvitationParent, now: Date): boolean {
  return pendingEmail !== null && expiresAt > now
}

/** Finds an invitation, open or not. */
export async function findInvitation(db: Db, id: string): Promise<InvitationParent | undefined> {
  const [row] = await db.select(COLUMNS).from(invitation).where(eq(invitation.id, id))
  return row
}

/** Finds an invitation by the digest of its token, open or not. */
export async function findInvitationByDigest(db: Db, digest: Buffer): Promise<InvitationParent | undefined> {
  const [row] = await db.select(COLUMNS).from(invitation).where(eq(invitation.digest, digest))
  return row
}

/** Finds what an address has pending in a space, expired or not. */
export async function findInvitationTo(
  db: Db,
  { spaceId, email }: { spaceId: string; email: string },
): Promise<InvitationParent | undefined> {
  const [row] = await db
    .select(COLUMNS)
    .from(invitation)
    .where(and(eq(invitation.spaceId, spaceId), eq(invitation.pendingEmail, email)))
  return row
}

/** Counts the invitations of a space that can be accepted. */
export async function countOpenInvitations(db: Db, spaceId: string, now: Date): Promise<number> {
  return db.$count(
    invitation,
    and(eq(invitation.spaceId, spaceId), isNotNull(invitation.pendingEmail), gt(invitation.expiresAt, now)),
  )
}

/** Reads pieces of the open invitations of several spaces in one statement: an answer for each request, in their order. */
export async function listOpenInvitations(
  db: Db,
  requests: readonly InvitationListRequest[],
  now: Date,
): Promise<InvitationParent[][]> {
  type Row = Omit<InvitationParent, 'createdAt' | 'expiresAt'> & { createdAt: string; expiresAt: string }
  const pieces = await selectBranches<Row>(
    db,
    requests.map(({ spaceId, afterEmail, limit }) => {
      const from = afterEmail === null ? sql`pending_email IS NOT NULL` : sql`pending_email > ${afterEmail}`
      return sql`id, space_id spaceId, email, pending_email pendingEmail, role, invited_by invitedBy,
        created_at createdAt, expires_at expiresAt, accepted_at acceptedAt, accepted_by acceptedBy,
        revoked_at revokedAt FROM invitation FORCE INDEX (invitation_pending)
        WHERE space_id = ${spaceId} AND ${from} AND expires_at > ${now} ORDER BY pending_email LIMIT ${limit}`
    }),
  )
  const toInvitation = ({ createdAt, expiresAt, ...row }: Row): InvitationParent => ({
    ...row,
    createdAt: parseMoment(createdAt),
    expiresAt: parseMoment(expiresAt),
  })
  return pieces.map(rows => rows.map(toInvitation))
}

/** Counts the open invitations of each space, in one statement. */
export async function countOpenInvitationsOfSpaces(
  db: Db,
  spaceIds: readonly string[],
  now: Date,
): Promise<number[]> {
  const pieces = await selectBranches<{ total: number }>(
    db,
    spaceIds.map(
      spaceId => sql`COUNT(*) total FROM invitation FORCE INDEX (invitation_pending)
        WHERE space_id = ${spaceId} AND pending_email IS NOT NULL AND expires_at > ${now}`,
    ),
  )
  return pieces.map(([row]) => Number(row?.total ?? 0))
}

/** Adds an invitation. */
export async function insertInvitation(db: Db, row: typeof invitation.$inferInsert): Promise<void> {
  await db.insert(invitation).values(row)
}

/** Closes an invitation as accepted. */
export async function acceptInvitation(
  db: Db,
  { id, userId, now }: { id: string; userId: string; now: Date },
): Promise<void> {
  await db
    .update(invitation)
    .set({ pendingEmail: null, acceptedAt: now, acceptedBy: userId })
    .where(eq(invitation.id, id))
}

/** Closes an invitation as taken back. */
export async function revokeInvitation(db: Db, { id, now }: { id: string; now: Date }): Promise<void> {
  await revokeWhere(db, eq(invitation.id, id), now)
}

/** Takes back what a member has pending for some roles. Answers how many that were. */
export async function revokeInvitationsBy(
  db: Db,
  { spaceId, userId, roles, now }: { spaceId: string; userId: string; roles: readonly Role[]; now: Date },
): Promise<number> {
  if (roles.length === 0) return 0
  const isTheirs = and(
    eq(invitation.spaceId, spaceId),
    isNotNull(invitation.pendingEmail),
    eq(invitation.invitedBy, userId),
    inArray(invitation.role, roles),
  )
  return revokeWhere(db, isTheirs, now)
}

/** Closes what has expired in a space, so that its list stays short. */
export async function closeExpiredInvitations(db: Db, spaceId: string, now: Date): Promise<void> {
  await db
    .update(invitation)
    .set({ pendingEmail: null })
    .where(
      and(
        eq(invitation.spaceId, spaceId),
        isNotNull(invitation.pendingEmail),
        lte(invitation.expiresAt, now),
      ),
    )
}

/** Deletes invitations whose ids are below a bound, `limit` at most. Answers how many that were. */
export async function deleteInvitationsBefore(db: Db, idBound: string, limit: number): Promise<number> {
  const [result] = await db.delete(invitation).where(lt(invitation.id, idBound)).limit(limit)
  return result.affectedRows
}

async function revokeWhere(db: Db, condition: SQL | undefined, now: Date): Promise<number> {
  const [result] = await db.update(invitation).set({ pendingEmail: null, revokedAt: now }).where(condition)
  return result.affectedRows
}
