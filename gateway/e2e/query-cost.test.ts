import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSupergraphSdl } from '../../schema/graphql/subgraph-sdl.ts'
import { redisKeys } from '../../schema/redis-keys.ts'
import { createDeviceDirectory } from '../../subgraphs/device/device-directory.ts'
import { createDeviceSubgraph } from '../../subgraphs/device/device-subgraph.ts'
import { createEventsSubgraph } from '../../subgraphs/events/events-subgraph.ts'
import { createReportsSubgraph } from '../../subgraphs/reports/reports-subgraph.ts'
import type { Viewer } from '../../subgraphs/shared/auth/viewer.ts'
import { createLifecycle } from '../../subgraphs/shared/lifecycle.ts'
import { createLivePublisher } from '../../subgraphs/shared/live-topic/live-publisher.ts'
import { startLiveReader } from '../../subgraphs/shared/live-topic/live-reader.ts'
import { createLogger } from '../../subgraphs/shared/logger.ts'
import { createMetrics } from '../../subgraphs/shared/metrics.ts'
import { createSpaceAccess } from '../../subgraphs/shared/permissions/space-access.ts'
import { serializePresenceValue } from '../../subgraphs/shared/presence-value.ts'
import { graphqlData } from '../../subgraphs/shared/testkit/graphql-request.ts'
import { openTestDatabase, type TestDatabase } from '../../subgraphs/shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../../subgraphs/shared/testkit/open-test-redis.ts'
import { newId } from '../../subgraphs/shared/uuid-v7.ts'
import { createStreamingSubgraph } from '../../subgraphs/streaming/streaming-subgraph.ts'
import { createGateway } from '../create-gateway.ts'
import { createInProcessSource } from '../sources/in-process-source.ts'

const DASHBOARD = `query ($spaces: Int, $devices: Int, $logs: Int) {
  spaces(first: $spaces) { nodes { name lines { name devices(first: $devices) { nodes {
    code online state { status } logs(first: $logs) { nodes { message } }
  } } } } }
}`

interface Dashboard {
  spaces: { nodes: { lines: { devices: { nodes: { online: boolean; logs: { nodes: unknown[] } }[] } }[] }[] }
}

/** What one run of the dashboard query cost. */
interface Cost {
  readonly statements: readonly string[]
  readonly roundTrips: number
  readonly devices: number
  readonly logs: number
}

describe('the dashboard query through the gateway and its subgraphs', () => {
  const logger = createLogger({ level: 'silent', role: 'test' })
  const lifecycle = createLifecycle({ logger })
  const userId = newId()
  let database: TestDatabase
  let redis: TestRedis
  let url: string
  let forgetTopology: ((change: { kind: 'unknown' }) => void) | undefined

  beforeAll(async () => {
    database = lifecycle.own('database', await openTestDatabase())
    redis = lifecycle.own('redis', await openTestRedis())
    await fillSpaces({ count: 3, owner: userId })
    await fillSpaces({ count: 40, owner: newId() })
    await database.pool.query('ANALYZE TABLE space, membership, line, process, device, log, device_status')

    const { db } = database
    const access = createSpaceAccess({ db })
    const reader = startLiveReader({ url: redis.liveUrl, redis: redis.live, logger })
    const liveReader = lifecycle.own('live reader', reader)
    const signer = { signUser: refuse, signDevice: refuse }
    const device = createDeviceSubgraph({
      db,
      live: redis.live,
      liveReader,
      topologyWatch: {
        onChange(listener) {
          forgetTopology = listener
          return () => {}
        },
      },
      access,
      signer,
      secret: '',
      logger,
    })
    const devices = createDeviceDirectory({ db })
    const livePublisher = createLivePublisher({ redis: redis.live })
    const reports = createReportsSubgraph({ db, access, devices, secret: '' })
    const live = { live: redis.live, liveReader, livePublisher }
    const events = createEventsSubgraph({ db, ...live, access, devices, logger })
    // Nobody asks it for anything.
    const streaming = createStreamingSubgraph({} as never)
    const gateway = await createGateway({
      supergraphSdl: readSupergraphSdl(),
      sources: [device, events, reports, streaming].map(subgraph =>
        createInProcessSource(subgraph, { logger }),
      ),
      verifyAccessToken: async (): Promise<Viewer> => ({
        kind: 'user',
        userId,
        sessionId: newId(),
        expiresAt: Date.now() + 900_000,
      }),
      access,
      rights: { onChange: () => () => {} },
      sessions: { onEnded: () => () => {} },
      logger,
      metrics: createMetrics({ group: 'test', withDefaults: false }),
    })
    lifecycle.own('gateway', gateway)
    const server = createServer(gateway.handleRequest)
    const { promise: listening, resolve } = Promise.withResolvers<void>()
    server.listen(0, '127.0.0.1', resolve)
    await listening
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    lifecycle.own('server', {
      async [Symbol.asyncDispose]() {
        server.closeAllConnections()
        server.close()
      },
    })
    // Fills the caches of roles and devices, as the first query after a start does.
    await ask({ spaces: 3, devices: 25, logs: 1 })
  }, 60_000)

  afterAll(() => lifecycle[Symbol.asyncDispose](), 60_000)

  function refuse(): never {
    throw new Error('Nobody signs in here.')
  }

  /** Makes spaces of 4 lines, each with 25 devices that have a state and 5 logs each. */
  async function fillSpaces({ count, owner }: { count: number; owner: string }): Promise<void> {
    const { pool } = database
    const createdAt = new Date()
    for (let s = 0; s < count; s++) {
      const spaceId = newId()
      const lines = Array.from({ length: 4 }, (_, position) => [
        newId(),
        spaceId,
        `Line ${position}`,
        position,
      ])
      const devices = lines.flatMap(([lineId], l) =>
        Array.from({ length: 25 }, (_, d) => [
          newId(),
          spaceId,
          lineId,
          `L${l}-${d}`,
          `Device ${d}`,
          createdAt,
        ]),
      )
      const logs = devices.flatMap(([deviceId, , lineId]) =>
        Array.from({ length: 5 }, (_, i) => [
          spaceId,
          newId(),
          deviceId,
          lineId,
          'INFO',
          `${i}`,
          false,
          createdAt,
        ]),
      )
      await pool.query('INSERT INTO space (id, name, timezone, created_at) VALUES ?', [
        [[spaceId, `Space ${s}`, 'UTC', createdAt]],
      ])
      await pool.query('INSERT INTO membership VALUES ?', [[[spaceId, owner, 'OWNER', createdAt]]])
      await pool.query('INSERT INTO line (id, space_id, name, position) VALUES ?', [lines])
      await pool.query('INSERT INTO device (id, space_id, line_id, code, name, created_at) VALUES ?', [
        devices,
      ])
      await pool.query(
        `INSERT INTO log (space_id, id, device_id, line_id, level, message, clock_replaced, received_at) VALUES ?`,
        [logs],
      )
      const states = devices.flatMap(([id]) => [
        redisKeys.deviceState(String(id)),
        `${Date.now()}|{"status":"RUNNING","metrics":null}`,
        redisKeys.devicePresence(String(id)),
        serializePresenceValue({
          generation: 1,
          online: true,
          lastSeenAt: Date.now(),
          doorId: newId(),
          spaceId,
        }),
      ])
      await redis.live.mset(...states)
    }
  }

  async function ask(variables: { spaces: number; devices: number; logs: number }): Promise<Cost> {
    database.statements.length = 0
    redis.roundTrips.live.length = 0
    const { spaces } = await graphqlData<Dashboard>(url, DASHBOARD, { token: 'any', variables })
    const found = spaces.nodes.flatMap(space => space.lines.flatMap(line => line.devices.nodes))
    return {
      statements: [...database.statements],
      roundTrips: redis.roundTrips.live.length,
      devices: found.length,
      logs: found.reduce((sum, device) => sum + device.logs.nodes.length, 0),
    }
  }

  it('costs the same number of SQL statements and Redis round trips whatever its page sizes', async () => {
    forgetTopology?.({ kind: 'unknown' })
    const small = await ask({ spaces: 1, devices: 1, logs: 1 })
    forgetTopology?.({ kind: 'unknown' })
    const large = await ask({ spaces: 3, devices: 25, logs: 5 })
    expect([small.devices, small.logs]).toEqual([4, 4])
    expect([large.devices, large.logs]).toEqual([300, 1500])
    // Presence, state and connectivity of all devices come with one MGET.
    expect(small.roundTrips).toBe(1)
    expect(large.roundTrips).toBe(1)
    // Spaces, lines, devices by line and logs by device: one statement each.
    const kinds = (statements: readonly string[]) => statements.map(sql => /from `?(\w+)/i.exec(sql)?.[1])
    expect(kinds(small.statements)).toEqual(['membership', 'line', 'device', 'log'])
    expect(kinds(large.statements)).toEqual(kinds(small.statements))

    const warm = await ask({ spaces: 3, devices: 25, logs: 5 })
    expect([warm.devices, warm.logs]).toEqual([300, 1500])
    // Of the topology nothing is read again.
    expect(kinds(warm.statements)).toEqual(['membership', 'log'])
  })

  it('scans no table', async () => {
    forgetTopology?.({ kind: 'unknown' })
    const { statements } = await ask({ spaces: 3, devices: 25, logs: 5 })
    expect(statements.length).toBeGreaterThan(3)
    for (const sql of statements) {
      const [plan] = await database.pool.query(`EXPLAIN ${sql}`)
      for (const step of plan as { table: string | null; type: string | null; key: string | null }[]) {
        if (step.table === null || step.table.startsWith('<')) continue
        expect(['ALL', 'index'], `${step.table} in ${sql}`).not.toContain(step.type)
        expect(step.key, `${step.table} in ${sql}`).not.toBeNull()
      }
    }
  })
})
