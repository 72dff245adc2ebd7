import type { Redis } from 'ioredis'
import type { PresenceItem } from '../../schema/ingest-entry.ts'
import { redisKeys } from '../../schema/redis-keys.ts'
import type { Logger } from '../../subgraphs/shared/logger.ts'
import type { IngestAppender } from './door-ports.ts'
import type { PresenceMetrics } from './presence-metrics.ts'
import type { PresenceScripts } from './presence-scripts.ts'

/** Devices whose transitions are read at a time, about. */
const PAGE_DEVICES = 200

/** An append is closed once it holds this many items; a device's are never parted. */
const ITEMS_PER_APPEND = 500

/** Moves transitions from pending to the ingest log. */
export interface PresenceDrain {
  /** Drains soon, without waiting; requests while one runs make one more run. */
  request(): void
  /** Appends all that is pending now, then takes it out. Rejects when Redis or the ingest log did not take part. */
  drain(): Promise<void>
}

/**
 * Creates the drain of a door. Every door drains all there is, whoever made it: so a crashed door leaves nothing, and
 * a device's transitions reach the log in order (its first copies; two doors at once may append a copy each, and a
 * crash before the removal too: copies have the same id).
 */
export function createPresenceDrain({
  redis,
  scripts,
  appender,
  logger,
  metrics,
}: {
  redis: Redis
  scripts: PresenceScripts
  appender: IngestAppender
  logger: Logger
  metrics: PresenceMetrics
}): PresenceDrain {
  let isRequested = false
  let running: Promise<void> | undefined

  async function drainAll(): Promise<void> {
    let cursor = '0'
    do {
      const [next, fields] = await redis.hscan(redisKeys.presencePending(), cursor, 'COUNT', PAGE_DEVICES)
      cursor = next
      let taken: [deviceId: string, lines: string][] = []
      let items: PresenceItem[] = []
      for (let i = 0; i < fields.length; i += 2) {
        const [deviceId = '', lines = ''] = fields.slice(i, i + 2)
        taken.push([deviceId, lines])
        items.push(...parseTransitions(deviceId, lines))
        if (items.length < ITEMS_PER_APPEND && i + 2 < fields.length) continue
        await appendTaken(taken, items)
        taken = []
        items = []
      }
    } while (cursor !== '0')
  }

  async function appendTaken(taken: readonly [string, string][], items: readonly PresenceItem[]) {
    await appender.append(items)
    for (const { online } of items) metrics.appended.inc({ transition: online ? 'online' : 'offline' })
    await scripts.settle(taken)
  }

  function drain(): Promise<void> {
    running ??= drainAll().finally(() => {
      running = undefined
      if (isRequested) start()
    })
    return running
  }

  function start(): void {
    isRequested = false
    // What fails stays pending; the next pulse tries again.
    drain().catch(error => {
      metrics.failures.inc()
      logger.warn({ err: error }, 'presence.drain_failed')
    })
  }

  return {
    request() {
      if (isRequested) return
      isRequested = true
      // One drain for all the sessions that begin in this tick.
      if (running === undefined) setImmediate(() => isRequested && running === undefined && start())
    },
    async drain() {
      // One that runs may have read past what was pending when this was called.
      await running?.catch(() => {})
      await drain()
    },
  }
}

/** Reads a device's pending lines; see presence-lua.ts. A line of another form is a mistake of ours: it is left out. */
export function parseTransitions(deviceId: string, lines: string): PresenceItem[] {
  return lines.split('\n').flatMap(line => {
    const [, id, online, generation, receivedAt, spaceId] =
      /^([^|]+)\|([01])\|(\d+)\|(\d+)\|(.*)$/.exec(line) ?? []
    if (id === undefined || spaceId === undefined) return []
    return {
      kind: 'presence' as const,
      spaceId,
      deviceId,
      receivedAt: Number(receivedAt),
      id,
      online: online === '1',
      generation: Number(generation),
    }
  })
}
