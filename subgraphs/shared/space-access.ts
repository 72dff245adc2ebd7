import type { Viewer } from './auth/viewer.ts'

/** What a member may do in a space; each includes what the next may. */
export const ROLES = ['OWNER', 'ADMIN', 'OPERATOR', 'VIEWER'] as const

/** A member's role. */
export type Role = (typeof ROLES)[number]

/** Looks up roles; answers come from a bounded cache of short age where there is one. */
export interface SpaceAccess {
  /** Role of a user in a space; null when they are not a member, or the space does not exist or is deleted. */
  roleOf(userId: string, spaceId: string): Promise<Role | null>
}

/** A role of the viewer that whoever passes the request on vouches for. */
export interface SpaceGrant {
  readonly spaceId: string
  readonly role: Role
}

/** Returns the access that takes the request's grant for the viewer's role in its space, and asks `access` for others. */
export function grantedAccess(
  access: SpaceAccess,
  { viewer, grant }: { readonly viewer: Viewer | null; readonly grant?: SpaceGrant },
): SpaceAccess {
  if (grant === undefined || viewer?.kind !== 'user') return access
  return {
    async roleOf(userId, spaceId) {
      const isGranted = userId === viewer.userId && spaceId === grant.spaceId
      return isGranted ? grant.role : access.roleOf(userId, spaceId)
    },
  }
}
