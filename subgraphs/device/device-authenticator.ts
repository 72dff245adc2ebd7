import { timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { DEVICE_TOKEN_LIFETIME_MS, type TokenVerifier } from '../shared/auth/access-token.ts'
import type { DeviceViewer } from '../shared/auth/viewer.ts'
import { withDeadline } from '../shared/deadline.ts'
import type { DeviceAuthenticator, ProvenDevice } from '../shared/device-directory.ts'
import { AppError } from '../shared/errors.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import type { RightsWatch } from '../shared/permissions/rights-watch.ts'
import { isUuidV7 } from '../shared/uuid-v7.ts'
import {
  type ActiveCredential,
  findActiveCredentials,
  findStandingDevices,
  type StandingDevice,
} from './credential-repository.ts'
import { digestSecret, isSecret } from './opaque-secret.ts'
import { createPacedLoader } from './paced-loader.ts'
import type { TokenSuspects } from './token-suspects.ts'

/** Keys of one statement at most. */
const MAX_BATCH = 500

/** At most so often a statement of each kind is sent. */
const INTERVAL_MS = 50

/** Bounds of what is remembered of credentials. */
const MAX_REMEMBERED = 20_000
const MAX_AGE_MS = 30_000

/** What lets the authenticator remember: news of rights, and whose tokens must be looked up. */
export interface AuthenticatorMemory {
  readonly watch: Pick<RightsWatch, 'onChange'>
  readonly suspects: Pick<TokenSuspects, 'isSuspect'>
}

/**
 * Creates the check of what devices show at CONNECT. Many at once share a statement, see createPacedLoader: 100 cost
 * two or three. Rejects with UNAVAILABLE when a lookup takes longer than `deadlineMs` (default 5 s).
 *
 * Without `memory` everything is looked up. With it a credential that was good is believed for 30 s, unless it is heard
 * of a revocation, which is forgotten at once; and a token costs no lookup but for a suspect. Refusals are not
 * remembered. A token holds while its device stands and no credential of it was revoked since it was issued.
 */
export function createDeviceAuthenticator({
  db,
  verifier,
  memory,
  deadlineMs = 5_000,
}: {
  db: Db
  verifier: Pick<TokenVerifier, 'verify'> & Partial<Pick<TokenVerifier, 'isInForce'>>
  memory?: AuthenticatorMemory
  deadlineMs?: number
}): DeviceAuthenticator {
  const lookup = { name: 'The lookup of devices', maxBatch: MAX_BATCH, intervalMs: INTERVAL_MS, deadlineMs }
  const credentials = createPacedLoader<ActiveCredential>({
    ...lookup,
    find: digests => findActiveCredentials(db, digests.map(parseDigest)),
    keyOf: row => serializeDigest(row.digest),
  })
  const devices = createPacedLoader<StandingDevice>({
    ...lookup,
    find: ids => findStandingDevices(db, ids),
    keyOf: row => row.deviceId,
  })
  /** By device. */
  const remembered = new LRUCache<string, ActiveCredential>({ max: MAX_REMEMBERED, ttl: MAX_AGE_MS })
  /** Whose tokens' keys may be taken out of the set. */
  const viewers = new WeakMap<ProvenDevice, DeviceViewer>()
  /** Counts changes of rights: what was looked up across one is not remembered. */
  let changes = 0

  memory?.watch.onChange(change => {
    const { kind } = change
    if (kind !== 'credential-revoked' && kind !== 'space-changed' && kind !== 'unknown') return
    changes++
    if (kind === 'credential-revoked') remembered.delete(change.deviceId)
    else if (kind === 'unknown') remembered.clear()
    else
      for (const [deviceId, { spaceId }] of remembered.entries())
        if (spaceId === change.spaceId) remembered.delete(deviceId)
  })

  async function findCredential(deviceId: string, digest: Buffer): Promise<ActiveCredential | null> {
    const known = remembered.get(deviceId)
    if (known !== undefined && timingSafeEqual(known.digest, digest) && !hasExpired(known)) return known
    const before = changes
    const found = await credentials.load(serializeDigest(digest))
    if (found?.deviceId !== deviceId) return null
    if (memory !== undefined && changes === before) remembered.set(deviceId, found)
    return found
  }

  return {
    async byCredential(deviceId, credential) {
      if (!isUuidV7(deviceId) || !isSecret(credential)) return null
      const digest = digestSecret(credential)
      // Found by its digest: how long that takes tells nothing of other credentials.
      const found = await findCredential(deviceId, digest)
      if (found === null || !timingSafeEqual(found.digest, digest)) return null
      const proof = { kind: 'credential', digest: serializeDigest(digest) } as const
      return { deviceId, spaceId: found.spaceId, expiresAt: found.expiresAt?.getTime() ?? null, proof }
    },

    async byToken(token) {
      const viewer = await verify(verifier, token)
      if (viewer === null) return null
      const { deviceId, spaceId, expiresAt } = viewer
      const issuedAt = expiresAt - DEVICE_TOKEN_LIFETIME_MS
      const device: ProvenDevice = { deviceId, spaceId, expiresAt, proof: { kind: 'token', issuedAt } }
      viewers.set(device, viewer)
      if (memory?.suspects.isSuspect(device) === false) return device
      return isUpheld(device, await devices.load(deviceId)) ? device : null
    },

    async findEnded(proven) {
      const digests = proven.flatMap(({ proof }) => (proof.kind === 'credential' ? [proof.digest] : []))
      const ids = proven.flatMap(({ proof, deviceId }) => (proof.kind === 'token' ? [deviceId] : []))
      const [active, standing] = await withDeadline(lookup.name, deadlineMs, () =>
        Promise.all([
          digests.length === 0 ? [] : findActiveCredentials(db, digests.map(parseDigest)),
          ids.length === 0 ? [] : findStandingDevices(db, ids),
        ]),
      )
      const inForce = new Set(active.map(row => serializeDigest(row.digest)))
      const byId = new Map(standing.map(row => [row.deviceId, row]))
      return proven.filter(device => {
        if (device.proof.kind === 'credential') return !inForce.has(device.proof.digest)
        const viewer = viewers.get(device)
        const isKeyGone = viewer !== undefined && verifier.isInForce?.(viewer) === false
        return isKeyGone || !isUpheld(device, byId.get(device.deviceId) ?? null)
      })
    },
  }
}

function hasExpired({ expiresAt }: ActiveCredential): boolean {
  return expiresAt !== null && expiresAt.getTime() <= Date.now()
}

/** Whether a token still holds. Its time is to the second: one of the second of a revocation does not. */
function isUpheld({ spaceId, proof }: ProvenDevice, found: StandingDevice | null): boolean {
  if (found?.spaceId !== spaceId || proof.kind !== 'token') return false
  return found.revokedAt === null || found.revokedAt.getTime() < proof.issuedAt
}

async function verify(verifier: Pick<TokenVerifier, 'verify'>, token: string): Promise<DeviceViewer | null> {
  try {
    const viewer = await verifier.verify(token)
    return viewer.kind === 'device' ? viewer : null
  } catch (error) {
    if (error instanceof AppError && error.code === 'UNAUTHENTICATED') return null
    throw error
  }
}

function serializeDigest(digest: Buffer): string {
  return digest.toString('hex')
}

function parseDigest(text: string): Buffer {
  return Buffer.from(text, 'hex')
}
