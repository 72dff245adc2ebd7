import { AppError } from '../shared/errors.ts'
import { readFields, refuse } from '../shared/graphql/refusal.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { runShortTransaction } from '../shared/mysql/short-transaction.ts'
import { NO_SPACE } from '../shared/permissions/rights-table.ts'
import { parseName } from '../shared/text/parse-name.ts'
import { parseTimezone } from '../shared/text/parse-timezone.ts'
import { isUuidV7, newId } from '../shared/uuid-v7.ts'
import { insertAudit } from './audit-repository.ts'
import { countOwnedSpaces, findMembers, insertMember } from './member-repository.ts'
import type { SpaceParent } from './model.ts'
import { requireProvenUser } from './proven-user.ts'
import type { CreateSpaceInput, UpdateSpaceInput } from './resolver-types.generated.ts'
import type { Revocations } from './revocations.ts'
import { changeSpace } from './space-change.ts'
import { insertSpace, lockSpace, updateSpace } from './space-change-repository.ts'
import { diffSpace, readSpaceEdit, rightOfEdit } from './space-edit.ts'
import { RESTORABLE_MS, type SpaceLimits } from './space-limits.ts'
import type { TopologyChanges } from './topology-changes.ts'
import { lockUser } from './user-repository.ts'

/** Makes, changes, deletes and restores spaces. Throws a Refusal for what the caller can mend. */
export interface Spaces {
  /** Makes a space that the user owns. */
  create(userId: string, input: CreateSpaceInput): Promise<SpaceParent>
  /** Changes what is given. Needs the right of rightOfEdit. */
  update(actorId: string, input: UpdateSpaceInput): Promise<SpaceParent>
  /** Deletes a space: nobody but its owner, who can restore it, knows of it from now on. */
  delete(actorId: string, spaceId: string): Promise<SpaceParent>
  /** Restores a space of the actor's that is deleted. Rejects with NOT_FOUND for all who do not own it. */
  restore(actorId: string, spaceId: string): Promise<SpaceParent>
}

/** Creates the spaces of a process. */
export function createSpaces({
  db,
  revocations,
  topologyChanges,
  limits,
}: {
  db: Db
  revocations: Revocations
  topologyChanges: TopologyChanges
  limits: SpaceLimits
}): Spaces {
  /** Tells that a space has gone out of reach, or come back. */
  async function tellReach(spaceId: string): Promise<void> {
    await Promise.all([
      revocations.publish({ kind: 'space-changed', spaceId }),
      topologyChanges.publish({ kind: 'space', spaceId }),
    ])
  }

  return {
    async create(userId, input) {
      const { name, timezone } = readFields({
        name: parseName(input.name),
        timezone: parseTimezone(input.timezone),
      })
      const createdAt = new Date()
      const space: SpaceParent = {
        id: newId(),
        name,
        timezone,
        createdAt,
        version: 1,
        retentionDays: null,
        createdBy: userId,
        deletedAt: null,
      }
      await runShortTransaction(db, async tx => {
        // One at a time, so that the count holds.
        await lockUser(tx, userId)
        await requireProvenUser(tx, userId)
        if ((await countOwnedSpaces(tx, userId)) >= limits.maxOwnedSpaces)
          refuse('LIMIT_REACHED', null, `A person owns ${limits.maxOwnedSpaces} spaces at most.`)
        await insertSpace(tx, space)
        await insertMember(tx, { spaceId: space.id, userId, role: 'OWNER', joinedAt: createdAt })
        await insertAudit(tx, {
          spaceId: space.id,
          actorId: userId,
          action: 'space.created',
          target: { type: 'space', id: space.id, name },
          details: { name, timezone },
        })
      })
      await revocations.publish({ kind: 'membership-changed', userId, spaceId: space.id })
      return space
    },

    async update(actorId, input) {
      const { spaceId, version } = input
      const edit = readSpaceEdit(input, limits.maxRetentionDays)
      const right = rightOfEdit(input)
      const updated = await changeSpace(db, { spaceId, actorId, right }, async ({ tx, space }) => {
        if (version != null && version !== space.version)
          refuse('CONFLICT', 'version', `The space has changed since: its version is ${space.version}.`)
        const details = diffSpace(space, edit)
        if (details === null) return space
        await updateSpace(tx, spaceId, edit)
        const target = { type: 'space', id: spaceId, name: space.name } as const
        await insertAudit(tx, { spaceId, actorId, action: 'space.updated', target, details })
        return { ...space, ...edit, version: space.version + 1 }
      })
      await topologyChanges.publish({ kind: 'space', spaceId })
      return updated
    },

    async delete(actorId, spaceId) {
      const deleted = await changeSpace(
        db,
        { spaceId, actorId, right: 'space.delete' },
        async ({ tx, space, now }) => {
          await updateSpace(tx, spaceId, { deletedAt: now })
          const target = { type: 'space', id: spaceId, name: space.name } as const
          await insertAudit(tx, { spaceId, actorId, action: 'space.deleted', target })
          return { ...space, deletedAt: now, version: space.version + 1 }
        },
      )
      await tellReach(spaceId)
      return deleted
    },

    async restore(actorId, spaceId) {
      const requireOwner = async (tx: Db): Promise<void> => {
        const [member] = isUuidV7(spaceId) ? await findMembers(tx, spaceId, [actorId]) : []
        if (member?.role !== 'OWNER') throw new AppError('NOT_FOUND', NO_SPACE)
      }
      // Before the lock, which is not for strangers to take.
      await requireOwner(db)
      const restored = await runShortTransaction(db, async tx => {
        const space = await lockSpace(tx, spaceId)
        await requireOwner(tx)
        if (space === undefined) throw new AppError('NOT_FOUND', NO_SPACE)
        if (space.deletedAt === null) refuse('CONFLICT', 'spaceId', 'This space is not deleted.')
        if (space.deletedAt.getTime() + RESTORABLE_MS <= Date.now()) throw new AppError('NOT_FOUND', NO_SPACE)
        await updateSpace(tx, spaceId, { deletedAt: null })
        const target = { type: 'space', id: spaceId, name: space.name } as const
        await insertAudit(tx, { spaceId, actorId, action: 'space.restored', target })
        return { ...space, deletedAt: null, version: space.version + 1 }
      })
      await tellReach(spaceId)
      return restored
    },
  }
}
