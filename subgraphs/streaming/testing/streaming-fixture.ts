import { createSourceEventStream, type ExecutionResult, execute, graphql, parse } from 'graphql'
import type { Redis } from 'ioredis'
import type { Media } from '../../../media/create-media.ts'
import { startTestMedia } from '../../../media/testing/start-test-media.ts'
import { device, membership, space } from '../../../schema/mysql/device-tables.ts'
import { and, eq } from '../../../schema/mysql/drizzle.ts'
import { createDeviceDirectory } from '../../device/device-directory.ts'
import type { Viewer } from '../../shared/auth/viewer.ts'
import type { BroadcastDesk } from '../../shared/broadcast-desk.ts'
import { AppError } from '../../shared/errors.ts'
import { markOf } from '../../shared/graphql/event-cursor.ts'
import { createLifecycle } from '../../shared/lifecycle.ts'
import { createLivePublisher } from '../../shared/live-topic/live-publisher.ts'
import { startLiveReader } from '../../shared/live-topic/live-reader.ts'
import type { LivePublisher } from '../../shared/live-topic/live-topics.ts'
import { createLogger } from '../../shared/logger.ts'
import { mapAsyncIterator } from '../../shared/map-async-iterator.ts'
import type { MediaPort } from '../../shared/media-port.ts'
import { type Mysql, openMysql } from '../../shared/mysql/open-mysql.ts'
import { startSiteRights } from '../../shared/site-rights.ts'
import { ROLES, type Role } from '../../shared/space-access.ts'
import type { TestDatabase } from '../../shared/testkit/open-test-database.ts'
import { newId } from '../../shared/uuid-v7.ts'
import { startStreaming } from '../start-streaming.ts'

/** What came of an operation: its data, and `CODE message` of each error. */
export interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: answers have the shape that the test asked for
  data: any
  errors: string[]
}

/** A space with a person of each role and a device, and a person and a device of no matter. */
export interface TestSpace {
  readonly spaceId: string
  readonly deviceId: string
  readonly people: Readonly<Record<Role, Viewer & { kind: 'user' }>>
  readonly camera: Viewer
}

/** The streaming subgraph over real media, on a real database and Redis. */
export interface StreamingFixture<M extends MediaPort = Media> extends AsyncDisposable {
  readonly media: M
  readonly desk: BroadcastDesk
  readonly publisher: LivePublisher
  /** Writes past the subgraph: what it writes is not among the database's statements. */
  readonly past: Mysql
  addSpace(): Promise<TestSpace>
  /** Takes a member out as the device subgraph does: the row, then the word. */
  removeMember(spaceId: string, userId: string): Promise<void>
  run(viewer: Viewer | null, source: string, variables?: Record<string, unknown>): Promise<Answer>
  /** Opens a subscription, whose marks are left out; rejects with `CODE message` when it is refused. */
  follow(
    viewer: Viewer | null,
    source: string,
    variables: Record<string, unknown>,
  ): Promise<AsyncGenerator<ExecutionResult, undefined>>
}

type Given = [
  database: Pick<TestDatabase, 'db' | 'url'>,
  redis: { live: Redis; liveUrl: string },
  times?: { graceMs?: number; renewMs?: number },
]

/** Opens the fixture. `database`, `redis` and media `beside`, if given, stay the caller's; SQL of roles and places is the subgraph's too. */
export async function openStreamingFixture(...given: Given): Promise<StreamingFixture>
export async function openStreamingFixture<M extends MediaPort>(
  ...given: [...Required<Given>, beside: M]
): Promise<StreamingFixture<M>>
export async function openStreamingFixture(
  ...[database, redis, times = {}, beside]: [...Given, beside?: MediaPort]
): Promise<StreamingFixture<MediaPort>> {
  const logger = createLogger({ level: process.env.LOG_LEVEL ?? 'silent', role: 'test' })
  const lifecycle = createLifecycle({ logger })
  const past = lifecycle.own('past', openMysql({ url: database.url }))
  const media = beside ?? lifecycle.own('media', await startTestMedia()).media
  const liveReader = lifecycle.own(
    'live reader',
    startLiveReader({ url: redis.liveUrl, redis: redis.live, logger }),
  )
  const { access, watch } = startSiteRights({ lifecycle, logger }, database, { liveReader })
  const devices = createDeviceDirectory({ db: database.db })
  const streaming = lifecycle.own(
    'streaming',
    startStreaming({
      ...{ db: database.db, live: redis.live, liveReader, access, watch, devices, media, logger },
      owner: newId(),
      ...times,
    }),
  )
  const { schema, createContext } = streaming.subgraph
  const publisher = createLivePublisher({ redis: redis.live })

  return {
    media,
    past,
    publisher,
    desk: streaming.broadcastDesk,
    async addSpace() {
      const [spaceId, deviceId, now] = [newId(), newId(), new Date()]
      const people = Object.fromEntries(ROLES.map(role => [role, asUser(newId())])) as TestSpace['people']
      await past.db.insert(space).values({ id: spaceId, name: 'Factory', timezone: 'UTC', createdAt: now })
      await past.db
        .insert(membership)
        .values(ROLES.map(role => ({ spaceId, userId: people[role].userId, role, joinedAt: now })))
      await past.db
        .insert(device)
        .values({ id: deviceId, spaceId, code: 'CAM', name: 'Camera', createdAt: now })
      const camera: Viewer = { kind: 'device', deviceId, spaceId, expiresAt: Date.now() + 600_000 }
      return { spaceId, deviceId, people, camera }
    },
    async removeMember(spaceId, userId) {
      await past.db
        .delete(membership)
        .where(and(eq(membership.spaceId, spaceId), eq(membership.userId, userId)))
      await publisher.publish('revocation', [{ kind: 'membership-changed', userId, spaceId }])
    },
    async run(viewer, source, variableValues) {
      const contextValue = createContext({ viewer, requestId: 'test' })
      const { data, errors } = await graphql({ schema, source, contextValue, variableValues })
      return { data: JSON.parse(JSON.stringify(data ?? null)), errors: (errors ?? []).map(describeError) }
    },
    async follow(viewer, source, variableValues) {
      const contextValue = createContext({ viewer, requestId: 'test' })
      const document = parse(source)
      const stream = await createSourceEventStream({ schema, document, contextValue, variableValues })
      if (!(Symbol.asyncIterator in stream)) throw new Error(stream.errors?.map(describeError).join())
      return mapAsyncIterator(stream[Symbol.asyncIterator](), async rootValue =>
        markOf(rootValue) === undefined
          ? execute({ schema, document, rootValue, contextValue, variableValues })
          : undefined,
      )
    },
    [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
  }
}

/** Claims of a signed-in user. */
export function asUser(userId: string): Viewer & { kind: 'user' } {
  return { kind: 'user', userId, sessionId: newId(), expiresAt: Date.now() + 600_000 }
}

function describeError(error: Error & { originalError?: unknown; extensions?: { code?: unknown } }): string {
  const thrown = error.originalError
  const code = thrown instanceof AppError ? thrown.code : error.extensions?.code
  return `${code} ${error.message}`
}
