import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { startMetricsServer } from './subgraphs/shared/metrics-server.ts'
import { follow } from './subgraphs/shared/testkit/follow.ts'
import { graphqlData, signIn } from './subgraphs/shared/testkit/graphql-request.ts'
import { type Product, startProduct } from './subgraphs/shared/testkit/product.ts'
import { waitFor } from './subgraphs/shared/testkit/wait-for.ts'

const DASHBOARD = `{
  spaces { nodes { id lines { name devices { nodes {
    code online state { status } logs(first: 3) { nodes { message } }
  } } } } }
}`

interface Dashboard {
  spaces: {
    nodes: {
      id: string
      lines: {
        name: string
        devices: {
          nodes: {
            code: string
            online: boolean
            state: { status: string } | null
            logs: { nodes: { message: string }[] }
          }[]
        }
      }[]
    }[]
  }
}

const devicesOf = (dashboard: Dashboard) =>
  dashboard.spaces.nodes.flatMap(space => space.lines.flatMap(line => line.devices.nodes))

/** Processes whose parent is `parent` and whose command line has `words`. */
async function findChildren(parent: number, words: string): Promise<number[]> {
  const children = (await readFile(`/proc/${parent}/task/${parent}/children`, 'utf8')).trim().split(' ')
  const found = await Promise.all(
    children.map(async pid => {
      const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ')
      return command.includes(words) ? [Number(pid)] : []
    }),
  )
  if (found.flat().length === 0) throw new Error(`No child has ${words}.`)
  return found.flat()
}

/** Processes whose command line names a folder. */
async function runningOn(folder: string, pids: readonly string[]): Promise<string[]> {
  const commands = await Promise.all(
    pids
      .filter(pid => /^\d+$/.test(pid))
      .map(pid => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  )
  return commands.filter(command => command.includes(folder))
}

async function makeDataDir(): Promise<string> {
  return await mkdtemp(join(tmpdir(), 'nuvion-main-'))
}

describe.each([
  { profile: 'standard', name: 'the embedded default' },
  { profile: 'small', name: 'the small profile' },
])('$name, started on an empty folder', ({ profile }) => {
  let product: Product
  let dataDir: string

  beforeAll(async () => {
    dataDir = await makeDataDir()
    product = await startProduct({ env: { NUVION_DATA: dataDir, NUVION_PROFILE: profile } })
  }, 60_000)

  afterAll(async () => {
    await product?.[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
  }, 60_000)

  it('prints the demo sign-in and how to stop', () => {
    expect(product.output()).toContain('demo@nuvion.local')
    expect(product.output()).toContain('nuvion-demo')
    expect(product.output()).toMatch(/Ctrl-C/)
  })

  it('answers the dashboard query with live data of the simulated devices', async () => {
    const token = await signIn(product.url)
    const ask = () => graphqlData<Dashboard>(product.url, DASHBOARD, { token })
    await waitFor(
      async () =>
        devicesOf(await ask()).every(d => d.online && d.state !== null && d.logs.nodes.length === 3),
      { deadlineMs: 15_000 },
    )
    const dashboard = await ask()
    expect(dashboard.spaces.nodes[0]?.lines).toHaveLength(4)
    expect(devicesOf(dashboard)).toHaveLength(12)
    for (const device of devicesOf(dashboard)) {
      expect(device.code).not.toBe('')
      expect(['RUNNING', 'IDLE', 'STOPPED', 'ERROR']).toContain(device.state?.status)
    }
  })

  it('lets in every device of a burst, over WebSocket and over a transport that is none', async () => {
    const address = product.url.replace('http', 'ws')
    const sockets = Array.from(
      { length: 100 },
      () => new WebSocket(`${address}/stomp/websocket`, 'v12.stomp'),
    )
    await Promise.all(sockets.map(socket => once(socket, 'open')))
    for (const socket of sockets) socket.terminate()

    for (let i = 0; i < 200; i++) {
      const socket = new WebSocket(`${address}/stomp/websocket`, 'v12.stomp')
      await once(socket, 'open')
      socket.send('CONNECT\naccept-version:1.2\nlogin:nobody\npasscode:nothing\n\n\u0000')
      const [answer] = await once(socket, 'message')
      expect(String(answer)).toContain('UNAUTHENTICATED')
    }

    const session = `${product.url}/stomp/000/${crypto.randomUUID().slice(0, 8)}`
    const opened = await fetch(`${session}/xhr`, { method: 'POST' })
    expect(await opened.text()).toBe('o\n')
    const frame = JSON.stringify(['CONNECT\naccept-version:1.2\nlogin:nobody\npasscode:nothing\n\n\u0000'])
    expect((await fetch(`${session}/xhr_send`, { method: 'POST', body: frame })).status).toBe(204)
    expect(await (await fetch(`${session}/xhr`, { method: 'POST' })).text()).toContain('UNAUTHENTICATED')
  })

  it('answers a first request that offers HTTP/2, as Java’s client sends it', async () => {
    const request = httpRequest(`${product.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        connection: 'Upgrade, HTTP2-Settings',
        upgrade: 'h2c',
        'http2-settings': 'AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
      },
    })
    request.end(JSON.stringify({ query: '{ __typename }' }))
    const [response] = await once(request, 'response')
    expect(response.statusCode).toBe(200)
    expect(JSON.parse((await response.toArray()).join(''))).toEqual({ data: { __typename: 'Query' } })
  })

  it('passes the answer of the door on before a body that it refuses has been sent', async () => {
    const request = httpRequest(`${product.url}/stomp/000/nobody/xhr_send`, { method: 'POST' })
    request.write('[')
    const [response] = await once(request, 'response')
    expect(response.statusCode).toBe(404)
    response.resume()
    request.destroy()
  })

  it('delivers each new log over graphql-ws with fields of both subgraphs', async () => {
    const token = await signIn(product.url)
    const dashboard = await graphqlData<Dashboard>(product.url, DASHBOARD, { token })
    const codes = new Set<string>()
    await using followed = follow<{
      logAdded: { message: string; device: { code: string; name: string; line: { name: string } } }
    }>(
      product.url,
      token,
      `subscription ($spaceId: ID!) {
        logAdded(spaceId: $spaceId) { message device { code name line { name } } }
      }`,
      { spaceId: dashboard.spaces.nodes[0]?.id },
    )
    await followed.first(({ logAdded }) => {
      expect(logAdded.message).not.toBe('')
      expect(logAdded.device.line.name).not.toBe('')
      return codes.add(logAdded.device.code).size === 12
    })
    expect(followed.messages.every(({ extensions }) => extensions?.cursor !== undefined)).toBe(true)
  })
})

describe('main.ts', () => {
  it('exits with 0 on SIGTERM with devices and people connected, and keeps its data for the next start', async () => {
    const dataDir = await makeDataDir()
    const first = await startProduct({ env: { NUVION_DATA: dataDir } })
    const token = await signIn(first.url)
    const ids = async (url: string, bearer: string) =>
      (await graphqlData<Dashboard>(url, DASHBOARD, { token: bearer })).spaces.nodes.map(space => space.id)
    const before = await ids(first.url, token)
    await using followed = follow(
      first.url,
      token,
      'subscription ($id: ID!) { logAdded(spaceId: $id) { id } }',
      { id: before[0] },
    )
    await followed.first(() => true)
    expect(await first.end('SIGTERM'), first.log()).toBe(0)

    const second = await startProduct({ env: { NUVION_DATA: dataDir } })
    expect(await ids(second.url, await signIn(second.url))).toEqual(before)
    expect(await second.end('SIGINT'), second.log()).toBe(0)
    await rm(dataDir, { recursive: true, force: true })
  }, 90_000)

  it('recovers by itself after everything was killed with SIGKILL', async () => {
    const dataDir = await makeDataDir()
    const first = await startProduct({ env: { NUVION_DATA: dataDir } })
    await signIn(first.url)
    await first.end('SIGKILL')
    const second = await startProduct({ env: { NUVION_DATA: dataDir } })
    await signIn(second.url)
    expect(await second.end('SIGTERM'), second.log()).toBe(0)
    await rm(dataDir, { recursive: true, force: true })
  }, 90_000)

  it('starts again whichever of its processes is killed, on the same port and with nothing typed', async () => {
    const dataDir = await makeDataDir()
    await using product = await startProduct({ env: { NUVION_DATA: dataDir } })
    const token = await signIn(product.url)
    const ask = () => graphqlData<Dashboard>(product.url, DASHBOARD, { token })
    const spaceId = (await ask()).spaces.nodes[0]?.id
    for (const roles of ['stomp ingest', 'gateway device events', 'mariadbd', 'redis-server']) {
      for (const pid of await findChildren(product.pid, roles)) process.kill(pid, 'SIGKILL')
      const killedAt = new Date().toISOString()
      await waitFor(
        async () => {
          const { logs } = await graphqlData<{ logs: { nodes: unknown[] } }>(
            product.url,
            `query ($id: ID!, $from: DateTime) { logs(spaceId: $id, first: 20, filter: { from: $from }) { nodes { id } } }`,
            { token, variables: { id: spaceId, from: killedAt } },
          ).catch(() => ({ logs: { nodes: [] } }))
          return logs.nodes.length === 20
        },
        { deadlineMs: 40_000, what: `new logs after the end of ${roles}` },
      )
    }
    await product[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
  }, 180_000)

  it('is not ready while a server it stands on does not answer, and is again once it does', async () => {
    const dataDir = await makeDataDir()
    await using product = await startProduct({ env: { NUVION_DATA: dataDir } })
    const status = async () => (await fetch(`${product.url}/readyz`)).status
    expect(await status()).toBe(200)
    for (const name of ['mariadbd', 'redis-live']) {
      const [pid = 0] = await findChildren(product.pid, name)
      process.kill(pid, 'SIGSTOP')
      await waitFor(async () => (await status()) === 503, { what: `not ready without ${name}` })
      process.kill(pid, 'SIGCONT')
      await waitFor(async () => (await status()) === 200, {
        what: `ready again with ${name}`,
        deadlineMs: 20_000,
      })
    }
    await product[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
  }, 60_000)

  it('leaves nothing behind when its supervisor is killed at any moment of a start', async () => {
    const dataDir = await makeDataDir()
    const port = String(40_000 + Math.floor(Math.random() * 9_000))
    for (const afterMs of [300, 700, 1_000, 1_300]) {
      const starting = startProduct({ env: { NUVION_DATA: dataDir, PORT: port }, killAfterMs: afterMs })
      await starting.then(
        product => product.end('SIGKILL'),
        () => undefined,
      )
    }
    await waitFor(
      () =>
        fetch(`http://127.0.0.1:${port}/healthz`).then(
          () => false,
          () => true,
        ),
      { deadlineMs: 8_000, what: 'the end of the front' },
    )
    await using product = await startProduct({ env: { NUVION_DATA: dataDir, PORT: port } })
    await signIn(product.url)
    await product[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
  }, 120_000)

  it('runs beside another one with another folder and port', async () => {
    const dataDirs = [await makeDataDir(), await makeDataDir()]
    const [one, other] = await Promise.all(dataDirs.map(dir => startProduct({ env: { NUVION_DATA: dir } })))
    if (one === undefined || other === undefined) throw new Error('Both should run.')
    expect(one.url).not.toBe(other.url)
    await Promise.all([signIn(one.url), signIn(other.url)])
    expect(await Promise.all([one.end('SIGTERM'), other.end('SIGTERM')])).toEqual([0, 0])
    await Promise.all(dataDirs.map(dir => rm(dir, { recursive: true, force: true })))
  }, 90_000)

  it('says that a port is taken and exits, leaving nothing behind', async () => {
    const dataDir = await makeDataDir()
    await using server = await startMetricsServer(0, async () => '')
    const taken = startProduct({ env: { NUVION_DATA: dataDir, PORT: String(server.port) } })
    await expect(taken).rejects.toThrow(/PORT or HOST cannot be used.\n {2}listen EADDRINUSE/)
    await using free = await startProduct({ env: { NUVION_DATA: dataDir } })
    await signIn(free.url)
    await free[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
  }, 60_000)

  it('stops without a trace when told to at any moment of its first start', async () => {
    const port = String(30_000 + Math.floor(Math.random() * 9_000))
    for (const afterMs of [200, 500, 900, 1_300]) {
      const dataDir = await makeDataDir()
      const starting = startProduct({ env: { NUVION_DATA: dataDir, PORT: port }, termAfterMs: afterMs })
      const code = await starting.then(
        product => product.end('SIGTERM'),
        (error: Error) => /ended with (\w+)/.exec(String(error.cause))?.[1],
      )
      // Null: so early that there was nothing to close, and nobody to hear.
      expect(['0', 'null']).toContain(String(code))
      expect(await readdir('/proc').then(pids => runningOn(dataDir, pids))).toEqual([])
      await rm(dataDir, { recursive: true, force: true })
    }
  }, 60_000)

  it('stops in order when all its processes are told to at once, as an init system does', async () => {
    const dataDir = await makeDataDir()
    const product = await startProduct({ env: { NUVION_DATA: dataDir } })
    for (const roles of ['stomp ingest', 'gateway device events'])
      for (const pid of await findChildren(product.pid, roles)) process.kill(pid, 'SIGTERM')
    expect(await product.end('SIGTERM')).toBe(0)
    // Where mediasoup's worker is missing, that is said; it is no fault.
    const said = product
      .log()
      .split('\n')
      .filter(line => line !== '' && !line.includes('"media.off"'))
    expect(said).toEqual([])
    await rm(dataDir, { recursive: true, force: true })
  }, 60_000)

  it.each<{ roles: string[]; env: Record<string, string>; says: RegExp }>([
    { roles: ['gatewey'], env: {}, says: /gatewey.*gateway/s },
    { roles: [], env: { PORT: '99999' }, says: /PORT:/ },
    { roles: ['device'], env: {}, says: /DATABASE_URL.*REDIS_URL/s },
    {
      roles: ['gateway'],
      env: { DATABASE_URL: 'mysql://u@127.0.0.1/x', REDIS_URL: 'redis://127.0.0.1' },
      says: /DEVICE_URL/,
    },
    {
      roles: ['device'],
      env: { DATABASE_URL: 'mysql://u@127.0.0.1:1/x', REDIS_URL: 'redis://127.0.0.1:1' },
      says: /(DATABASE|REDIS)_URL cannot be used.\n.*ECONNREFUSED/,
    },
    { roles: [], env: { NUVION_DATA: '/dev/null/nuvion' }, says: /NUVION_DATA cannot be used.\n.*ENOTDIR/ },
  ])('says what is wrong and exits when started as $roles with $env', async ({ roles, env, says }) => {
    await expect(startProduct({ roles, env })).rejects.toThrow(says)
  })
})
