import type { FormattedExecutionResult } from 'graphql'
import { createMetrics } from '../../subgraphs/shared/metrics.ts'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import type { GatewayLimits } from '../gateway-limits.ts'
import { createFixture } from './fixture-subgraphs.ts'
import { type LiveWorld, openLiveWorld } from './live-world.ts'
import { openSocketClient, type SocketClient } from './socket-client.ts'
import { type Shape, startTestGateway, type TestGateway, testToken } from './start-test-gateway.ts'

/** A gateway over the live world. */
export interface LiveGateway extends AsyncDisposable {
  readonly world: LiveWorld
  readonly gateway: TestGateway
  /** Opens a socket of a user. */
  signIn(userId: string, sessionId?: string, lifeMs?: number): Promise<SocketClient>
  /** Waits for this many subscriptions, in this many groups whose streams are open. */
  settled(counts: { subscriptions: number; groups: number }): Promise<void>
  /** Value of a counter or gauge. */
  read(metric: string): Promise<number>
}

/** Starts it, with subgraphs in its process or servers of their own. */
export async function startLiveGateway(shape: Shape, limits?: Partial<GatewayLimits>): Promise<LiveGateway> {
  const world = await openLiveWorld()
  const metrics = createMetrics({ group: 'test', withDefaults: false })
  const fixture = createFixture()
  const { supergraphSdl, subgraphs } = world.create(fixture)
  const gateway = await startTestGateway({
    shape,
    limits,
    metrics,
    supergraphSdl,
    fixture: Object.assign(fixture, { subgraphs }),
  })
  const clients: SocketClient[] = []

  async function read(metric: string): Promise<number> {
    const found = await metrics.getSingleMetric(metric)?.get()
    return found?.values[0]?.value ?? 0
  }

  return {
    world,
    gateway,
    read,
    async signIn(userId, sessionId = `session-of-${userId}`, lifeMs) {
      const client = await openSocketClient(gateway.wsUrl, testToken({ userId, sessionId, lifeMs }))
      clients.push(client)
      return client
    },
    async settled(counts) {
      const wanted = { ...counts, streams: counts.groups }
      let found = {}
      await waitFor(
        async () => {
          found = {
            subscriptions: await read('nuvion_gateway_subscriptions'),
            groups: await read('nuvion_gateway_subscription_groups'),
            streams: world.reader.subscriptionCount,
          }
          if (JSON.stringify(found) === JSON.stringify(wanted)) return true
          throw new Error(`found ${JSON.stringify(found)}`)
        },
        { what: JSON.stringify(wanted) },
      )
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.socket.terminate()
      await gateway[Symbol.asyncDispose]()
      await world[Symbol.asyncDispose]()
    },
  }
}

/** Numbers of the machines in results, in order; `gap` for a gap. */
export function listNumbers(results: readonly FormattedExecutionResult[]): (number | 'gap')[] {
  return results.map(({ data, extensions }) => {
    if (extensions?.gap) return 'gap'
    const [machine] = Object.values(data ?? {}) as { id: string }[]
    return Number(machine?.id.split('/')[1])
  })
}

/** Cursor of a result. */
export function cursorOf(result: FormattedExecutionResult | undefined): string {
  return String(result?.extensions?.cursor)
}
