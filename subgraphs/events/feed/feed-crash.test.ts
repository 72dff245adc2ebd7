import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { redisKeys } from '../../../schema/redis-keys.ts'
import { startRedis } from '../../shared/embedded/redis.ts'
import { openMysql } from '../../shared/mysql/open-mysql.ts'
import type { CommittedEvents } from '../../shared/outbox-listener.ts'
import { openRedis } from '../../shared/redis/open-redis.ts'
import { openTestDatabase } from '../../shared/testkit/open-test-database.ts'
import { waitFor } from '../../shared/testkit/wait-for.ts'
import { createFeedFixture, eventsOf, makeErrorLog } from './feed-fixture.ts'
import { compareNewestFirst, serializeFeedKey } from './feed-key.ts'

it('a Redis that is killed and has lost its last writes costs a feed nothing, nor does one that has lost all', async () => {
  await using database = await openTestDatabase()
  await using others = openMysql({ url: database.url })
  const dir = mkdtempSync(join(tmpdir(), 'nuvion-feed-'))
  let died = Promise.withResolvers<void>()
  const start = () => {
    died = Promise.withResolvers()
    const onDeath = () => died.resolve()
    return startRedis({ dataDir: join(dir, 'redis'), name: 'live', appendfsync: 'everysec', onDeath })
  }
  let server = await start()
  const client = openRedis({ url: server.url, name: 'feed' })
  try {
    const fixture = createFeedFixture({ db: database.db, others: others.db, redis: client.redis })
    const space = await fixture.addSpace()
    const user = await fixture.addMember(space.spaceId)
    await fixture.watch(user, 'SPACE', space.spaceId)
    const listener = fixture.createListener()
    const keys: string[] = []

    const tell = async (events: CommittedEvents) => {
      let isRepeat = false
      await waitFor(
        async () => {
          try {
            await listener.deliver(events, { isRepeat })
            return true
          } catch {
            isRepeat = true
            return false
          }
        },
        { what: 'the listener' },
      )
    }
    const raise = async () => {
      const place = fixture.placeOf(space.deviceIds[keys.length % 4] ?? '')
      const item = makeErrorLog(place, Date.now() + keys.length)
      await fixture.commit(eventsOf({ logs: [item] }))
      keys.push(serializeFeedKey({ ...item, kind: 'log' }))
      await tell(eventsOf({ logs: [item] }))
    }
    const kill = async () => {
      process.kill(server.pid, 'SIGKILL')
      const raising = raise()
      await died.promise
      server = await start()
      await raising
    }
    const check = async () => {
      await waitFor(() => client.redis.status === 'ready', { what: 'the connection' })
      expect(await fixture.readAll(user.userId)).toEqual([...keys].sort(compareNewestFirst))
    }

    for (let i = 0; i < 5; i++) await raise()
    await check()
    const own = redisKeys.feedOfUser(user.userId)
    for (let round = 0; round < 3; round++) {
      await raise()
      // As if it had been added in the second that is lost.
      expect(await client.redis.zrem(own, keys.at(-1) ?? '')).toBe(1)
      await kill()
      expect(await client.redis.exists(own)).toBe(1)
      await check()
    }
    await client.redis.flushall()
    await raise()
    await check()
    await raise()
    await check()
  } finally {
    await client[Symbol.asyncDispose]()
    await server.close()
    rmSync(dir, { recursive: true, force: true })
  }
})
