import { type Client, createClient } from 'graphql-ws'
import { WebSocket } from 'ws'
import { AppError } from '../../subgraphs/shared/errors.ts'
import type { Subgraph } from '../../subgraphs/shared/graphql/subgraph.ts'
import { createSubgraphServer } from '../../subgraphs/shared/graphql/subgraph-server.ts'
import { createLogger, type Logger } from '../../subgraphs/shared/logger.ts'
import { createMetrics, type Metrics } from '../../subgraphs/shared/metrics.ts'
import { createGateway, type Gateway, type GatewayOptions } from '../create-gateway.ts'
import type { GatewayLimits } from '../gateway-limits.ts'
import { type HttpServer, startHttpServer } from '../http-server.ts'
import { createHttpSource } from '../sources/http-source.ts'
import { createInProcessSource } from '../sources/in-process-source.ts'
import { createFixture, FIXTURE_SUPERGRAPH, type Fixture } from './fixture-subgraphs.ts'

/** Where the subgraphs run. */
export type Shape = 'in-process' | 'remote'

/** A GraphQL answer over HTTP. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  // Tests look into answers freely.
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the test asserts.
  readonly body: any
}

/** A gateway over the fixture, listening. */
export interface TestGateway extends AsyncDisposable {
  readonly fixture: Fixture
  readonly gateway: Gateway
  readonly server: HttpServer
  readonly url: string
  readonly wsUrl: string
  /** Lines that were logged. */
  readonly logged: string[]
  post(body: unknown, headers?: Record<string, string>): Promise<Answer>
  query(query: string, variables?: Record<string, unknown>): Promise<Answer>
  /** A graphql-ws client that does not retry; closed with the gateway. */
  connect(connectionParams?: Record<string, unknown>): Client
  /** Kills a remote subgraph: no listener, connections cut. */
  kill(subgraph: string): Promise<void>
  /** Serves a killed subgraph again, at its address. */
  revive(subgraph: string): Promise<void>
}

const SECRET = 'site-secret'

/** Tokens are `<userId>:<sessionId>:<expiresAt>`; what does not look so is not valid. */
export async function verifyTestToken(token: string) {
  const [userId, sessionId, expiresAt] = token.split(':')
  if (userId === undefined || sessionId === undefined || expiresAt === undefined)
    throw new AppError('UNAUTHENTICATED', 'The access token is not valid.')
  return { kind: 'user', userId, sessionId, expiresAt: Number(expiresAt) } as const
}

/** Makes a token that `verifyTestToken` accepts. */
export function testToken({ userId = 'ann', sessionId = 's1', lifeMs = 60_000 } = {}): string {
  return `${userId}:${sessionId}:${Date.now() + lifeMs}`
}

/** A subgraph behind a server of its own, which keeps its port. */
function createRemote(subgraph: Subgraph, logger: Logger) {
  let port = 0
  let stop: (() => Promise<void>) | undefined
  const kill = async () => {
    await stop?.()
    stop = undefined
  }
  return {
    async serve(): Promise<string> {
      const graphql = createSubgraphServer({ subgraph, secret: SECRET, logger })
      const server = await startHttpServer({
        port,
        host: '127.0.0.1',
        logger,
        routes: { graphql, isReady: () => true },
        drainDeadlineMs: 0,
      })
      port = Number(new URL(server.url).port)
      stop = async () => {
        await server[Symbol.asyncDispose]()
        await graphql[Symbol.asyncDispose]()
      }
      return server.url
    },
    kill,
    [Symbol.asyncDispose]: kill,
  }
}

/** Starts a gateway whose subgraphs are in its process, or servers of their own: those of the fixture, or others. */
export async function startTestGateway({
  shape,
  fixture = createFixture(),
  supergraphSdl = FIXTURE_SUPERGRAPH,
  limits,
  isProduction,
  remoteDeadlineMs,
  metrics = createMetrics({ group: 'test', withDefaults: false }),
  ...others
}: {
  shape: Shape
  fixture?: Fixture
  /** Of the fixture's subgraphs. */
  supergraphSdl?: string
  metrics?: Metrics
  limits?: Partial<GatewayLimits>
  isProduction?: boolean
  remoteDeadlineMs?: number
} & Pick<GatewayOptions, 'redis' | 'persistedDocuments' | 'trustedProxies'>): Promise<TestGateway> {
  const logged: string[] = []
  const logger = createLogger({
    level: 'warn',
    role: 'test',
    destination: { write: line => void logged.push(line) },
  })
  const remotes = new Map<string, ReturnType<typeof createRemote>>()
  const sources = await Promise.all(
    fixture.subgraphs.map(async subgraph => {
      if (shape === 'in-process') return createInProcessSource(subgraph, { logger })
      const remote = createRemote(subgraph, logger)
      const url = `${await remote.serve()}/graphql`
      remotes.set(subgraph.name, remote)
      return createHttpSource({
        name: subgraph.name,
        url,
        secret: SECRET,
        logger,
        deadlineMs: remoteDeadlineMs,
        maxResponseBytes: 1_048_576,
      })
    }),
  )
  const gateway = await createGateway({
    supergraphSdl,
    sources,
    verifyAccessToken: verifyTestToken,
    access: fixture.access,
    rights: fixture.rights,
    sessions: fixture.sessions,
    limits,
    isProduction,
    logger,
    metrics,
    ...others,
  })
  const server = await startHttpServer({
    port: 0,
    host: '127.0.0.1',
    logger,
    routes: {
      graphql: gateway,
      isReady: gateway.ready,
      readJwks: () => ({ keys: [] }),
    },
    drainDeadlineMs: 2_000,
  })
  const url = `${server.url}/graphql`
  const wsUrl = url.replace('http', 'ws')
  const clients: Client[] = []

  async function post(body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }

  return {
    fixture,
    gateway,
    server,
    url,
    wsUrl,
    logged,
    post,
    query: (query, variables) => post({ query, variables }),
    connect(connectionParams) {
      const client = createClient({
        url: wsUrl,
        webSocketImpl: WebSocket,
        connectionParams,
        retryAttempts: 0,
      })
      clients.push(client)
      return client
    },
    async kill(name) {
      await remotes.get(name)?.kill()
    },
    async revive(name) {
      await remotes.get(name)?.serve()
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.terminate()
      fixture.hanging.resolve('late')
      await server[Symbol.asyncDispose]()
      await gateway[Symbol.asyncDispose]()
      for (const remote of remotes.values()) await remote[Symbol.asyncDispose]()
    },
  }
}
