import { requireUser, type UserViewer, type Viewer } from '../auth/viewer.ts'
import { AppError } from '../errors.ts'
import { ROLES, type Role, type SpaceAccess } from '../space-access.ts'

/** What members may do in a space, and the least role that may. Whom a member may appoint is `mayAppoint`'s to say. */
export const RIGHTS = {
  /** Topology, state, logs, anomalies, reports, who is a member; watching, broadcasts, one's own settings, exports. */
  'space.read': 'VIEWER',
  /** Name and time zone. */
  'space.edit': 'OWNER',
  'space.set-retention': 'ADMIN',
  'space.delete': 'OWNER',
  /** Making another member the owner. */
  'space.hand-over': 'OWNER',
  'members.invite': 'ADMIN',
  /** Another role for others, or none. */
  'members.change': 'ADMIN',
  'invitations.read': 'ADMIN',
  'audit.read': 'ADMIN',
  /** What others were told of. */
  'alerts.read-all': 'ADMIN',
  'devices.change': 'ADMIN',
  /** Lines and processes. */
  'topology.change': 'ADMIN',
  /** Acknowledging, resolving, reopening, and comments of one's own. */
  'anomaly.work': 'OPERATOR',
  /** Starting and stopping the uplink of a device, and sending in its place. */
  'broadcast.control': 'OPERATOR',
  /** Deleting what others have commented. */
  'anomaly.moderate': 'ADMIN',
} as const satisfies Record<string, Role>

/** What those are told who are no members, whether there is such a space or not. */
export const NO_SPACE = 'There is no such space.'

/** Something that takes a role. */
export type Right = keyof typeof RIGHTS

/** Whether a role includes what the other one may. */
export function includesRole(role: Role, other: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(other)
}

/** Whether who has `role` may give `other`, or take it: owners up to ADMIN, admins up to OPERATOR. */
export function mayAppoint(role: Role, other: Role): boolean {
  return includesRole(role, 'ADMIN') && role !== other && includesRole(role, other)
}

/** Throws FORBIDDEN unless who has `role` may give and take these others. */
export function checkAppointment(role: Role, ...others: Role[]): void {
  const other = others.find(other => !mayAppoint(role, other))
  if (other !== undefined) throw new AppError('FORBIDDEN', `The role ${role} does not decide on ${other}.`)
}

/**
 * Returns the role when it has the right.
 *
 * Throws NOT_FOUND without a role (the space's existence is a secret), FORBIDDEN when it is too small.
 */
export function checkRight(role: Role | null, right: Right): Role {
  if (role === null) throw new AppError('NOT_FOUND', NO_SPACE)
  if (!includesRole(role, RIGHTS[right]))
    throw new AppError('FORBIDDEN', `This needs the role ${RIGHTS[right]}.`)
  return role
}

/** Returns the user and their role in the space when it has the right. Throws UNAUTHENTICATED, else as checkRight does. */
export async function requireRight(
  access: SpaceAccess,
  viewer: Viewer | null,
  spaceId: string,
  right: Right,
): Promise<{ user: UserViewer; role: Role }> {
  const user = requireUser(viewer)
  return { user, role: checkRight(await access.roleOf(user.userId, spaceId), right) }
}
