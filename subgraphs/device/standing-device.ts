import type { Viewer } from '../shared/auth/viewer.ts'
import type { DeviceAuthenticator } from '../shared/device-directory.ts'
import { AppError } from '../shared/errors.ts'

/**
 * Returns who a verified token speaks for. Throws UNAUTHENTICATED for a device that has been removed, whose credential
 * was revoked since, or whose space is deleted: looked up for those alone of which it was heard.
 */
export async function requireStandingDevice(
  authenticator: Pick<DeviceAuthenticator, 'byToken'>,
  token: string,
  viewer: Viewer,
): Promise<Viewer> {
  if (viewer.kind === 'device' && (await authenticator.byToken(token)) === null)
    throw new AppError('UNAUTHENTICATED', 'This token has been taken back. Get another by deviceToken.')
  return viewer
}
