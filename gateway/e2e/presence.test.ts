import type { RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type Cluster, startCluster } from '../../subgraphs/shared/testkit/cluster.ts'
import { graphqlData, signIn } from '../../subgraphs/shared/testkit/graphql-request.ts'
import { openTestRedis, type TestRedis } from '../../subgraphs/shared/testkit/open-test-redis.ts'
import { connectStompDevice, type DeviceLogin } from '../../subgraphs/shared/testkit/stomp-device.ts'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'

const DEVICES = 30

describe('one process a role, whose door is killed and whose live Redis is emptied', () => {
  let cluster: Cluster
  let redis: TestRedis
  let token: string
  let spaceId: string

  beforeAll(async () => {
    redis = await openTestRedis()
    cluster = await startCluster({ NUVION_LIFE_SIGN_SECONDS: '1', REDIS_URL: redis.liveUrl })
    token = await signIn(cluster.gatewayUrl)
    const { spaces } = await ask<{ spaces: { nodes: { id: string }[] } }>('{ spaces { nodes { id } } }', {})
    spaceId = spaces.nodes[0]?.id ?? ''
  }, 60_000)
  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]()
    await redis?.[Symbol.asyncDispose]()
  }, 60_000)

  const ask = <T>(query: string, variables: Record<string, unknown>) =>
    graphqlData<T>(cluster.gatewayUrl, query, { token, variables })

  async function registerDevice(code: string): Promise<DeviceLogin> {
    const { registerDevice } = await ask<{
      registerDevice: { device: { id: string }; credential: string }
    }>(
      `mutation ($input: RegisterDeviceInput!) {
        registerDevice(input: $input) { device { id } credential userErrors { message } }
      }`,
      { input: { spaceId, code, name: code } },
    )
    return { deviceId: registerDevice.device.id, credential: registerDevice.credential }
  }

  /** Connects without heart-beats; says nothing more. */
  function connectSilent({ deviceId, credential }: DeviceLogin): Promise<WebSocket> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(`${cluster.doorUrl.replace('http', 'ws')}/stomp/websocket`)
      socket.on('error', reject)
      socket.on('open', () =>
        socket.send(`CONNECT\naccept-version:1.2\nlogin:${deviceId}\npasscode:${credential}\n\n\0`),
      )
      socket.once('message', data =>
        String(data).startsWith('CONNECTED') ? resolve(socket) : reject(new Error(String(data))),
      )
    })
  }

  /** Kinds and times of a device's rows, in the order of their ids. */
  async function readEvents({ deviceId }: DeviceLogin) {
    const [rows] = await cluster.database.pool.query<RowDataPacket[]>(
      'SELECT kind, id FROM presence_event WHERE device_id = ? ORDER BY id',
      [deviceId],
    )
    return rows.map(({ kind, id }) => ({
      kind,
      at: Number.parseInt(id.replace('-', '').slice(0, 12), 16),
    }))
  }

  const kindsOf = async (login: DeviceLogin) => (await readEvents(login)).map(({ kind }) => kind)

  it('makes its devices offline once, at their last life sign', { timeout: 120_000 }, async () => {
    const logins: DeviceLogin[] = []
    for (let i = 0; i < DEVICES; i++) logins.push(await registerDevice(`killed-${i}`))
    const startedAt = Date.now()
    await Promise.all(logins.map(connectSilent))
    const connectedAt = Date.now()
    await cluster.restart('stomp')
    for (const login of logins) {
      await waitFor(async () => (await kindsOf(login)).length >= 2, { deadlineMs: 30_000 })
      const events = await readEvents(login)
      expect(events.map(({ kind }) => kind)).toEqual(['ONLINE', 'OFFLINE'])
      for (const { at } of events) expect(at).toBeGreaterThanOrEqual(startedAt)
      for (const { at } of events) expect(at).toBeLessThanOrEqual(connectedAt)
    }
  })

  it('still shows the last of each device, and who is online again', { timeout: 120_000 }, async () => {
    const [alive, gone] = [await registerDevice('alive'), await registerDevice('gone')]
    await using device = await connectStompDevice(cluster.doorUrl, alive)
    await device.send('/app/state', { status: 'ERROR', metrics: { rpm: 7 } })
    {
      await using leaving = await connectStompDevice(cluster.doorUrl, gone)
      await leaving.send('/app/state', { status: 'IDLE' })
    }
    await waitFor(async () => (await kindsOf(gone)).length === 2)
    const read = async ({ deviceId }: DeviceLogin) =>
      (
        await ask<{ device: { online: boolean; lastSeenAt: string | null; state: unknown } }>(
          'query ($id: ID!) { device(id: $id) { online lastSeenAt state { status metrics } } }',
          { id: deviceId },
        )
      ).device
    const isShown = async () => {
      expect(await read(alive)).toEqual({
        ...{ online: true, lastSeenAt: expect.any(String) },
        state: { status: 'ERROR', metrics: { rpm: 7 } },
      })
      expect(await read(gone)).toEqual({
        ...{ online: false, lastSeenAt: expect.any(String) },
        state: { status: 'IDLE', metrics: null },
      })
    }
    await isShown()
    await redis.live.flushdb()
    await isShown()
    // The door writes its sessions again by itself, and what the tables know of the others.
    const inRedis = ({ deviceId }: DeviceLogin) => redis.live.get(`nuvion:presence:${deviceId}`)
    await waitFor(async () => (await inRedis(alive)) !== null && (await inRedis(gone)) !== null, {
      deadlineMs: 10_000,
    })
    await isShown()
    await device[Symbol.asyncDispose]()
    await waitFor(async () => (await kindsOf(alive)).length >= 2, { deadlineMs: 10_000 })
    expect(await kindsOf(alive)).toEqual(['ONLINE', 'OFFLINE'])
    expect(await kindsOf(gone)).toEqual(['ONLINE', 'OFFLINE'])
  })
})
