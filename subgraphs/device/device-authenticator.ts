import { timingSafeEqual } from 'node:crypto'
import DataLoader from 'dataloader'
import type { TokenVerifier } from '../shared/auth/access-token.ts'
import type { Viewer } from '../shared/auth/viewer.ts'
import { withDeadline } from '../shared/deadline.ts'
import type { DeviceAuthenticator } from '../shared/device-directory.ts'
import { AppError } from '../shared/errors.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { isUuidV7 } from '../shared/uuid-v7.ts'
import {
  type ActiveCredential,
  type ActiveDevice,
  findActiveCredentials,
  findActiveDevices,
} from './credential-repository.ts'
import { digestSecret, isSecret } from './opaque-secret.ts'

/** CONNECTs that one statement answers at most. */
const MAX_BATCH = 100

/**
 * Creates the check of what devices show at CONNECT. Nothing is remembered: a device that has been removed, or whose
 * credential has been revoked, is refused at once.
 *
 * Lookups of one turn of the event loop share a statement, so that a fleet that comes back costs a statement for 100
 * devices. Rejects with UNAVAILABLE when a lookup takes longer than `deadlineMs` (default 5 s).
 */
export function createDeviceAuthenticator({
  db,
  verifier,
  deadlineMs = 5_000,
}: {
  db: Db
  verifier: Pick<TokenVerifier, 'verify'>
  deadlineMs?: number
}): DeviceAuthenticator {
  const credentials = createTurnLoader<ActiveCredential>(
    digests => findActiveCredentials(db, digests.map(parseDigest)),
    row => serializeDigest(row.digest),
  )
  const devices = createTurnLoader<ActiveDevice>(
    ids => findActiveDevices(db, ids),
    row => row.deviceId,
  )

  function createTurnLoader<Row>(
    find: (keys: readonly string[]) => Promise<Row[]>,
    keyOf: (row: Row) => string,
  ): DataLoader<string, Row | null> {
    return new DataLoader(
      async keys => {
        const rows = await withDeadline('The lookup of devices', deadlineMs, () => find(keys))
        const byKey = new Map(rows.map(row => [keyOf(row), row]))
        return keys.map(key => byKey.get(key) ?? null)
      },
      {
        cache: false,
        maxBatchSize: MAX_BATCH,
        // Frames of several sockets come in one turn of the loop, but each in a tick of its own.
        batchScheduleFn: callback => setImmediate(callback),
      },
    )
  }

  return {
    async byCredential(deviceId, credential) {
      if (!isUuidV7(deviceId) || !isSecret(credential)) return null
      const digest = digestSecret(credential)
      // Found by its digest: how long that takes tells nothing of other credentials.
      const found = await credentials.load(serializeDigest(digest))
      if (found === null || found.deviceId !== deviceId || !timingSafeEqual(found.digest, digest)) return null
      return { deviceId, spaceId: found.spaceId, expiresAt: null }
    },

    async byToken(token) {
      const viewer = await verify(verifier, token)
      if (viewer?.kind !== 'device') return null
      const found = await devices.load(viewer.deviceId)
      return found?.spaceId === viewer.spaceId ? { ...found, expiresAt: viewer.expiresAt } : null
    },
  }
}

async function verify(verifier: Pick<TokenVerifier, 'verify'>, token: string): Promise<Viewer | null> {
  try {
    return await verifier.verify(token)
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
