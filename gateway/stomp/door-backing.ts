import { randomUUID } from 'node:crypto'
import { createLifecycle } from '../../subgraphs/shared/lifecycle.ts'
import type { Logger } from '../../subgraphs/shared/logger.ts'
import type { Metrics } from '../../subgraphs/shared/metrics.ts'
import { openRedis } from '../../subgraphs/shared/redis/open-redis.ts'
import { openDeviceMailbox } from './device-mailbox.ts'
import type { DeviceMailboxReader, IngestAppender, LogPressure, PresenceRegistry } from './door-ports.ts'
import { createIngestAppender, INGEST_APPENDER_LIMITS, type IngestAppenderLimits } from './ingest-appender.ts'
import { createIngestLogGuard, MAX_INGEST_LOG_BYTES } from './ingest-log-guard.ts'
import { adoptPresences, type KeptPresences } from './presence-adoption.ts'
import { createPresenceDrain } from './presence-drain.ts'
import { createPresenceMetrics } from './presence-metrics.ts'
import { startPresencePulse } from './presence-pulse.ts'
import { createPresenceRegistry, PRESENCE_LIMITS } from './presence-registry.ts'
import { createPresenceScripts } from './presence-scripts.ts'

/** Devices with undrained transitions past which no session begins. */
const MAX_PENDING_DEVICES = 100_000

/** What a door stands on, opened for one process. */
export interface DoorBacking {
  readonly doorId: string
  readonly appender: IngestAppender
  readonly presence: PresenceRegistry
  readonly mailbox: DeviceMailboxReader
  readonly pressure: LogPressure
  /**
   * Closes in order: presence is flushed and drained, then the appender. Dispose the door before, so that its sessions
   * have ended: those that have not go offline when their deadlines pass.
   */
  [Symbol.asyncDispose](): Promise<void>
}

/** Opens what a door stands on: two connections to each Redis. Rejects with UNAVAILABLE when live Redis is away. */
export async function openDoorBacking({
  liveUrl,
  ingestUrl,
  logger,
  metrics,
  replicas = 0,
  maxLogBytes = MAX_INGEST_LOG_BYTES,
  appenderLimits = INGEST_APPENDER_LIMITS,
  presenceIntervalMs = PRESENCE_LIMITS.flushIntervalMs,
  kept,
}: {
  liveUrl: string
  ingestUrl: string
  logger: Logger
  metrics: Metrics
  /** Replicas of the ingest Redis that a RECEIPT waits for. Default 0. */
  replicas?: number
  /** Size of the ingest log at which the door stops to read. Default 512 MiB. */
  maxLogBytes?: number
  appenderLimits?: IngestAppenderLimits
  /** Between flushes and sweeps of presence. Default 1 s. */
  presenceIntervalMs?: number
  /** Presence as the tables have it, for when Redis has lost it. Default: nobody is asked. */
  kept?: KeptPresences
}): Promise<DoorBacking> {
  const doorId = randomUUID()
  const lifecycle = createLifecycle({ logger })
  const open = (url: string, name: string) =>
    lifecycle.own(
      name,
      openRedis({
        url,
        name,
        onError: error => logger.warn({ err: error, name }, 'redis.connection_failed'),
      }),
    ).redis

  try {
    const mailbox = lifecycle.own(
      'mailbox',
      await openDeviceMailbox({ url: liveUrl, doorId, logger, metrics }),
    )
    const live = open(liveUrl, 'stomp-presence')
    const appender = lifecycle.own(
      'ingest appender',
      createIngestAppender({
        ...{ redis: open(ingestUrl, 'stomp-appender'), logger, metrics, replicas },
        limits: appenderLimits,
      }),
    )
    const pressure = lifecycle.own(
      'ingest log guard',
      createIngestLogGuard({
        ...{ redis: open(ingestUrl, 'stomp-log-guard'), logger, metrics },
        maxBytes: maxLogBytes,
      }),
    )
    const counts = createPresenceMetrics(metrics)
    const scripts = createPresenceScripts({ redis: live, doorId, maxPending: MAX_PENDING_DEVICES })
    const drain = createPresenceDrain({ redis: live, scripts, appender, logger, metrics: counts })
    const presence = createPresenceRegistry({
      ...{ scripts, doorId, logger, metrics: counts },
      limits: { ...PRESENCE_LIMITS, flushIntervalMs: presenceIntervalMs },
      onTransitions: () => drain.request(),
      onTakenOver: (deviceId, generation) => mailbox.deliver({ kind: 'take-over', deviceId, generation }),
    })
    const adopt = async () => {
      if (kept === undefined) return
      const adopted = await adoptPresences(kept, scripts, PRESENCE_LIMITS.doorLeaseMs)
      if (adopted > 0) logger.warn({ adopted }, 'presence.adopted')
    }
    const adoptSoon = () =>
      void adopt().catch(error => logger.error({ err: error }, 'presence.adoption_failed'))
    lifecycle.own(
      'presence',
      startPresencePulse({
        ...{ registry: presence, scripts, drain, logger, metrics: counts },
        onLoss: adoptSoon,
        intervalMs: presenceIntervalMs,
      }),
    )
    // A Redis that was restarted may lack its last second.
    live.on('ready', () => presence.restart())
    adoptSoon()
    await pressure.sample()
    return {
      ...{ doorId, appender, presence, pressure },
      mailbox: {
        onMessage: deliver =>
          mailbox.onMessage(message => {
            if (message.kind === 'take-over') presence.forget(message.deviceId, message.generation)
            deliver(message)
          }),
      },
      [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
    }
  } catch (error) {
    await lifecycle[Symbol.asyncDispose]()
    throw error
  }
}
