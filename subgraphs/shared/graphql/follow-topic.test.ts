import { afterAll, beforeAll, expect, it } from 'vitest'
import type { StateEvent } from '../../../schema/live-event.ts'
import { createLivePublisher } from '../live-topic/live-publisher.ts'
import { type StartedLiveReader, startLiveReader } from '../live-topic/live-reader.ts'
import { createLogger } from '../logger.ts'
import { openTestRedis, type TestRedis } from '../testkit/open-test-redis.ts'
import { takeAll } from '../testkit/take-all.ts'
import { newId } from '../uuid-v7.ts'
import { cursorOf, markOf, opensWithMark } from './event-cursor.ts'
import { followTopic } from './follow-topic.ts'

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

const range = (count: number, from = 0) => Array.from({ length: count }, (_, i) => from + i)
const publish = (spaceId: string, times: number[]) =>
  createLivePublisher({ redis: redis.live }).publish(
    'state',
    times.map(at => ({ deviceId: 'd', spaceId, at, status: 'IDLE', metrics: null })),
  )
const toRootValue = (event: StateEvent) => (event.at >= 0 ? { at: event.at } : undefined)

it('yields a mark, then what is selected with its cursor, from where it is told to begin', async () => {
  const spaceId = newId()
  const stream = await followTopic(reader, 'state', spaceId, undefined, toRootValue)
  expect(opensWithMark(stream)).toBe(true)
  expect(markOf((await stream.next()).value)).toEqual({ cursor: '0-0.99', isGap: false })
  await publish(spaceId, [1, -1, 2])
  const [first, second] = [(await stream.next()).value, (await stream.next()).value]
  expect([first, second]).toEqual([expect.objectContaining({ at: 1 }), expect.objectContaining({ at: 2 })])
  expect([markOf(first), cursorOf(second)]).toEqual([undefined, expect.stringMatching(/^\d+-0\.2$/)])
  await stream.return(undefined)

  const after = cursorOf(first)
  const replay = await followTopic(reader, 'state', spaceId, { after, isReplay: true }, toRootValue)
  const rootValues = await takeAll(replay)
  const tail = cursorOf(second)?.replace(/\d+$/, '99')
  expect(rootValues.map(markOf)).toEqual([
    { cursor: after, isGap: false },
    undefined,
    { cursor: tail, isGap: false },
  ])
  expect(cursorOf(rootValues[1])).toBe(cursorOf(second))
})

it('tells where it stands after 100 events in a row that it leaves out', async () => {
  const spaceId = newId()
  const stream = await followTopic(reader, 'state', spaceId, undefined, toRootValue)
  await stream.next()
  await publish(spaceId, [...range(60).fill(-1), 1, ...range(199).fill(-1), 2])
  expect(cursorOf((await stream.next()).value)).toMatch(/\.60$/)
  // Event 60 was selected; the hundred left out end with event 160, the second entry's 60.
  expect(markOf((await stream.next()).value)).toEqual({
    cursor: expect.stringMatching(/-\d+\.60$/),
    isGap: false,
  })
  expect(cursorOf((await stream.next()).value)).toMatch(/\.60$/)
  await stream.return(undefined)
})

it('tells of a gap', async () => {
  const stream = await followTopic(reader, 'state', newId(), { after: '1-0.0' }, toRootValue)
  expect(markOf((await stream.next()).value)).toEqual({ cursor: '0-0.99', isGap: true })
  await stream.return(undefined)
  expect([reader.subscriptionCount, reader.topicCount]).toEqual([0, 0])
})
