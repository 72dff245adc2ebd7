import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { openSocketClient } from '../testing/socket-client.ts'
import { startLiveGateway } from '../testing/start-live-gateway.ts'
import { testToken } from '../testing/start-test-gateway.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const QUERY = 'subscription ($s: ID!, $n: [ID!]) { machineChanged(spaceId: $s, ids: $n) { id note } }'

/** Bytes of the heap that are in use. */
function heapUsed(): number {
  for (let i = 0; i < 3; i++) collect()
  return process.memoryUsage().heapUsed
}

test('10,000 subscriptions that come and go, and 1,000 sockets that die, leave nothing', async () => {
  await using live = await startLiveGateway('in-process', {
    maxConnectionsPerCaller: 2_000,
    maxPoints: 0,
  })
  live.gateway.fixture.setRole('ann', 'factory', 'VIEWER')
  const { redis, reader } = live.world
  const client = await live.signIn('ann')
  const [db = ''] = / db=\d+ /.exec(String(await redis.live.client('INFO'))) ?? []
  /** Of the database of this file; the server is everyone's. */
  const countClients = async () =>
    String(await redis.live.client('LIST'))
      .split('\n')
      .filter(line => line.includes(db)).length

  async function comeAndGo(count: number): Promise<void> {
    for (let done = 0; done < count; done += 100) {
      for (let i = 0; i < 100; i++)
        client.subscribe(`${done} ${i}`, QUERY, { variables: { s: 'factory', n: [String(i % 10)] } })
      await live.settled({ subscriptions: 100, groups: 10 })
      for (let i = 0; i < 100; i++) client.complete(`${done} ${i}`)
      await live.settled({ subscriptions: 0, groups: 0 })
    }
  }

  async function die(count: number): Promise<void> {
    const token = testToken({ userId: 'ann' })
    for (let done = 0; done < count; done += 50) {
      const sockets = await Promise.all(
        Array.from({ length: 50 }, () => openSocketClient(live.gateway.wsUrl, token)),
      )
      for (const socket of sockets) socket.subscribe('1', QUERY, { variables: { s: 'factory' } })
      await live.settled({ subscriptions: 50, groups: 1 })
      await live.world.publish('factory', 1)
      for (const { socket } of sockets) socket.terminate()
      await live.settled({ subscriptions: 0, groups: 0 })
    }
  }

  await comeAndGo(1_000)
  await die(100)
  const before = { heap: heapUsed(), clients: await countClients() }
  await comeAndGo(9_000)
  await die(900)
  expect(reader.topicCount).toBe(0)
  expect(before.clients).toBeGreaterThan(1)
  expect(await countClients()).toBe(before.clients)
  for (const event of ['close', 'error', 'end']) expect(redis.live.listenerCount(event)).toBeLessThan(5)
  // A megabyte is some hundred bytes for each of them.
  expect(heapUsed() - before.heap).toBeLessThan(3_000_000)
}, 60_000)
