import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { IngestItem } from '../../schema/ingest-entry.ts'
import { redisKeys } from '../../schema/redis-keys.ts'
import { AppError } from '../../subgraphs/shared/errors.ts'
import { openTestRedis, type TestRedis } from '../../subgraphs/shared/testkit/open-test-redis.ts'
import { timeOfId } from '../../subgraphs/shared/uuid-v7.ts'
import { openTestDoor, readEpisodes, readTransitions, START } from './presence-fixture.ts'

let redis: TestRedis
const clock = { now: START }

beforeAll(async () => {
  redis = await openTestRedis()
})
beforeEach(async () => {
  clock.now = START
  await Promise.all([redis.live.flushdb(), redis.ingest.flushdb()])
})
afterAll(() => redis[Symbol.asyncDispose]())

describe('the presence drain', () => {
  it('appends each transition once, in order, and leaves nothing pending', async () => {
    const door = openTestDoor(redis, clock)
    const ids = Array.from({ length: 700 }, (_, i) => `d${i}`)
    for (let round = 0; round < 2; round++)
      await Promise.all(
        ids.map(async id => {
          const { generation } = await door.begin(id)
          await door.disconnect(id, generation, clock.now + 1)
        }),
      )
    await door.drain()
    const items = await readTransitions(redis.ingest)
    expect(items).toHaveLength(2_800)
    expect(await redis.live.exists(redisKeys.presencePending())).toBe(0)
    expect(await readEpisodes(redis.ingest, 'd13')).toEqual(['+0', '-1', '+2', '-2'])
  })

  it('keeps what the log did not take, under the same ids', async () => {
    const attempts: IngestItem[][] = []
    const failing = openTestDoor(redis, clock, {
      appender: {
        async append(items) {
          attempts.push([...items])
          throw new AppError('UNAVAILABLE', 'late')
        },
      },
    })
    const door = openTestDoor(redis, clock)
    await failing.begin('d')
    await expect(failing.drain()).rejects.toThrow('late')
    await expect(failing.drain()).rejects.toThrow('late')
    await door.drain()
    expect(attempts[1]).toEqual(attempts[0])
    expect(await readTransitions(redis.ingest)).toEqual(attempts[0])
  })

  it('appends copies of the same id when two doors drain at once, and takes out only what it appended', async () => {
    const doors = [openTestDoor(redis, clock), openTestDoor(redis, clock)] as const
    const { generation } = await doors[0].begin('d')
    await Promise.all(doors.map(door => door.drain()))
    expect(await readEpisodes(redis.ingest, 'd')).toEqual(['+0'])

    await doors[0].disconnect('d', generation, START + 5)
    const lines = (await redis.live.hget(redisKeys.presencePending(), 'd')) ?? ''
    await doors[1].begin('d')
    await doors[1].scripts.settle([['d', lines]])
    await doors[1].scripts.settle([['d', lines]])
    await doors[1].drain()
    expect((await readTransitions(redis.ingest, 'd')).map(({ id }) => timeOfId(id) - START)).toEqual([0, 6])
  })
})
