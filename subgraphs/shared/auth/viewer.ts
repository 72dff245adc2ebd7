import { AppError } from '../errors.ts'

/** A signed-in person, as the claims of the access token say. `expiresAt` is epoch milliseconds. */
export interface UserViewer {
  readonly kind: 'user'
  readonly userId: string
  readonly sessionId: string
  readonly expiresAt: number
}

/** A device, as the claims of its device token say. `expiresAt` is epoch milliseconds. */
export interface DeviceViewer {
  readonly kind: 'device'
  readonly deviceId: string
  readonly spaceId: string
  readonly expiresAt: number
}

/** Who asks. */
export type Viewer = UserViewer | DeviceViewer

/** Returns the signed-in user; throws UNAUTHENTICATED when there is none. */
export function requireUser(viewer: Viewer | null): UserViewer {
  if (viewer === null) throw new AppError('UNAUTHENTICATED', 'Sign in first.')
  if (viewer.kind !== 'user') throw new AppError('FORBIDDEN', 'Only people may do this.')
  return viewer
}

/** Returns the device that asks; throws UNAUTHENTICATED without anybody, FORBIDDEN for people. */
export function requireDevice(viewer: Viewer | null): DeviceViewer {
  if (viewer === null) throw new AppError('UNAUTHENTICATED', 'Show a device token first: see deviceToken.')
  if (viewer.kind !== 'device') throw new AppError('FORBIDDEN', 'Only devices may do this.')
  return viewer
}
