import { readFields, refuse } from '../shared/graphql/refusal.ts'
import { enqueueMail } from '../shared/mail/mail-outbox.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { runShortTransaction } from '../shared/mysql/short-transaction.ts'
import { checkAppointment } from '../shared/permissions/rights-table.ts'
import { parseEmail } from '../shared/text/parse-email.ts'
import { newId } from '../shared/uuid-v7.ts'
import { insertAudit } from './audit-repository.ts'
import {
  acceptInvitation,
  closeExpiredInvitations,
  countOpenInvitations,
  findInvitation,
  findInvitationByDigest,
  findInvitationTo,
  insertInvitation,
  isOpenInvitation,
  revokeInvitation,
} from './invitation-repository.ts'
import { countMembers, findMembers, insertMember, isMemberByEmail } from './member-repository.ts'
import type { InvitationParent, SpaceParent } from './model.ts'
import { createSecret, digestSecret, isSecret } from './opaque-secret.ts'
import { requireProvenUser } from './proven-user.ts'
import type { InviteMemberInput } from './resolver-types.generated.ts'
import type { Revocations } from './revocations.ts'
import { changeSpace } from './space-change.ts'
import { lockSpace } from './space-change-repository.ts'
import { INVITATION_LIFETIME_MS, type SpaceLimits } from './space-limits.ts'
import { findSignedUp, findUsers } from './user-repository.ts'

/**
 * Invites people into spaces by mail. Throws a Refusal for what the caller can mend, FORBIDDEN for roles that a member
 * may not give.
 */
export interface Invitations {
  /** Mails an invitation, in place of the one that the address has in the space, which takes the right to revoke that. */
  invite(actorId: string, input: InviteMemberInput): Promise<InvitationParent>
  /** Takes an open invitation back. */
  revoke(actorId: string, invitation: InvitationParent): Promise<InvitationParent>
  /** Makes who owns the invited address a member, once. Answers the space. */
  accept(userId: string, token: string): Promise<SpaceParent>
}

/** Creates the invitations of a process. Their tokens are kept by digest alone. */
export function createInvitations({
  db,
  revocations,
  nudgeMailer,
  limits,
}: {
  db: Db
  revocations: Revocations
  nudgeMailer: () => void
  limits: SpaceLimits
}): Invitations {
  return {
    async invite(actorId, { spaceId, role, ...input }) {
      const { email } = readFields({ email: parseEmail(input.email) })
      if (role === 'OWNER') refuse('BAD_USER_INPUT', 'role', 'Ownership is handed over by transferOwnership.')
      const token = createSecret()
      const right = 'members.invite'
      const invited = await changeSpace(db, { spaceId, actorId, right }, async change => {
        const { tx, space, now } = change
        checkAppointment(change.role, role)
        if (await isMemberByEmail(tx, { spaceId, email }))
          refuse('CONFLICT', 'email', 'This is the address of a member.')
        await closeExpiredInvitations(tx, spaceId, now)
        const replaced = await findInvitationTo(tx, { spaceId, email })
        if (replaced !== undefined) {
          checkAppointment(change.role, replaced.role)
          await revokeInvitation(tx, { id: replaced.id, now })
        }
        if ((await countOpenInvitations(tx, spaceId, now)) >= limits.maxOpenInvitations) {
          const message = `A space has ${limits.maxOpenInvitations} open invitations at most: take some back.`
          refuse('LIMIT_REACHED', null, message)
        }
        const row: InvitationParent = {
          id: newId(),
          spaceId,
          email,
          pendingEmail: email,
          role,
          invitedBy: actorId,
          createdAt: now,
          expiresAt: new Date(now.getTime() + INVITATION_LIFETIME_MS),
          acceptedAt: null,
          acceptedBy: null,
          revokedAt: null,
        }
        await insertInvitation(tx, { ...row, digest: digestSecret(token) })
        const [inviter] = await findUsers(tx, [actorId])
        const invitee = await findSignedUp(tx, email)
        await enqueueMail(tx, {
          to: email,
          template: 'invitation',
          locale: invitee?.locale ?? inviter?.locale ?? 'en',
          params: {
            spaceName: space.name,
            inviterName: inviter?.name ?? 'NUVION',
            role,
            token,
            expiresAt: row.expiresAt.toISOString(),
          },
        })
        await insertAudit(tx, {
          spaceId,
          actorId,
          action: 'member.invited',
          target: { type: 'invitation', id: row.id, name: email },
          details: { role, ...(replaced && { isReplaced: true }) },
        })
        return row
      })
      nudgeMailer()
      return invited
    },

    async revoke(actorId, { id, spaceId }) {
      return changeSpace(db, { spaceId, actorId, right: 'members.invite' }, async ({ tx, role, now }) => {
        const found = await findInvitation(tx, id)
        if (found === undefined) return refuse('NOT_FOUND', 'invitationId', NO_INVITATION)
        checkAppointment(role, found.role)
        if (!isOpenInvitation(found, now))
          refuse('CONFLICT', 'invitationId', 'This invitation is not open any more.')
        await revokeInvitation(tx, { id, now })
        await insertAudit(tx, {
          spaceId,
          actorId,
          action: 'invitation.revoked',
          target: { type: 'invitation', id, name: found.email },
          details: { role: { from: found.role, to: null } },
        })
        return { ...found, pendingEmail: null, revokedAt: now }
      })
    },

    async accept(userId, token) {
      const digest = isSecret(token) ? digestSecret(token) : undefined
      const sent = digest && (await findInvitationByDigest(db, digest))
      if (sent === undefined || !isOpenInvitation(sent, new Date())) return refuseToken(NOT_GOOD)
      const user = await requireProvenUser(db, userId)
      if (user.email.toLowerCase() !== sent.email) {
        return refuseToken(
          'This invitation is for another address: sign in with the one that it was sent to.',
        )
      }
      const { spaceId } = sent
      const space = await runShortTransaction(db, async tx => {
        const space = await lockSpace(tx, spaceId)
        const now = new Date()
        const found = await findInvitation(tx, sent.id)
        if (space === undefined || space.deletedAt !== null) return refuseToken(NOT_GOOD)
        if (found === undefined || !isOpenInvitation(found, now)) return refuseToken(NOT_GOOD)
        if ((await findMembers(tx, spaceId, [userId])).length > 0)
          refuse('CONFLICT', null, 'You are a member of this space already.')
        if (((await countMembers(tx, [spaceId])).get(spaceId) ?? 0) >= limits.maxMembers)
          refuse('LIMIT_REACHED', null, `A space has ${limits.maxMembers} members at most.`)
        await insertMember(tx, { spaceId, userId, role: found.role, joinedAt: now })
        await acceptInvitation(tx, { id: found.id, userId, now })
        await insertAudit(tx, {
          spaceId,
          actorId: userId,
          action: 'member.joined',
          target: { type: 'user', id: userId, name: user.name },
          details: { role: { from: null, to: found.role }, invitedBy: found.invitedBy },
        })
        return space
      })
      await revocations.publish({ kind: 'membership-changed', userId, spaceId })
      return space
    },
  }
}

/** What those are told who may not see an invitation, or when there is none. */
export const NO_INVITATION = 'There is no such invitation.'

const NOT_GOOD = 'This invitation is not good, or not any more. Ask for another.'

function refuseToken(message: string): never {
  return refuse('INVALID_TOKEN', 'token', message)
}
