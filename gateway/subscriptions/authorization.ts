import { GraphQLError } from 'graphql'
import type { Viewer } from '../../subgraphs/shared/auth/viewer.ts'
import type { SpaceAccess, SpaceGrant } from '../../subgraphs/shared/space-access.ts'
import type { SubscriptionPlan } from './subscription-planner.ts'

/** What a subscriber is let see: those with the same key get the same results. */
export interface Authorization {
  readonly key: string
  /** The role that the gateway vouches for; undefined when the subgraph has to find out itself. */
  readonly grant: SpaceGrant | undefined
}

/**
 * Finds out what a viewer is let see of a subscription.
 *
 * The key of a subscription to a space (an argument `spaceId` of its root field) is the space and the viewer's role in
 * it, and the viewer too where the selection touches a field that is `@viewerDependent`. Any other subscription, and one
 * of a viewer without a role, is its viewer's own: the subgraph judges it. Rejects when the role cannot be looked up.
 */
export async function authorize(
  { isViewerDependent }: SubscriptionPlan,
  spaceId: string | undefined,
  viewer: Viewer | null,
  access: SpaceAccess,
): Promise<Authorization> {
  const self = identify(viewer)
  if (spaceId === undefined || viewer?.kind !== 'user') return { key: self, grant: undefined }
  const role = await access.roleOf(viewer.userId, spaceId)
  if (role === null) return { key: self, grant: undefined }
  const shared = `space:${spaceId} role:${role}`
  return { key: isViewerDependent ? `${shared} ${self}` : shared, grant: { spaceId, role } }
}

/** What a subscriber is told who is no member any more. */
export function createRightsError(): GraphQLError {
  return new GraphQLError('You are not a member of this space any more.', {
    extensions: { code: 'NOT_FOUND' },
  })
}

function identify(viewer: Viewer | null): string {
  if (viewer === null) return 'nobody'
  return viewer.kind === 'user' ? `user:${viewer.userId}` : `device:${viewer.deviceId}`
}
