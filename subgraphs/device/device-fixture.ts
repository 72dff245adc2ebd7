import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSourceEventStream, type ExecutionResult, execute, graphql, parse } from 'graphql'
import type { Redis } from 'ioredis'
import { line, membership, process, space, user } from '../../schema/mysql/device-tables.ts'
import { createTokenSigner, createTokenVerifier, type TokenVerifier } from '../shared/auth/access-token.ts'
import { readSigningKeys } from '../shared/auth/signing-keys.ts'
import type { Viewer } from '../shared/auth/viewer.ts'
import { AppError } from '../shared/errors.ts'
import { markOf } from '../shared/graphql/event-cursor.ts'
import type { SubgraphReply, SubgraphRequest } from '../shared/graphql/subgraph.ts'
import { createLivePublisher } from '../shared/live-topic/live-publisher.ts'
import { startLiveReader } from '../shared/live-topic/live-reader.ts'
import type { LivePublisher } from '../shared/live-topic/live-topics.ts'
import { createLogger, type Logger } from '../shared/logger.ts'
import { mapAsyncIterator } from '../shared/map-async-iterator.ts'
import { type Db, openMysql } from '../shared/mysql/open-mysql.ts'
import { type CachedSpaceAccess, createSpaceAccess } from '../shared/permissions/space-access.ts'
import type { Role } from '../shared/space-access.ts'
import type { TopologyChange } from '../shared/topology/topology-watch.ts'
import { newId } from '../shared/uuid-v7.ts'
import { insertDevices } from './device-repository.ts'
import { createDeviceSubgraph } from './device-subgraph.ts'
import type { DeviceParent } from './model.ts'
import { hashPassword } from './password-hasher.ts'

/** What came of an operation: its data, and `CODE message` of each error. */
interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: answers have the shape that the test asked for
  data: any
  errors: string[]
}

/** A space for a test: `lines[i]` has `processes[i]`. */
export interface TestSpace {
  readonly spaceId: string
  readonly lines: { id: string; name: string }[]
  readonly processes: { id: string; name: string }[]
  /** By code: D-000, D-001 …, spread over the lines in turn. */
  readonly devices: DeviceParent[]
  readonly owner: Viewer
}

/** The device subgraph on a real database and Redis, with what its tests need. */
export interface DeviceFixture {
  readonly verifier: TokenVerifier
  readonly publisher: LivePublisher
  readonly access: CachedSpaceAccess
  /** Makes the subgraph forget the topology: rows have been written past it. */
  forgetTopology(): void
  createUser(email: string, password: string): Promise<string>
  addMember(spaceId: string, role: Role, userId?: string): Promise<Viewer>
  createSpace(size: { lines?: number; devices?: number; name?: string; owner?: Viewer }): Promise<TestSpace>
  run(
    viewer: Viewer | null,
    source: string,
    variables?: Record<string, unknown>,
    request?: Pick<SubgraphRequest, 'grant' | 'refreshCookie'>,
    reply?: SubgraphReply,
  ): Promise<Answer>
  /**
   * Opens a subscription as the gateway does: a context of its own for each event. Marks are left out. Rejects with
   * `CODE message`.
   */
  follow(
    viewer: Viewer | null,
    source: string,
    variables?: Record<string, unknown>,
    request?: Pick<SubgraphRequest, 'grant' | 'start'>,
  ): Promise<AsyncIterator<unknown> & { answer(rootValue: unknown): Promise<Answer> }>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Opens the fixture on a test database and a test Redis, which stay the caller's. Rows are written by a pool of its
 * own: what the database's own pool has sent is the subgraph's.
 */
export async function openDeviceFixture(
  database: { db: Db; url: string },
  redis: { live: Redis; liveUrl: string },
  logger: Logger = createLogger({ level: 'silent', role: 'test' }),
): Promise<DeviceFixture> {
  const writer = openMysql({ url: database.url })
  const liveReader = startLiveReader({ url: redis.liveUrl, redis: redis.live, logger })
  const keys = await createKeys()
  const access = createSpaceAccess({ db: database.db })
  const signer = createTokenSigner({ keys })
  const { db } = database
  const listeners = new Set<(change: TopologyChange) => void>()
  const { schema, createContext } = createDeviceSubgraph({
    db,
    live: redis.live,
    liveReader,
    topologyWatch: {
      onChange(listener) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    },
    access,
    signer,
    secret: 'a secret of a site that tests have',
    logger,
  })

  async function createUser(email: string, password: string | null): Promise<string> {
    const [id, passwordHash] = [newId(), password === null ? 'none' : await hashPassword(password)]
    await writer.db.insert(user).values({ id, email, name: email, passwordHash, createdAt: new Date() })
    return id
  }

  async function addMember(spaceId: string, role: Role, userId?: string): Promise<Viewer> {
    const id = userId ?? (await createUser(`${newId()}@example.com`, null))
    await writer.db.insert(membership).values({ spaceId, userId: id, role, joinedAt: new Date() })
    return asUser(id)
  }

  return {
    verifier: createTokenVerifier({ keys }),
    publisher: createLivePublisher({ redis: redis.live }),
    access,
    forgetTopology() {
      for (const listener of listeners) listener({ kind: 'unknown' })
    },
    createUser,
    addMember,
    async createSpace({ lines: lineCount = 0, devices: deviceCount = 0, name = 'Factory', owner }) {
      const [spaceId, createdAt] = [newId(), new Date()]
      await writer.db.insert(space).values({ id: spaceId, name, timezone: 'Asia/Seoul', createdAt })
      const ownerId = owner?.kind === 'user' ? owner.userId : undefined
      const viewer = await addMember(spaceId, 'OWNER', ownerId)
      const lines = Array.from({ length: lineCount }, (_, position) => ({
        id: newId(),
        spaceId,
        name: `Line ${position}`,
        position,
      }))
      const processes = lines.map(({ id: lineId, position: i }) => ({
        id: newId(),
        spaceId,
        lineId,
        name: `Process ${i}`,
        position: 0,
      }))
      const devices = Array.from({ length: deviceCount }, (_, i) => ({
        id: newId(),
        spaceId,
        lineId: lines[i % lineCount]?.id ?? null,
        processId: processes[i % lineCount]?.id ?? null,
        code: `D-${String(i).padStart(3, '0')}`,
        name: `Device ${i}`,
        model: null,
        createdAt,
        removed: false,
        version: 1,
      }))
      if (lineCount > 0) {
        await writer.db.insert(line).values(lines)
        await writer.db.insert(process).values(processes)
      }
      if (deviceCount > 0) await insertDevices(writer.db, devices)
      return { spaceId, lines, processes, devices, owner: owner ?? viewer }
    },
    async run(viewer, source, variableValues, request, reply) {
      const contextValue = createContext({ viewer, requestId: 'test', ...request }, reply)
      return toAnswer(await graphql({ schema, source, contextValue, variableValues }))
    },
    async follow(viewer, source, variableValues, request) {
      const document = parse(source)
      const stream = await createSourceEventStream({
        schema,
        document,
        variableValues,
        contextValue: createContext({ viewer, requestId: 'test', ...request }),
      })
      if (!(Symbol.asyncIterator in stream)) throw new Error(toAnswer(stream).errors.join())
      const rootValues = mapAsyncIterator(stream[Symbol.asyncIterator](), value =>
        markOf(value) === undefined ? value : undefined,
      )
      return Object.assign(rootValues, {
        answer: async (rootValue: unknown) => {
          const contextValue = createContext({ viewer, requestId: 'test' })
          return toAnswer(await execute({ schema, document, variableValues, contextValue, rootValue }))
        },
      })
    },
    async [Symbol.asyncDispose]() {
      await liveReader[Symbol.asyncDispose]()
      await writer[Symbol.asyncDispose]()
    },
  }
}

/** Claims of a signed-in user. */
export function asUser(userId: string): Viewer {
  return { kind: 'user', userId, sessionId: newId(), expiresAt: Date.now() + 60_000 }
}

/** Claims of a device. */
export function asDevice({ id, spaceId }: { id: string; spaceId: string }): Viewer {
  return { kind: 'device', deviceId: id, spaceId, expiresAt: Date.now() + 60_000 }
}

async function createKeys() {
  const dataDir = mkdtempSync(join(tmpdir(), 'nuvion-device-'))
  try {
    return await readSigningKeys({ configured: null, dataDir })
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function toAnswer({ data, errors = [] }: ExecutionResult): Answer {
  const described = errors.map(({ originalError, extensions, message }) => {
    const code = originalError instanceof AppError ? originalError.code : extensions.code
    return `${code} ${message}`
  })
  return { data: JSON.parse(JSON.stringify(data ?? null)), errors: described }
}
