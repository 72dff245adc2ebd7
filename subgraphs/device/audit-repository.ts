import { audit } from '../../schema/mysql/device-tables.ts'
import { and, desc, eq, lt } from '../../schema/mysql/drizzle.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { newId } from '../shared/uuid-v7.ts'
import type { AuditEntryParent } from './model.ts'

/** A change to keep. `details`: `{ from, to }` by the name of what has changed, or the value when it has no former one. */
export interface AuditChange {
  readonly spaceId: string
  /** Null: the system itself. */
  readonly actorId: string | null
  readonly action:
    | 'space.created'
    | 'space.updated'
    | 'space.deleted'
    | 'space.restored'
    | 'ownership.transferred'
    | 'member.invited'
    | 'invitation.revoked'
    | 'member.joined'
    | 'member.role-changed'
    | 'member.removed'
    | 'member.left'
    | 'line.created'
    | 'line.updated'
    | 'line.deleted'
    | 'process.created'
    | 'process.updated'
    | 'process.deleted'
    | 'device.registered'
    | 'device.updated'
    | 'device.removed'
    | 'device.credential-rotated'
  readonly target: {
    readonly type: 'space' | 'user' | 'invitation' | 'line' | 'process' | 'device'
    readonly id: string
    readonly name: string | null
  }
  readonly details?: Record<string, unknown>
}

/** Keeps changes, in the transaction that makes them. */
export async function insertAudit(tx: Db, ...changes: AuditChange[]): Promise<void> {
  await tx.insert(audit).values(
    changes.map(({ spaceId, actorId, action, target, details = null }) => ({
      spaceId,
      id: newId(),
      actorId,
      action,
      targetType: target.type,
      targetId: target.id,
      targetName: target.name,
      details,
    })),
  )
}

/** Lists the changes of a space, newest first, those older than `beforeId` when given. */
export async function listAudit(
  db: Db,
  { spaceId, beforeId, limit }: { spaceId: string; beforeId: string | null; limit: number },
): Promise<AuditEntryParent[]> {
  const isBehind = beforeId === null ? undefined : lt(audit.id, beforeId)
  return db
    .select()
    .from(audit)
    .where(and(eq(audit.spaceId, spaceId), isBehind))
    .orderBy(desc(audit.id))
    .limit(limit)
}

/** Counts the changes of a space. */
export async function countAudit(db: Db, spaceId: string): Promise<number> {
  return db.$count(audit, eq(audit.spaceId, spaceId))
}
