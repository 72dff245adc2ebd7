import { afterAll, expect, it } from 'vitest'
import type { TopologyEvent } from '../../../schema/live-event.ts'
import { createLivePublisher } from '../live-topic/live-publisher.ts'
import { startLiveReader } from '../live-topic/live-reader.ts'
import { createLogger } from '../logger.ts'
import { openTestRedis } from '../testkit/open-test-redis.ts'
import { waitFor } from '../testkit/wait-for.ts'
import { newId } from '../uuid-v7.ts'
import { startTopologyWatch, type TopologyChange } from './topology-watch.ts'

const logger = createLogger({ level: 'silent', role: 'test' })
const redis = await openTestRedis()
afterAll(() => redis[Symbol.asyncDispose]())

it('tells of its start, and of the changes of every space in their order', async () => {
  const liveReader = startLiveReader({ url: redis.liveUrl, redis: redis.live, logger })
  const watch = startTopologyWatch({ liveReader, logger })
  try {
    const changes: TopologyChange[] = []
    watch.onChange(change => changes.push(change))
    const next = () => waitFor(() => changes.shift())
    expect(await next()).toEqual({ kind: 'unknown' })
    const events: TopologyEvent[] = [
      { kind: 'space', spaceId: newId() },
      { kind: 'line', spaceId: newId(), ids: [newId()] },
      { kind: 'device', spaceId: newId(), ids: Array.from({ length: 500 }, newId) },
    ]
    await createLivePublisher({ redis: redis.live }).publish('topology', events)
    for (const event of events) expect(await next()).toEqual(event)
  } finally {
    await watch[Symbol.asyncDispose]()
    expect([liveReader.subscriptionCount, liveReader.topicCount]).toEqual([0, 0])
    await liveReader[Symbol.asyncDispose]()
  }
})
