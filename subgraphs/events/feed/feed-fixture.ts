import type { Redis } from 'ioredis'
import type { AnomalyState, LogEvent, PresenceEvent } from '../../../schema/live-event.ts'
import { anomaly } from '../../../schema/mysql/anomaly-tables.ts'
import { device, line, membership, process, space } from '../../../schema/mysql/device-tables.ts'
import { and, eq } from '../../../schema/mysql/drizzle.ts'
import { log, presenceEvent } from '../../../schema/mysql/ingest-tables.ts'
import type { UserViewer } from '../../shared/auth/viewer.ts'
import type { DeviceDirectory } from '../../shared/device-directory.ts'
import { createLivePublisher } from '../../shared/live-topic/live-publisher.ts'
import { createLogger } from '../../shared/logger.ts'
import type { Db } from '../../shared/mysql/open-mysql.ts'
import type { CommittedEvents } from '../../shared/outbox-listener.ts'
import { createSpaceAccess } from '../../shared/permissions/space-access.ts'
import { newId, newIdAt, timeOfId } from '../../shared/uuid-v7.ts'
import { createFeedListener } from './feed-listener.ts'
import { createFeedReader } from './feed-reader.ts'
import { createFeedSets } from './feed-sets.ts'
import type { WatchKind } from './watch-repository.ts'
import { createWatcherIndex } from './watcher-index.ts'
import { createWatches } from './watches.ts'

/** A space with a line, a process and devices: the first two stand at both, the others nowhere. */
export interface FeedSpace {
  readonly spaceId: string
  readonly lineId: string
  readonly processId: string
  readonly deviceIds: readonly string[]
}

/** What an event is made of. */
export type EventFields = Pick<LogEvent, 'spaceId' | 'deviceId' | 'lineId' | 'processId'>

/** The parts of feeds on a test's servers, with what their tests need of the neighbours. */
export type FeedFixture = ReturnType<typeof createFeedFixture>

/** Creates the fixture; `db` is what the parts read by, `others` what rows are written by. */
export function createFeedFixture({
  db,
  others,
  redis,
  maxItems,
  maxWatchers,
  maxWatches,
}: {
  db: Db
  others: Db
  redis: Redis
  maxItems?: number
  maxWatchers?: number
  maxWatches?: number
}) {
  const access = createSpaceAccess({ db: others })
  const publisher = createLivePublisher({ redis })
  const logger = createLogger({ level: 'silent', role: 'test' })
  const places = new Map<string, EventFields>()
  const devices: DeviceDirectory = { placesOf: async () => places }
  const sets = createFeedSets({ redis, maxItems })
  const reader = createFeedReader({ db, sets })
  const watches = createWatches({ db, access, sets, publisher, logger, maxWatches })

  return {
    access,
    publisher,
    sets,
    reader,
    watches,
    /** Another process of ingest. */
    createListener: () =>
      createFeedListener({
        sets,
        watchers: createWatcherIndex({ db, sets, maxWatchers }),
        publisher,
        devices,
      }),

    async addSpace(deviceCount = 4): Promise<FeedSpace> {
      const [spaceId, lineId, processId] = [newId(), newId(), newId()]
      const deviceIds = Array.from({ length: deviceCount }, newId)
      await others
        .insert(space)
        .values({ id: spaceId, name: 'Factory', timezone: 'UTC', createdAt: new Date() })
      await others.insert(line).values({ id: lineId, spaceId, name: 'Line', position: 0 })
      await others.insert(process).values({ id: processId, spaceId, name: 'Process', position: 0 })
      const rows = deviceIds.map((deviceId, i) => {
        const place = i < 2 ? { lineId, processId } : { lineId: null, processId: null }
        places.set(deviceId, { spaceId, deviceId, ...place })
        return { id: deviceId, spaceId, ...place, code: deviceId, name: 'device', createdAt: new Date() }
      })
      for (let i = 0; i < rows.length; i += 500) await others.insert(device).values(rows.slice(i, i + 500))
      return { spaceId, lineId, processId, deviceIds }
    },

    /** A user who is a VIEWER of the spaces. */
    async addMember(...spaceIds: string[]): Promise<UserViewer> {
      const userId = newId()
      for (const spaceId of spaceIds) await this.join(userId, spaceId)
      return { kind: 'user', userId, sessionId: newId(), expiresAt: Date.now() + 600_000 }
    },

    async join(userId: string, spaceId: string): Promise<void> {
      await others.insert(membership).values({ spaceId, userId, role: 'VIEWER', joinedAt: new Date() })
      access.flush(userId, spaceId)
    },

    async leave(userId: string, spaceId: string): Promise<void> {
      await others
        .delete(membership)
        .where(and(eq(membership.userId, userId), eq(membership.spaceId, spaceId)))
      access.flush(userId, spaceId)
    },

    async watch(user: UserViewer, kind: WatchKind, id: string): Promise<void> {
      const target = await watches.findTarget(kind, id)
      if (target === undefined) throw new TypeError('Expected something to watch, got nothing.')
      await watches.add(user, target)
    },

    placeOf(deviceId: string): EventFields {
      const place = places.get(deviceId)
      if (place === undefined) throw new TypeError('Expected a device of the fixture, got another.')
      return place
    },

    /** Writes the rows of events, as ingest does before it tells of them. Changes of others than RAISED have no row. */
    async commit({ logs, anomalies, presence }: CommittedEvents): Promise<void> {
      if (logs.length > 0)
        await others.insert(log).values(logs.map(row => ({ ...row, receivedAt: new Date(row.receivedAt) })))
      const raised = anomalies.filter(({ change }) => change === 'RAISED')
      if (raised.length > 0) {
        await others.insert(anomaly).values(
          raised.map(({ anomaly: row }) => ({
            ...{ ...row, receivedAt: new Date(row.receivedAt) },
            acknowledgedAt: null,
            resolvedAt: null,
          })),
        )
      }
      if (presence.length > 0) {
        await others.insert(presenceEvent).values(
          presence.map(({ id, spaceId, deviceId, online }) => {
            return { id, spaceId, deviceId, kind: online ? ('ONLINE' as const) : ('OFFLINE' as const) }
          }),
        )
      }
    },

    /** Keys of the whole feed of a user, page by page. */
    async readAll(userId: string, limit = 100): Promise<string[]> {
      const keys: string[] = []
      const watched = await watches.list(userId)
      let after = null
      for (;;) {
        const page = await reader.read(userId, watched, { after, limit })
        keys.push(...page.map(key => `${key.id}:${key.kind}:${key.spaceId}`))
        after = page.at(-1) ?? null
        if (page.length < limit || after === null) return keys
      }
    },
  }
}

/** No events, but for these. */
export function eventsOf(events: Partial<CommittedEvents>): CommittedEvents {
  return { logs: [], anomalies: [], presence: [], ...events }
}

/** A log of a moment (epoch milliseconds), ERROR unless said otherwise. */
export function makeErrorLog(
  fields: EventFields,
  atMs: number,
  level: LogEvent['level'] = 'ERROR',
): LogEvent {
  return {
    ...{ id: newIdAt(atMs), ...fields, level, message: 'Spindle stopped', attributes: null },
    ...{ clockReplaced: false, receivedAt: atMs },
  }
}

/** An anomaly of a moment (epoch milliseconds), of a type of its own. */
export function makeAnomaly(fields: EventFields, atMs: number): AnomalyState {
  const id = newIdAt(atMs)
  return {
    ...{ id, ...fields, type: `T-${id}`, severity: 'MAJOR', message: null, score: null, attributes: null },
    ...{
      clockReplaced: false,
      receivedAt: atMs,
      firstOccurrenceId: id,
      lastOccurrenceId: id,
      occurrences: 1,
    },
    ...{ status: 'OPEN', acknowledgedAt: null, acknowledgedBy: null, resolvedAt: null, resolvedBy: null },
    version: 1,
  }
}

/** A transition of a moment (epoch milliseconds). */
export function makePresence(
  { spaceId, deviceId }: EventFields,
  atMs: number,
  online: boolean,
): PresenceEvent {
  const id = newIdAt(atMs)
  return { id, spaceId, deviceId, online, at: timeOfId(id) }
}
