import { createSourceEventStream, type ExecutionResult, execute, graphql, parse } from 'graphql'
import type { Redis } from 'ioredis'
import type { AnomalyState, LogEvent } from '../../schema/live-event.ts'
import { anomaly } from '../../schema/mysql/anomaly-tables.ts'
import { device, membership, space, user } from '../../schema/mysql/device-tables.ts'
import { and, eq, inArray } from '../../schema/mysql/drizzle.ts'
import { log } from '../../schema/mysql/ingest-tables.ts'
import type { UserViewer, Viewer } from '../shared/auth/viewer.ts'
import { AppError } from '../shared/errors.ts'
import { markOf } from '../shared/graphql/event-cursor.ts'
import type { SubgraphRequest } from '../shared/graphql/subgraph.ts'
import { createLivePublisher } from '../shared/live-topic/live-publisher.ts'
import { startLiveReader } from '../shared/live-topic/live-reader.ts'
import type { LivePublisher } from '../shared/live-topic/live-topics.ts'
import { createLogger } from '../shared/logger.ts'
import { mapAsyncIterator } from '../shared/map-async-iterator.ts'
import { type Db, openMysql } from '../shared/mysql/open-mysql.ts'
import type { Role } from '../shared/space-access.ts'
import { newId, newIdAt } from '../shared/uuid-v7.ts'
import { createEventsSubgraph } from './events-subgraph.ts'

/** What came of an operation: its data, and `CODE message` of each error. */
interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: answers have the shape that the test asked for
  data: any
  errors: string[]
}

/** The events subgraph on a real database and Redis, with what its tests need of its neighbours. */
export interface EventsFixture {
  readonly publisher: LivePublisher
  /** A space of which `member` is a VIEWER, with `deviceCount` devices. */
  createSpace(deviceCount: number): Promise<{ spaceId: string; deviceIds: string[]; member: Viewer }>
  /** Adds a person to a space. */
  addMember(spaceId: string, role: Role, name: string): Promise<UserViewer>
  /** Writes anomalies, each as makeAnomaly makes it. */
  insertAnomalies(anomalies: readonly AnomalyState[]): Promise<void>
  /** Writes logs, each as makeLog makes it. */
  insertLogs(logs: readonly LogEvent[]): Promise<void>
  run(viewer: Viewer | null, source: string, variables?: Record<string, unknown>): Promise<Answer>
  /** Opens a subscription, whose marks are left out; rejects with `CODE message` when it is refused. */
  follow(
    viewer: Viewer | null,
    source: string,
    variables?: Record<string, unknown>,
  ): Promise<AsyncIterator<ExecutionResult>>
  /** Opens the source alone: yields root values, among them marks, not results. */
  followSource(
    viewer: Viewer | null,
    source: string,
    variables: Record<string, unknown>,
    request?: Pick<SubgraphRequest, 'grant' | 'start'>,
  ): Promise<AsyncIterator<unknown>>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Opens the fixture on a test database and a test Redis, which stay the caller's. Roles and places are read, and rows
 * written, by a pool of their own: what the database's own pool has sent is the subgraph's.
 */
export function openEventsFixture(
  database: { db: Db; url: string },
  redis: { live: Redis; liveUrl: string },
): EventsFixture {
  const logger = createLogger({ level: 'silent', role: 'test' })
  const others = openMysql({ url: database.url })
  const liveReader = startLiveReader({
    url: redis.liveUrl,
    redis: redis.live,
    logger,
  })
  const publisher = createLivePublisher({ redis: redis.live })
  const { schema, createContext } = createEventsSubgraph({
    db: database.db,
    liveReader,
    live: redis.live,
    livePublisher: publisher,
    logger,
    access: {
      async roleOf(userId, spaceId) {
        const [row] = await others.db
          .select({ role: membership.role })
          .from(membership)
          .where(and(eq(membership.userId, userId), eq(membership.spaceId, spaceId)))
        return row?.role ?? null
      },
    },
    devices: {
      async placesOf(deviceIds) {
        const rows = await others.db
          .select()
          .from(device)
          .where(inArray(device.id, [...deviceIds]))
        return new Map(rows.map(row => [row.id, row]))
      },
    },
  })

  async function followSource(
    viewer: Viewer | null,
    source: string,
    variableValues: Record<string, unknown> = {},
    request?: Pick<SubgraphRequest, 'grant' | 'start'>,
  ): Promise<AsyncIterator<unknown>> {
    const contextValue = createContext({ viewer, requestId: 'test', ...request })
    const document = parse(source)
    const stream = await createSourceEventStream({ schema, document, contextValue, variableValues })
    if (!(Symbol.asyncIterator in stream)) throw new Error(stream.errors?.map(describeError).join())
    return stream[Symbol.asyncIterator]()
  }

  return {
    publisher,
    async createSpace(deviceCount) {
      const [spaceId, userId, now] = [newId(), newId(), new Date()]
      const deviceIds = Array.from({ length: deviceCount }, newId)
      await others.db.insert(space).values({ id: spaceId, name: 'Factory', timezone: 'UTC', createdAt: now })
      await others.db.insert(membership).values({ spaceId, userId, role: 'VIEWER', joinedAt: now })
      if (deviceCount > 0) {
        await others.db
          .insert(device)
          .values(deviceIds.map(id => ({ id, spaceId, code: id, name: 'device', createdAt: now })))
      }
      return { spaceId, deviceIds, member: asUser(userId) }
    },
    async addMember(spaceId, role, name) {
      const [id, now] = [newId(), new Date()]
      await others.db
        .insert(user)
        .values({ id, email: `${id}@example.com`, name, passwordHash: '', createdAt: now })
      await others.db.insert(membership).values({ spaceId, userId: id, role, joinedAt: now })
      return asUser(id)
    },
    async insertAnomalies(anomalies) {
      const moment = (at: number | null) => (at === null ? null : new Date(at))
      for (let i = 0; i < anomalies.length; i += 1_000) {
        await others.db.insert(anomaly).values(
          anomalies.slice(i, i + 1_000).map(row => ({
            ...row,
            receivedAt: new Date(row.receivedAt),
            acknowledgedAt: moment(row.acknowledgedAt),
            resolvedAt: moment(row.resolvedAt),
          })),
        )
      }
    },
    async insertLogs(logs) {
      for (let i = 0; i < logs.length; i += 1_000) {
        await others.db
          .insert(log)
          .values(logs.slice(i, i + 1_000).map(row => ({ ...row, receivedAt: new Date(row.receivedAt) })))
      }
    },
    async run(viewer, source, variableValues) {
      const contextValue = createContext({ viewer, requestId: 'test' })
      const { data, errors } = await graphql({ schema, source, contextValue, variableValues })
      return { data: JSON.parse(JSON.stringify(data ?? null)), errors: (errors ?? []).map(describeError) }
    },
    async follow(viewer, source, variableValues) {
      const contextValue = createContext({ viewer, requestId: 'test' })
      const document = parse(source)
      return mapAsyncIterator(await followSource(viewer, source, variableValues), async rootValue =>
        markOf(rootValue) === undefined
          ? execute({ schema, document, rootValue, contextValue, variableValues })
          : undefined,
      )
    },
    followSource,
    async [Symbol.asyncDispose]() {
      await liveReader[Symbol.asyncDispose]()
      await others[Symbol.asyncDispose]()
    },
  }
}

/** Claims of a signed-in user. */
export function asUser(userId: string): UserViewer {
  return { kind: 'user', userId, sessionId: newId(), expiresAt: Date.now() + 60_000 }
}

/** A log of `atMs` (epoch milliseconds); INFO, without line and process, unless said otherwise. */
export function makeLog(
  fields: Pick<LogEvent, 'spaceId' | 'deviceId'> & Partial<LogEvent>,
  atMs: number,
): LogEvent {
  return {
    id: newIdAt(atMs),
    lineId: null,
    processId: null,
    level: 'INFO',
    message: `log of ${atMs}`,
    attributes: null,
    clockReplaced: false,
    receivedAt: atMs,
    ...fields,
  }
}

/** An anomaly of `atMs` (epoch milliseconds); OPEN, MAJOR, of one occurrence, unless said otherwise. */
export function makeAnomaly(
  fields: Pick<AnomalyState, 'spaceId' | 'deviceId' | 'type'> & Partial<AnomalyState>,
  atMs: number,
): AnomalyState {
  const id = fields.id ?? newIdAt(atMs)
  return {
    id,
    lineId: null,
    processId: null,
    severity: 'MAJOR',
    message: `anomaly of ${atMs}`,
    score: null,
    attributes: null,
    clockReplaced: false,
    receivedAt: atMs,
    firstOccurrenceId: id,
    lastOccurrenceId: id,
    occurrences: 1,
    status: 'OPEN',
    acknowledgedAt: null,
    acknowledgedBy: null,
    resolvedAt: null,
    resolvedBy: null,
    version: 1,
    ...fields,
  }
}

function describeError(error: Error & { originalError?: unknown; extensions?: { code?: unknown } }): string {
  const thrown = error.originalError
  const code = thrown instanceof AppError ? thrown.code : error.extensions?.code
  return `${code} ${error.message}`
}
