import { AppError } from '../shared/errors.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { runShortTransaction } from '../shared/mysql/short-transaction.ts'
import { checkRight, NO_SPACE, type Right } from '../shared/permissions/rights-table.ts'
import type { Role } from '../shared/space-access.ts'
import { findMembers } from './member-repository.ts'
import type { SpaceParent } from './model.ts'
import { lockSpace } from './space-change-repository.ts'

/** A space that a transaction has to itself. */
export interface SpaceChange {
  readonly tx: Db
  readonly space: SpaceParent
  /** Role of who makes the change, as it is now. */
  readonly role: Role
  readonly now: Date
}

/**
 * Runs a change of a space or of its members in one transaction that no other change of them overlaps, so that what it
 * reads stays true until it commits.
 *
 * The actor's right is decided anew from the rows themselves, whatever a cache has said: throws as checkRight does, and
 * NOT_FOUND for a deleted space.
 */
export async function changeSpace<T>(
  db: Db,
  { spaceId, actorId, right }: { spaceId: string; actorId: string; right: Right },
  change: (change: SpaceChange) => Promise<T>,
): Promise<T> {
  return runShortTransaction(db, async tx => {
    const space = await lockSpace(tx, spaceId)
    const [actor] = await findMembers(tx, spaceId, [actorId])
    if (space === undefined || space.deletedAt !== null) throw new AppError('NOT_FOUND', NO_SPACE)
    return change({ tx, space, role: checkRight(actor?.role ?? null, right), now: new Date() })
  })
}
