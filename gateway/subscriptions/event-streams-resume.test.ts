import { connect, type Socket } from 'node:net'
import type { FormattedExecutionResult } from 'graphql'
import { createClient } from 'graphql-sse'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { redisKeys } from '../../schema/redis-keys.ts'
import { createLivePublisher } from '../../subgraphs/shared/live-topic/live-publisher.ts'
import { type StartedLiveReader, startLiveReader } from '../../subgraphs/shared/live-topic/live-reader.ts'
import { createLogger } from '../../subgraphs/shared/logger.ts'
import { openTestRedis, type TestRedis } from '../../subgraphs/shared/testkit/open-test-redis.ts'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import { newId } from '../../subgraphs/shared/uuid-v7.ts'
import type { GatewayLimits } from '../gateway-limits.ts'
import { openEventSource, type SseMessage } from '../testing/event-source.ts'
import { createLiveFixture, LIVE_SUPERGRAPH } from '../testing/live-fixture.ts'
import { type Shape, startTestGateway, type TestGateway, testToken } from '../testing/start-test-gateway.ts'

const QUERY = 'subscription ($spaceId: ID!) { stateChanged(spaceId: $spaceId) { at } }'

let redis: TestRedis
let reader: StartedLiveReader

beforeAll(async () => {
  redis = await openTestRedis()
  const logger = createLogger({ level: 'silent', role: 'test' })
  reader = startLiveReader({ url: redis.liveUrl, redis: redis.live, logger })
})

afterAll(async () => {
  await reader[Symbol.asyncDispose]()
  await redis[Symbol.asyncDispose]()
})

const startGateway = (shape: Shape, limits?: Partial<GatewayLimits>) =>
  startTestGateway({ shape, limits, fixture: createLiveFixture(reader), supergraphSdl: LIVE_SUPERGRAPH })

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

/** A space of its own; `publish` puts states of these times into one entry of its topic. */
function createSpace() {
  const spaceId = newId()
  const publisher = createLivePublisher({ redis: redis.live })
  return {
    spaceId,
    key: redisKeys.liveTopic('state', spaceId),
    publish: (times: readonly number[], text?: string) =>
      publisher.publish(
        'state',
        times.map(at => ({ deviceId: 'd', spaceId, at, status: 'IDLE', metrics: text ? { text } : null })),
      ),
  }
}

/** Publishes until the reader of the messages has joined, which shows only by that; answers the last time. */
async function publishUntilSeen(
  { publish }: ReturnType<typeof createSpace>,
  messages: readonly unknown[],
): Promise<number> {
  let at = 0
  await waitFor(
    async () => {
      if (messages.length > 0) return true
      at++
      await publish([at])
      return false
    },
    { what: 'a first message' },
  )
  return at
}

function follow(
  { url }: TestGateway,
  spaceId: string,
  { lastEventId, ...others }: { lastEventId?: string; extensions?: object; token?: string } = {},
) {
  const { extensions, token } = others
  return openEventSource(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
    body: JSON.stringify({ query: QUERY, variables: { spaceId }, extensions }),
  })
}

const timeOf = ({ data }: SseMessage): unknown => JSON.parse(data).data?.stateChanged.at
const timesOf = (messages: readonly SseMessage[]) => messages.map(timeOf)

describe.each<Shape>(['in-process', 'remote'])('event streams over live topics with subgraphs %s', shape => {
  let gateway: TestGateway

  beforeAll(async () => {
    gateway = await startGateway(shape)
  })

  afterAll(async () => {
    await gateway[Symbol.asyncDispose]()
    await waitFor(() => reader.subscriptionCount === 0, { what: 'the end of all followers' })
  })

  test('resume at every event, by Last-Event-ID, exactly once while more comes', async () => {
    const space = createSpace()
    const witness = await follow(gateway, space.spaceId)
    const first = await publishUntilSeen(space, witness.messages)
    await space.publish(range(first + 1, first + 3))
    await space.publish(range(first + 4, first + 10))
    await waitFor(() => witness.messages.map(timeOf).includes(first + 10))
    const seen = [...witness.messages]
    const resumed = await Promise.all(
      seen.map(({ id }) => follow(gateway, space.spaceId, { lastEventId: id })),
    )
    for (const at of range(first + 11, first + 20)) await space.publish([at])
    for (const [index, source] of resumed.entries()) {
      await waitFor(() => timesOf(source.messages).includes(first + 20), { what: 'the last event' })
      expect(timesOf(source.messages)).toEqual(
        range(timeOf(seen[index] as SseMessage) as number, first + 20).slice(1),
      )
      source.close()
    }
    witness.close()
  })

  test('Last-Event-ID, of a client that comes again with the same body, wins over its resumeAfter', async () => {
    const space = createSpace()
    const witness = await follow(gateway, space.spaceId)
    const first = await publishUntilSeen(space, witness.messages)
    await space.publish([first + 1, first + 2, first + 3])
    await waitFor(() => timesOf(witness.messages).includes(first + 3))
    const [older, newer] = [witness.messages.at(-3)?.id, witness.messages.at(-2)?.id]
    const byBody = await follow(gateway, space.spaceId, { extensions: { resumeAfter: older } })
    expect(timesOf(await byBody.next(2))).toEqual([first + 2, first + 3])
    const byBoth = await follow(gateway, space.spaceId, {
      extensions: { resumeAfter: older },
      lastEventId: newer,
    })
    expect(timesOf(await byBoth.next(1))).toEqual([first + 3])
    const got = await openEventSource(
      `${gateway.url}?${new URLSearchParams({
        query: QUERY,
        variables: JSON.stringify({ spaceId: space.spaceId }),
        extensions: JSON.stringify({ resumeAfter: older }),
      })}`,
      { headers: { 'apollo-require-preflight': '1' } },
    )
    expect(timesOf(await got.next(2))).toEqual([first + 2, first + 3])
    for (const source of [witness, byBody, byBoth, got]) source.close()
  })

  test('what is not kept any more is a gap, with the cursor to go on from', async () => {
    const space = createSpace()
    await space.publish([1])
    const [[oldId = ''] = []] = await redis.live.xrange(space.key, '-', '+')
    await space.publish([2])
    await space.publish([3])
    await redis.live.xtrim(space.key, 'MAXLEN', 1)
    const source = await follow(gateway, space.spaceId, { lastEventId: `${oldId}.0` })
    const [gap] = await source.next(1)
    expect(JSON.parse(gap?.data ?? '')).toEqual({ data: null, extensions: { gap: true, cursor: gap?.id } })
    await space.publish([4])
    expect(timeOf((await source.next(2))[1] as SseMessage)).toBe(4)
    const again = await follow(gateway, space.spaceId, { lastEventId: gap?.id })
    expect(timesOf(await again.next(1))).toEqual([4])
    source.close()
    again.close()
  })

  test('whose role is another goes on, who is no member any more is told NOT_FOUND, then complete', async () => {
    const space = createSpace()
    const { setRole } = gateway.fixture
    setRole('ann', space.spaceId, 'ADMIN')
    const source = await follow(gateway, space.spaceId, { token: testToken({ userId: 'ann' }) })
    const first = await publishUntilSeen(space, source.messages)
    setRole('ann', space.spaceId, 'VIEWER')
    await space.publish([first + 1, first + 2])
    await waitFor(() => timesOf(source.messages).includes(first + 2))
    setRole('ann', space.spaceId, null)
    await source.ended
    const [last, complete] = source.messages.slice(-2)
    expect(JSON.parse(last?.data ?? '')).toEqual({
      errors: [
        { message: 'You are not a member of this space any more.', extensions: { code: 'NOT_FOUND' } },
      ],
    })
    expect(complete).toMatchObject({ event: 'complete', data: '' })
    const times = timesOf(source.messages.slice(0, -2))
    expect(times).toEqual(range(times[0] as number, first + 2))
  })

  test('the client of graphql-sse goes on at another gateway when its own stops, each event once', async () => {
    const space = createSpace()
    const gateways = [await startGateway(shape), gateway]
    const results: FormattedExecutionResult[] = []
    const request = {
      query: QUERY,
      variables: { spaceId: space.spaceId },
      extensions: {} as Record<string, unknown>,
    }
    const client = createClient({ url: () => gateways[0]?.url ?? '', retry: async () => {} })
    client.subscribe(request, {
      next(result) {
        results.push(result as FormattedExecutionResult)
        request.extensions.resumeAfter = (result as FormattedExecutionResult).extensions?.cursor
      },
      error() {},
      complete() {},
    })
    const first = await publishUntilSeen(space, results)
    const stopping = gateways.shift()
    await space.publish([first + 1])
    const stopped = stopping?.[Symbol.asyncDispose]()
    for (const at of range(first + 2, first + 30)) await space.publish([at])
    await stopped
    await space.publish([first + 31])
    const times = () => results.map(({ data }) => (data as { stateChanged: { at: number } }).stateChanged.at)
    await waitFor(() => times().includes(first + 31), { what: 'the last event' })
    expect(times()).toEqual(range(times()[0] as number, first + 31))
    client.dispose()
  })
})

test('a slow reader of what it has missed is waited for, not cut, and gets all of it', async () => {
  await using gateway = await startGateway('in-process', { maxBufferedBytes: 100_000 })
  const space = createSpace()
  const text = 'x'.repeat(20_000)
  await space.publish([1])
  const [[oldId = ''] = []] = await redis.live.xrange(space.key, '-', '+')
  await space.publish(range(2, 1_000), text)
  const query = 'subscription ($spaceId: ID!) { stateChanged(spaceId: $spaceId) { at text } }'
  const body = JSON.stringify({ query, variables: { spaceId: space.spaceId } })
  const socket: Socket = connect(gateway.server.port, '127.0.0.1').pause()
  let received = ''
  socket.on('data', data => {
    received += data
  })
  socket.pause()
  socket.write(
    `POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAccept: text/event-stream\r\nLast-Event-ID: ${oldId}.0\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  let [before, polls] = [0, 0]
  await waitFor(
    () => {
      const { length } = redis.roundTrips.live
      polls = length === before ? polls + 1 : 0
      before = length
      return polls === 20 && reader.subscriptionCount === 1
    },
    { what: 'a replay that waits' },
  )
  socket.resume()
  await waitFor(() => received.includes('"at":1000,'), { what: 'the last event', deadlineMs: 20_000 })
  const times = [...received.matchAll(/"stateChanged":\{"at":(\d+),/g)].map(([, at]) => Number(at))
  expect(times).toEqual(range(2, 1_000))
  expect(gateway.logged).toEqual([])
  socket.destroy()
})
