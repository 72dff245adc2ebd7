import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { StateEvent } from '../../../schema/live-event.ts'
import { redisKeys } from '../../../schema/redis-keys.ts'
import { type RedisServer, startRedis } from '../embedded/redis.ts'
import { createLogger } from '../logger.ts'
import { openRedis } from '../redis/open-redis.ts'
import { waitFor } from '../testkit/wait-for.ts'
import { newId } from '../uuid-v7.ts'
import { compareCursors, parseCursor } from './live-cursor.ts'
import { createLivePublisher } from './live-publisher.ts'
import { startLiveReader } from './live-reader.ts'
import type { LiveDelivery, LiveReader, StreamStart } from './live-topics.ts'
import { compareStreamIds, STREAM_START } from './stream-id.ts'

const ROUNDS = 12
const ENTRIES_PER_ROUND = 40
const FOLLOWERS = 30
const logger = createLogger({ level: 'silent', role: 'test' })

/** One stream from its begin to its end, as its follower saw it. */
interface Run {
  readonly start: StreamStart
  readonly deliveries: LiveDelivery<'state'>[]
  isDone: boolean
}

/** Numbers in [0, 1) that a seed determines (mulberry32). */
function createChance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

it.each([1, 2, Date.now() % 1_000_000])(
  'every stream is whole and in order but for its gaps, through kills and trims (seed %i)',
  async seed => {
    const chance = createChance(seed)
    const below = (limit: number) => Math.floor(chance() * limit)
    const dir = mkdtempSync(join(tmpdir(), 'nuvion-chaos-'))
    const start = () => startRedis({ dataDir: join(dir, 'redis'), name: 'live', appendfsync: 'always' })
    let server: RedisServer = await start()
    const client = openRedis({ url: server.url, name: 'commands' })
    const { redis } = client
    const publisher = createLivePublisher({ redis })
    const readers = [
      startLiveReader({ url: server.url, redis, logger, maxBufferedEvents: 20, deadlineMs: 150 }),
      startLiveReader({ url: server.url, redis, logger }),
    ]
    const spaceId = newId()
    const key = redisKeys.liveTopic('state', spaceId)

    /** Cursors of all events that ever were in the topic. */
    const truth = new Set<string>()
    let trimmedTo = STREAM_START
    const seen = ['0-0.99']
    const runs: Run[] = []
    let published = 0
    let progress = Promise.withResolvers<void>()
    let isPublishing = true
    let isOver = false

    const retry = <T>(work: () => Promise<T>) => waitFor(() => work().then(value => ({ value })))

    async function publishRound(): Promise<void> {
      for (let i = 0; i < ENTRIES_PER_ROUND; i++) {
        const events = Array.from({ length: 1 + below(8) }, (): StateEvent => {
          return { deviceId: 'd', spaceId, at: published++, status: 'IDLE', metrics: null }
        })
        await retry(() => publisher.publish('state', events))
        progress.resolve()
        progress = Promise.withResolvers()
        for (let turns = below(4); turns > 0; turns--) await nextTurn()
      }
    }

    function learn(entries: [string, string[]][]): void {
      for (const [id, fields] of entries) {
        const count = (JSON.parse(fields[1] ?? '') as unknown[]).length
        for (let index = 0; index < count; index++) truth.add(`${id}.${index}`)
      }
    }

    async function disturb(): Promise<void> {
      const kind = below(4)
      if (kind === 0) {
        process.kill(server.pid, 'SIGKILL')
        await server.close()
        server = await start()
      } else if (kind === 1) {
        // More is kept than one read takes, as the cap of the product does by far.
        const trim = redis
          .multi()
          .xrange(key, '-', '+')
          .xtrim(key, 'MAXLEN', 10 + below(60))
        const replies = (await trim.xrange(key, '-', '+', 'COUNT', 1).exec()) ?? []
        const [before, , after] = replies.map(([, reply]) => reply as [string, string[]][])
        learn(before ?? [])
        trimmedTo = after?.[0]?.[0] ?? trimmedTo
      } else if (kind === 2) {
        const clients = String(await redis.client('LIST')).split('\n')
        for (const line of clients.filter(line => line.includes('name=live-reader')))
          await redis.call('CLIENT', 'KILL', 'ID', /^id=(\d+) /.exec(line)?.[1] ?? '')
      }
    }

    /** Follows on and on: from where it was, sometimes from elsewhere, with breaks, quick or slow. */
    function createFollower(reader: LiveReader, slowness: number) {
      const follower = { position: '', stop: async () => {} }
      let from: string | undefined = chance() < 0.3 ? undefined : seen[below(seen.length)]

      async function follow(run: Run): Promise<void> {
        const stream = await reader.subscribe('state', spaceId, run.start)
        follower.stop = async () => void (await stream.return?.())
        while (!isOver) {
          const { value, done } = await stream.next()
          if (done) {
            run.isDone = true
            return
          }
          run.deliveries.push(value)
          follower.position = value.cursor
          if (seen.length < 5_000) seen.push(value.cursor)
          if (isPublishing && chance() < 0.003) return await follower.stop()
          if (chance() < 0.3) for (let turns = below(3); turns > 0; turns--) await nextTurn()
          for (let waits = chance() < slowness ? below(30) : 0; isPublishing && waits > 0; waits--)
            await progress.promise
        }
      }

      async function run(): Promise<void> {
        while (!isOver) {
          const isReplay = isPublishing && chance() < 0.2
          const run: Run = { start: { after: from, isReplay }, deliveries: [], isDone: false }
          runs.push(run)
          await follow(run).catch(error => {
            if (error.code !== 'UNAVAILABLE') throw error
          })
          from = isPublishing && chance() < 0.2 ? seen[below(seen.length)] : follower.position || from
        }
      }

      return Object.assign(follower, { running: run() })
    }

    function check({ start: { after, isReplay }, deliveries, isDone }: Run, all: readonly string[]): number {
      /** How many events there are up to a cursor. */
      const countTo = (cursor: string) => {
        let [low, high] = [0, all.length]
        while (low < high) {
          const middle = (low + high) >> 1
          if (compareCursors(all[middle] ?? '', cursor) <= 0) low = middle + 1
          else high = middle
        }
        return low
      }
      let [position, count, gaps] = [after, 0, 0]
      for (const [index, delivery] of deliveries.entries()) {
        const { cursor } = delivery
        if (delivery.event !== null) {
          expect(cursor).toBe(all[count])
          count++
        } else if ('isGap' in delivery && delivery.isGap) {
          gaps++
          expect(compareStreamIds(parseCursor(position ?? '').id, trimmedTo)).toBeLessThan(0)
          count = countTo(cursor)
        } else if (index === 0) {
          if (after !== undefined) expect(cursor).toBe(after)
          count = countTo(cursor)
        } else {
          expect(countTo(cursor)).toBe(count)
        }
        if (index === 0) expect(delivery.event).toBeNull()
        position = cursor
      }
      if (isDone && isReplay) expect(deliveries.at(-1)?.event).toBeNull()
      return gaps
    }

    try {
      const followers = Array.from({ length: FOLLOWERS }, (_, i) =>
        createFollower(readers[i % 2] as LiveReader, i % 3 === 0 ? 0.2 : 0),
      )
      for (let round = 0; round < ROUNDS; round++) await Promise.all([publishRound(), disturb()])
      isPublishing = false
      progress.resolve()
      const all = await retry(() => redis.xrange(key, '-', '+'))
      learn(all.value)
      const tail = [...truth].sort(compareCursors).at(-1) ?? ''
      await waitFor(() =>
        followers.every(({ position }) => position !== '' && compareCursors(position, tail) >= 0),
      )
      isOver = true
      await Promise.all(followers.map(follower => follower.stop()))
      await Promise.all(followers.map(follower => follower.running))
      const events = [...truth].sort(compareCursors)
      const gaps = runs.reduce((sum, run) => sum + check(run, events), 0)
      if (trimmedTo === STREAM_START) expect(gaps).toBe(0)
      expect(readers.map(reader => [reader.subscriptionCount, reader.topicCount])).toEqual([
        [0, 0],
        [0, 0],
      ])
      const count = async () => String(await redis.client('LIST')).split('name=live-reader').length - 1
      expect(await count()).toBe(2)
      await Promise.all(readers.map(reader => reader[Symbol.asyncDispose]()))
      await waitFor(async () => (await count()) === 0)
    } finally {
      isOver = true
      await Promise.all(readers.map(reader => reader[Symbol.asyncDispose]()))
      await client[Symbol.asyncDispose]()
      await server.close()
      rmSync(dir, { recursive: true, force: true })
    }
  },
)
