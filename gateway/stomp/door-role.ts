import { createTokenVerifier, type TokenVerifier } from '../../subgraphs/shared/auth/access-token.ts'
import type { BroadcastDesk } from '../../subgraphs/shared/broadcast-desk.ts'
import type { ClipDesk } from '../../subgraphs/shared/clip-desk.ts'
import type { DeviceAuthenticator } from '../../subgraphs/shared/device-directory.ts'
import type { RightsWatch } from '../../subgraphs/shared/permissions/rights-watch.ts'
import { listDurabilityGaps } from '../../subgraphs/shared/redis/durability.ts'
import { openRedisOf, type Site, type Stores } from '../../subgraphs/shared/site.ts'
import type { SiteRights } from '../../subgraphs/shared/site-rights.ts'
import { createBroadcastCalls } from './broadcast-calls.ts'
import { createClipCalls } from './clip-calls.ts'
import { createStompDoor, type StompDoor } from './door.ts'
import { openDoorBacking } from './door-backing.ts'
import { DEFAULT_DOOR_LIMITS } from './door-limits.ts'
import type { KeptPresences } from './presence-adoption.ts'

/** What the door needs of others. */
export interface DoorRolePorts {
  /** Starts the check of what devices show; called once. */
  startDeviceAuthenticator(verifier: TokenVerifier): DeviceAuthenticator
  /** Presence as the tables have it, for when Redis has lost it. */
  readonly keptPresences: KeptPresences
  readonly clipDesk: ClipDesk
  readonly broadcastDesk: BroadcastDesk
}

/** Starts the STOMP door with all it stands on, until the process ends. */
export async function startDoorRole(
  site: Site,
  stores: Stores,
  { watch }: Pick<SiteRights, 'watch'>,
  ports: DoorRolePorts,
): Promise<StompDoor> {
  const { config, logger, metrics, lifecycle, keys } = site
  // A key that is taken out of the set ends sessions as well: whose, is found out by looking at all.
  const doorWatch: Pick<RightsWatch, 'onChange'> = {
    onChange(listener) {
      const ends = [watch.onChange(listener), keys.onRemoved(() => listener({ kind: 'unknown' }))]
      return () => {
        for (const end of ends) end()
      }
    },
  }
  const gaps = await listDurabilityGaps(await openRedisOf(site, stores.redisIngestUrl, 'durability'))
  if (gaps.length > 0) logger.warn({ gaps }, 'stomp.receipts_not_durable')
  const backing = lifecycle.own(
    'door backing',
    await openDoorBacking({
      liveUrl: stores.redisUrl,
      ingestUrl: stores.redisIngestUrl,
      replicas: config.ingestReplicas,
      maxLogBytes: config.maxIngestLogBytes,
      kept: ports.keptPresences,
      logger,
      metrics,
    }),
  )
  const { frame, heartBeat } = DEFAULT_DOOR_LIMITS
  const door = createStompDoor({
    ...backing,
    watch: doorWatch,
    callHandlers: { ...createClipCalls(ports.clipDesk), ...createBroadcastCalls(ports.broadcastDesk) },
    authenticator: ports.startDeviceAuthenticator(createTokenVerifier({ keys })),
    limits: {
      retentionMs: config.retentionDays * 24 * 60 * 60_000,
      frame: { ...frame, maxFrameBytes: config.maxFrameBytes },
      heartBeat: { ...heartBeat, silenceMs: config.lifeSignMs },
    },
    logger,
    metrics,
  })
  return lifecycle.own('stomp door', door)
}
