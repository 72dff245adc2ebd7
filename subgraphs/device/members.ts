import { AppError } from '../shared/errors.ts'
import { refuse } from '../shared/graphql/refusal.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { checkAppointment, includesRole, mayAppoint } from '../shared/permissions/rights-table.ts'
import { ROLES, type Role } from '../shared/space-access.ts'
import { isUuidV7 } from '../shared/uuid-v7.ts'
import { insertAudit } from './audit-repository.ts'
import { revokeInvitationsBy } from './invitation-repository.ts'
import {
  countOwnedSpaces,
  countOwners,
  deleteMember,
  findMembers,
  setMemberRole,
} from './member-repository.ts'
import type { MembershipParent, SpaceParent } from './model.ts'
import type {
  RemoveMemberInput,
  TransferOwnershipInput,
  UpdateMemberRoleInput,
} from './resolver-types.generated.ts'
import type { Revocations } from './revocations.ts'
import { changeSpace, type SpaceChange } from './space-change.ts'
import type { SpaceLimits } from './space-limits.ts'
import { findUsers, lockUser } from './user-repository.ts'

/**
 * Changes who may do what in spaces. A space keeps an owner, whatever happens at once. Throws a Refusal for what the
 * caller can mend, FORBIDDEN for members whose role is too small.
 */
export interface Members {
  /** Makes another member the owner, and the actor an admin, whose invitations of admins are taken back. */
  transferOwnership(actorId: string, input: TransferOwnershipInput): Promise<SpaceParent>
  /** Gives a member another role. What they had invited to roles that they can no longer give is taken back. */
  updateRole(actorId: string, input: UpdateMemberRoleInput): Promise<MembershipParent>
  /** Removes a member, and takes back whom they had invited; answers their membership as it was. */
  remove(actorId: string, input: RemoveMemberInput): Promise<MembershipParent>
}

/** Creates the members of the spaces, as a process changes them. */
export function createMembers({
  db,
  revocations,
  limits,
}: {
  db: Db
  revocations: Revocations
  limits: SpaceLimits
}): Members {
  return {
    async transferOwnership(actorId, { spaceId, userId }) {
      const space = await changeSpace(db, { spaceId, actorId, right: 'space.hand-over' }, async change => {
        const { tx, space } = change
        if (userId === actorId) refuse('BAD_USER_INPUT', 'userId', 'The space is yours already.')
        const target = await getMember(tx, spaceId, userId)
        if (target.role === 'OWNER') refuse('CONFLICT', 'userId', 'This member is an owner already.')
        await lockUser(tx, userId)
        if ((await countOwnedSpaces(tx, userId)) >= limits.maxOwnedSpaces)
          refuse('LIMIT_REACHED', 'userId', `A person owns ${limits.maxOwnedSpaces} spaces at most.`)
        await setMemberRole(tx, { spaceId, userId, role: 'OWNER' })
        await setMemberRole(tx, { spaceId, userId: actorId, role: 'ADMIN' })
        const invitationsRevoked = await takeBackInvitations(change, actorId, 'ADMIN')
        await insertAudit(tx, {
          spaceId,
          actorId,
          action: 'ownership.transferred',
          target: { type: 'user', id: userId, name: await nameOf(tx, userId) },
          details: {
            owner: { from: actorId, to: userId },
            role: { from: target.role, to: 'OWNER' },
            ...invitationsRevoked,
          },
        })
        return space
      })
      await revocations.publish(
        { kind: 'membership-changed', userId, spaceId },
        { kind: 'membership-changed', userId: actorId, spaceId },
      )
      return space
    },

    async updateRole(actorId, { spaceId, userId, role, expectedRole }) {
      if (role === 'OWNER') refuse('BAD_USER_INPUT', 'role', 'Ownership is handed over by transferOwnership.')
      const right = userId === actorId ? 'space.read' : 'members.change'
      const changed = await changeSpace(db, { spaceId, actorId, right }, async change => {
        const { tx } = change
        const member = await getMember(tx, spaceId, userId)
        if (expectedRole != null && expectedRole !== member.role)
          refuse('CONFLICT', 'expectedRole', `The role has changed since: it is ${member.role}.`)
        if (userId === actorId) requireLess(member.role, role)
        else checkAppointment(change.role, member.role, role)
        if (role === member.role) return { member, isChanged: false }
        if (member.role === 'OWNER') await requireOtherOwner(tx, spaceId)
        await setMemberRole(tx, { spaceId, userId, role })
        const invitationsRevoked = await takeBackInvitations(change, userId, role)
        await insertAudit(tx, {
          spaceId,
          actorId,
          action: 'member.role-changed',
          target: { type: 'user', id: userId, name: await nameOf(tx, userId) },
          details: { role: { from: member.role, to: role }, ...invitationsRevoked },
        })
        return { member: { ...member, role }, isChanged: true }
      })
      if (changed.isChanged) await revocations.publish({ kind: 'membership-changed', userId, spaceId })
      return changed.member
    },

    async remove(actorId, { spaceId, userId }) {
      const isLeaving = userId === actorId
      const right = isLeaving ? 'space.read' : 'members.change'
      const removed = await changeSpace(db, { spaceId, actorId, right }, async change => {
        const { tx } = change
        const member = await getMember(tx, spaceId, userId)
        if (!isLeaving) checkAppointment(change.role, member.role)
        if (member.role === 'OWNER') await requireOtherOwner(tx, spaceId)
        await deleteMember(tx, { spaceId, userId })
        const invitationsRevoked = await takeBackInvitations(change, userId, null)
        await insertAudit(tx, {
          spaceId,
          actorId,
          action: isLeaving ? 'member.left' : 'member.removed',
          target: { type: 'user', id: userId, name: await nameOf(tx, userId) },
          details: { role: { from: member.role, to: null }, ...invitationsRevoked },
        })
        return member
      })
      await revocations.publish({ kind: 'membership-changed', userId, spaceId })
      return removed
    },
  }
}

async function getMember(tx: Db, spaceId: string, userId: string): Promise<MembershipParent> {
  const [member] = isUuidV7(userId) ? await findMembers(tx, spaceId, [userId]) : []
  return member ?? refuse('NOT_FOUND', 'userId', 'The space has no member of this id.')
}

function requireLess(role: Role, other: Role): void {
  if (!includesRole(role, other))
    throw new AppError('FORBIDDEN', `The role ${role} does not include what ${other} may do.`)
}

async function requireOtherOwner(tx: Db, spaceId: string): Promise<void> {
  if ((await countOwners(tx, spaceId)) < 2)
    refuse('CONFLICT', 'userId', 'A space always has an owner: hand it over first, by transferOwnership.')
}

async function takeBackInvitations(
  { tx, space, now }: SpaceChange,
  userId: string,
  role: Role | null,
): Promise<{ invitationsRevoked?: number }> {
  const roles = ROLES.filter(other => role === null || !mayAppoint(role, other))
  const revoked = await revokeInvitationsBy(tx, { spaceId: space.id, userId, roles, now })
  return revoked === 0 ? {} : { invitationsRevoked: revoked }
}

async function nameOf(tx: Db, userId: string): Promise<string | null> {
  const [user] = await findUsers(tx, [userId])
  return user?.name ?? null
}
