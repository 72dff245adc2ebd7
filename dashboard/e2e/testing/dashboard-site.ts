import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Role } from '../../../subgraphs/shared/space-access.ts'
import { addMembers } from '../../../subgraphs/shared/testkit/add-members.ts'
import { graphqlData, signIn } from '../../../subgraphs/shared/testkit/graphql-request.ts'
import { openTestDatabase, type TestDatabase } from '../../../subgraphs/shared/testkit/open-test-database.ts'
import { openTestRedis } from '../../../subgraphs/shared/testkit/open-test-redis.ts'
import { type Product, startProduct } from '../../../subgraphs/shared/testkit/product.ts'
import { connectStompDevice, type StompDevice } from '../../../subgraphs/shared/testkit/stomp-device.ts'

const BUILT = fileURLToPath(new URL('../../dist/index.html', import.meta.url))

/** The product with its dashboard: what people see in one process, what devices talk to in another. */
export interface DashboardSite extends AsyncDisposable {
  readonly url: string
  /** The demo space. Its devices are registered, and none of them is connected. */
  readonly spaceId: string
  readonly database: TestDatabase
  /** Asks as the owner. */
  ask<T>(query: string, variables?: Record<string, unknown>): Promise<T>
  /** Registers a device, and connects it. */
  connectDevice(code: string): Promise<{ id: string; device: StompDevice }>
  /** Connects a device that is registered. */
  connect(login: { deviceId: string; credential: string }): Promise<StompDevice>
  /** Adds a member of the demo space, with the owner's password. Answers their address. */
  addMember(role: Role): Promise<string>
  /** Ends what people see, without a farewell, and starts it again at the same address. */
  stopFront(): Promise<void>
  startFront(): Promise<void>
}

const FRONT = ['gateway', 'device', 'events', 'reports', 'streaming', 'media']
const BACK = ['stomp', 'ingest', 'worker']

/** Starts the product as a site of its own. */
export async function startDashboardSite(): Promise<DashboardSite> {
  if (!existsSync(BUILT)) throw new Error('The dashboard has not been built: run `npm run setup`.')
  const [database, redis] = await Promise.all([openTestDatabase(), openTestRedis()])
  const dataDir = await mkdtemp(join(tmpdir(), 'nuvion-dashboard-'))
  const env = {
    ...{ NUVION_DATA: dataDir, NUVION_DEMO: '1', HOST: '127.0.0.1' },
    ...{ DATABASE_URL: database.url, REDIS_URL: redis.liveUrl, REDIS_INGEST_URL: redis.ingestUrl },
    ...{ NUVION_MEDIA_LISTEN: '127.0.0.1', NUVION_MEDIA_WORKERS: '1', NUVION_ANNOUNCED_ADDRESS: '127.0.0.1' },
  }
  const port = await findPort()
  const start = () => startProduct({ roles: FRONT, env: { ...env, PORT: String(port) } })
  let front: Product | undefined = await start()
  const back = await startProduct({ roles: BACK, env })
  const { url } = front
  const devices: StompDevice[] = []
  const token = await signIn(url)
  const ask = <T>(query: string, variables: Record<string, unknown> = {}) =>
    graphqlData<T>(url, query, { token, variables })
  const { spaces } = await ask<{ spaces: { nodes: { id: string }[] } }>('{ spaces { nodes { id } } }')
  const spaceId = spaces.nodes[0]?.id ?? ''

  async function connect(login: { deviceId: string; credential: string }): Promise<StompDevice> {
    const device = await connectStompDevice(back.url, login)
    devices.push(device)
    return device
  }

  return {
    ...{ url, spaceId, database, ask, connect },
    async connectDevice(code) {
      const { registerDevice } = await ask<{
        registerDevice: { device: { id: string }; credential: string }
      }>(
        `mutation ($input: RegisterDeviceInput!) { registerDevice(input: $input) { device { id } credential } }`,
        { input: { spaceId, code, name: `Device ${code}` } },
      )
      const { device, credential } = registerDevice
      return { id: device.id, device: await connect({ deviceId: device.id, credential }) }
    },
    async addMember(role) {
      const [email = ''] = await addMembers(database.db, { spaceId, count: 1, role })
      return email
    },
    async stopFront() {
      await front?.end('SIGKILL')
      front = undefined
    },
    async startFront() {
      front = await start()
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(devices.map(device => device[Symbol.asyncDispose]()))
      await back[Symbol.asyncDispose]()
      await front?.[Symbol.asyncDispose]()
      await redis[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** A port that is free, to be taken again after a restart. */
async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
