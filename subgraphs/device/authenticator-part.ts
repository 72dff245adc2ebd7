import type { TokenVerifier } from '../shared/auth/access-token.ts'
import type { DeviceAuthenticator } from '../shared/device-directory.ts'
import type { Site, Stores } from '../shared/site.ts'
import type { SiteRights } from '../shared/site-rights.ts'
import { createDeviceAuthenticator } from './device-authenticator.ts'
import { startTokenSuspects } from './token-suspects.ts'

/**
 * Starts the check of what devices show, for whoever lets devices in, until the process ends: with the memory that news
 * of rights allow.
 */
export function startAuthenticatorPart(
  { lifecycle, logger }: Pick<Site, 'lifecycle' | 'logger'>,
  { db }: Pick<Stores, 'db'>,
  { watch }: Pick<SiteRights, 'watch'>,
  verifier: TokenVerifier,
): DeviceAuthenticator {
  const suspects = lifecycle.own('token suspects', startTokenSuspects({ db, watch, logger }))
  return createDeviceAuthenticator({ db, verifier, memory: { watch, suspects } })
}
