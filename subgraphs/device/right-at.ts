import { requireUser } from '../shared/auth/viewer.ts'
import { refuse } from '../shared/graphql/refusal.ts'
import { checkRight, type Right } from '../shared/permissions/rights-table.ts'
import { isUuidV7 } from '../shared/uuid-v7.ts'
import type { SubgraphContext } from './context.ts'
import type { Actor } from './topology-change.ts'

/**
 * Returns the viewer as one who may change a line, process or device, and its space.
 *
 * Throws UNAUTHENTICATED without a user, and FORBIDDEN for a member whose role is too small. What does not exist, is
 * removed, or is of a space that is none of theirs is refused with NOT_FOUND in `<kind>Id`, all alike.
 */
export async function requireRightAt(
  { viewer, access, loaders }: Pick<SubgraphContext, 'viewer' | 'access' | 'loaders'>,
  kind: 'line' | 'process' | 'device',
  id: string,
  right: Right,
): Promise<Actor> {
  const { userId } = requireUser(viewer)
  const loader = { line: loaders.lineById, process: loaders.processById, device: loaders.deviceById }[kind]
  const found = isUuidV7(id) ? await loader.load(id) : null
  const role = found === null || found.removed ? null : await access.roleOf(userId, found.spaceId)
  if (found === null || role === null) return refuse('NOT_FOUND', `${kind}Id`, `There is no such ${kind}.`)
  checkRight(role, right)
  return { actorId: userId, spaceId: found.spaceId }
}
