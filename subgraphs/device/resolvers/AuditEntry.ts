import { timeOfId } from '../../shared/uuid-v7.ts'
import type { AuditEntryResolvers } from '../resolver-types.generated.ts'

/** Whoever got hold of an entry may read the audit of its space. */
export const AuditEntry: AuditEntryResolvers = {
  occurredAt: ({ id }) => new Date(timeOfId(id)),
  actor: async ({ actorId }, _, { loaders }) => (actorId === null ? null : loaders.userById.load(actorId)),
}
