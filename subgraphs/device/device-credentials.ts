import { timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SignedToken, TokenSigner } from '../shared/auth/access-token.ts'
import { refuse } from '../shared/graphql/refusal.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { isUuidV7 } from '../shared/uuid-v7.ts'
import { insertAudit } from './audit-repository.ts'
import {
  expireCredential,
  findActiveCredentials,
  findStandingDevices,
  insertCredentials,
  listGoodCredentials,
  revokeCredentials,
} from './credential-repository.ts'
import { getDevice } from './devices.ts'
import type { DeviceParent } from './model.ts'
import { createSecret, digestSecret, isSecret } from './opaque-secret.ts'
import type { DeviceTokenInput, RotateDeviceCredentialInput } from './resolver-types.generated.ts'
import type { Revocations } from './revocations.ts'
import { changeSpace } from './space-change.ts'
import type { Actor } from './topology-change.ts'
import { DEFAULT_OVERLAP_MINUTES, MAX_OVERLAP_MINUTES } from './topology-limits.ts'

/** A credential that was made in the place of another. */
export interface Rotation {
  readonly device: DeviceParent
  readonly credential: string
  /** Until when the one before is good; null: it has ended. */
  readonly previousValidUntil: Date | null
}

/** Secrets of devices, and what they are traded for. Throws a Refusal for what the caller can mend. */
export interface DeviceCredentials {
  /**
   * Makes a new credential. The one until now stays good for the overlap, those before it end: two are good at most.
   * Without an overlap tokens end too, and sessions.
   */
  rotate(actor: Actor, input: RotateDeviceCredentialInput): Promise<Rotation>
  /** Signs a token for who has a credential that is good. */
  issueToken(input: DeviceTokenInput): Promise<SignedToken>
}

/** Creates the credentials of a process. */
export function createDeviceCredentials({
  db,
  signer,
  revocations,
}: {
  db: Db
  signer: TokenSigner
  revocations: Revocations
}): DeviceCredentials {
  return {
    async rotate(actor, { deviceId, overlapMinutes }) {
      const { actorId, spaceId } = actor
      const overlap = overlapMinutes ?? DEFAULT_OVERLAP_MINUTES
      if (overlap < 0 || overlap > MAX_OVERLAP_MINUTES)
        refuse('BAD_USER_INPUT', 'overlapMinutes', `overlapMinutes is 0 to ${MAX_OVERLAP_MINUTES}.`)
      const credential = createSecret()
      const right = 'devices.change'
      const rotation = await changeSpace(db, { spaceId, actorId, right }, async ({ tx, now }) => {
        const device = await getDevice(tx, actor, deviceId)
        const good = await listGoodCredentials(tx, deviceId, now)
        const previousValidUntil = overlap === 0 ? null : lastMoment(good[0], now, overlap)
        if (previousValidUntil === null) await revokeCredentials(tx, deviceId, now)
        else
          for (const [i, { digest }] of good.entries())
            await expireCredential(tx, digest, i === 0 ? previousValidUntil : now)
        await insertCredentials(tx, [{ digest: digestSecret(credential), deviceId, createdAt: now }])
        await insertAudit(tx, {
          spaceId,
          actorId,
          action: 'device.credential-rotated',
          target: { type: 'device', id: deviceId, name: device.name },
          details: { overlapMinutes: overlap },
        })
        return { device, credential, previousValidUntil }
      })
      if (overlap === 0) await revocations.publish({ kind: 'credential-revoked', deviceId, spaceId })
      return rotation
    },

    async issueToken({ deviceId, credential }) {
      const digest = digestSecret(credential)
      // Found by its digest: how long that takes tells nothing of other credentials.
      const [found] =
        isUuidV7(deviceId) && isSecret(credential) ? await findActiveCredentials(db, [digest]) : []
      if (found === undefined || found.deviceId !== deviceId || !timingSafeEqual(found.digest, digest))
        return refuse('INVALID_CREDENTIALS', null, 'The device and the credential do not belong together.')
      // Tokens say in which second they were signed; one of the second of a revocation is refused.
      const [standing] = await findStandingDevices(db, [deviceId])
      const revokedAt = standing?.revokedAt?.getTime() ?? 0
      if (Math.floor(Date.now() / 1_000) * 1_000 <= revokedAt) await sleep(1_000 - (Date.now() % 1_000))
      return signer.signDevice({ deviceId, spaceId: found.spaceId })
    },
  }
}

/** Until when a credential that is replaced stays good: not longer than it is good by itself; null without one. */
function lastMoment(
  credential: { readonly expiresAt: Date | null } | undefined,
  now: Date,
  overlapMinutes: number,
): Date | null {
  if (credential === undefined) return null
  const end = new Date(now.getTime() + overlapMinutes * 60_000)
  return credential.expiresAt !== null && credential.expiresAt < end ? credential.expiresAt : end
}
