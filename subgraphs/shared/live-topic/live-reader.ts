import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { LiveEventOf, TopicKind } from '../../../schema/live-event.ts'
import { redisKeys } from '../../../schema/redis-keys.ts'
import { withDeadline } from '../deadline.ts'
import { AppError } from '../errors.ts'
import type { Closable } from '../lifecycle.ts'
import type { Logger } from '../logger.ts'
import { openRedis } from '../redis/open-redis.ts'
import { endOfEntry } from './live-cursor.ts'
import { createLiveSubscription, type LiveSubscription } from './live-subscription.ts'
import type { LiveReader } from './live-topics.ts'
import { compareStreamIds, STREAM_START } from './stream-id.ts'

/** How long one XREAD waits. Also the longest silence before the topics are checked for lost data. */
const BLOCK_MS = 5_000

/** A blocked XREAD that is this late has lost its connection without a word, which is then dialled again. */
const BLOCK_GRACE_MS = 2_000

/** Entries per topic and read; small, so that consumers run between reads and their buffers hold a whole one. */
const ENTRIES_PER_READ = 5

/** Deadline of the short commands. */
const COMMAND_DEADLINE_MS = 5_000

/** A pause between two reads after which a topic may have been trimmed past what was read. */
const LATE_MS = 1_000

/** Pause after a failed read, and between attempts to wake the blocked connection. */
const RETRY_MS = 100
const WAKE_RETRY_MS = 2

export interface LiveReaderOptions {
  /** The live Redis; the reader opens a blocking connection of its own to it. */
  url: string
  /** Connection to the same Redis for short commands; stays the caller's. */
  redis: Redis
  logger: Logger
  /** Events that wait for a slow subscriber before it fails. Default 1,000. */
  maxBufferedEvents?: number
}

/** Followed while it has subscribers. */
interface Topic {
  readonly key: string
  /** Id of the newest entry handed out. */
  lastId: string
  /** Subscriptions with the tail at which each begins. */
  readonly subscriptions: Map<LiveSubscription<TopicKind>, string>
}

type StreamEntry = [id: string, fields: string[]]

/**
 * Starts the reader of live topics of a process.
 *
 * All topics share one blocking XREAD; it resumes from the last ids when Redis comes back, so a reconnect loses
 * nothing. When the entry read last is no longer there (Redis has lost data, or the topic was trimmed past a reader
 * that was away), the topic's subscribers get UNAVAILABLE: they may have missed events. Dispose rejects all.
 */
export function startLiveReader(options: LiveReaderOptions): LiveReader & Closable {
  const { url, redis, logger, maxBufferedEvents = 1_000 } = options
  const blocking = openRedis({
    url,
    name: 'live-reader',
    maxBlockMs: BLOCK_MS,
    commandTimeoutMs: BLOCK_GRACE_MS,
  })
  const topics = new Map<string, Topic>()
  const closing = new AbortController()
  let changed = Promise.withResolvers<void>()
  let clientId: string | undefined
  let reading: object | undefined
  let isCheckDue = false
  blocking.redis.on('close', () => {
    clientId = undefined
    isCheckDue = true
  })

  /** Makes the loop look at the set of topics again, also when it is blocked in a read without the new one. */
  async function wake(): Promise<void> {
    changed.resolve()
    const stale = reading
    while (stale !== undefined && reading === stale && !closing.signal.aborted) {
      // The read may have been sent and not yet be blocked: then nothing is unblocked, and it is asked again.
      if (clientId !== undefined) {
        const woken = await redis.call('CLIENT', 'UNBLOCK', clientId).catch(() => 0)
        if (Number(woken) === 1) return
      }
      await sleep(WAKE_RETRY_MS)
    }
  }

  async function run(): Promise<void> {
    let lastCheckAt = performance.now()
    let lastReadAt = lastCheckAt
    let isFailing = false
    while (!closing.signal.aborted) {
      if (topics.size === 0) {
        changed = Promise.withResolvers<void>()
        await changed.promise
        lastReadAt = performance.now()
        continue
      }
      try {
        clientId ??= String(await blocking.redis.client('ID'))
        const followed = [...topics.values()].map(topic => ({ topic, from: topic.lastId }))
        const mustCheck = isCheckDue || performance.now() - lastReadAt > LATE_MS
        const reply = await read(followed, !mustCheck)
        lastReadAt = performance.now()
        // Checked after the read and for the ids before it: what is still there then was not trimmed before.
        if (mustCheck || lastReadAt - lastCheckAt >= BLOCK_MS) {
          isCheckDue = false
          await failBroken(followed).catch(error => {
            isCheckDue = true
            throw error
          })
          lastCheckAt = performance.now()
        }
        if (isFailing) logger.info('live_reader.recovered')
        isFailing = false
        await deliver(reply)
      } catch (error) {
        if (closing.signal.aborted) return
        isCheckDue = true
        if (!isFailing) logger.warn({ err: error }, 'live_reader.read_failed')
        isFailing = true
        await sleep(RETRY_MS, undefined, { signal: closing.signal }).catch(() => {})
      }
    }
  }

  async function read(
    followed: { topic: Topic; from: string }[],
    mayBlock: boolean,
  ): Promise<Map<string, StreamEntry[]>> {
    const block = mayBlock ? ['BLOCK', BLOCK_MS] : []
    const args = [...followed.map(({ topic }) => topic.key), ...followed.map(({ from }) => from)]
    reading = {}
    try {
      const reply = (await blocking.redis.call(
        'XREAD',
        'COUNT',
        ENTRIES_PER_READ,
        ...block,
        'STREAMS',
        ...args,
      )) as (string | StreamEntry[])[] | null
      const byKey = new Map<string, StreamEntry[]>()
      for (let i = 0; reply !== null && i < reply.length; i += 2)
        byKey.set(reply[i] as string, reply[i + 1] as StreamEntry[])
      return byKey
    } finally {
      reading = undefined
    }
  }

  async function deliver(reply: Map<string, StreamEntry[]>): Promise<void> {
    for (let i = 0; i < ENTRIES_PER_READ; i++) {
      let isDone = true
      for (const [key, entries] of reply) {
        const entry = entries[i]
        if (entry === undefined) continue
        isDone = false
        deliverEntry(topics.get(key), entry)
      }
      if (isDone) return
      // Lets consumers take an entry's events before the next ones come.
      await nextTurn()
    }
  }

  function deliverEntry(topic: Topic | undefined, [id, fields]: StreamEntry): void {
    if (topic === undefined || compareStreamIds(id, topic.lastId) <= 0) return
    topic.lastId = id
    let events: LiveEventOf[TopicKind][]
    try {
      events = JSON.parse(fields[fields.indexOf('v') + 1] ?? '')
      if (!Array.isArray(events)) throw new TypeError('An entry of a live topic is a JSON array')
    } catch (error) {
      logger.error({ err: error, key: topic.key, id }, 'live_reader.malformed_entry')
      return
    }
    const deliveries = events.map((event, index) => ({ event, cursor: `${id}.${index}` }))
    for (const [subscription, tail] of [...topic.subscriptions])
      if (compareStreamIds(id, tail) > 0) subscription.push(deliveries)
  }

  /** Fails the subscribers of topics whose last entry is gone: what followed it may be gone too. */
  async function failBroken(followed: { topic: Topic; from: string }[]): Promise<void> {
    const known = followed.filter(({ from }) => from !== STREAM_START)
    if (known.length === 0) return
    const pipeline = redis.pipeline()
    for (const { topic, from } of known) pipeline.xrange(topic.key, from, from)
    const results = (await withDeadline('XRANGE', COMMAND_DEADLINE_MS, () => pipeline.exec())) ?? []
    for (const [index, { topic }] of known.entries()) {
      const [error, entries] = results[index] ?? [new Error('no reply')]
      if (error) throw error
      if ((entries as StreamEntry[]).length > 0) continue
      logger.warn({ key: topic.key }, 'live_reader.gap')
      failTopic(topic, new AppError('UNAVAILABLE', 'Some events may have been missed. Subscribe again.'))
    }
  }

  function failTopic(topic: Topic, error: AppError): void {
    for (const subscription of [...topic.subscriptions.keys()]) subscription.fail(error)
  }

  async function readTail(key: string): Promise<string> {
    try {
      const newest = (await withDeadline('XREVRANGE', COMMAND_DEADLINE_MS, () =>
        redis.xrevrange(key, '+', '-', 'COUNT', 1),
      )) as StreamEntry[]
      return newest[0]?.[0] ?? STREAM_START
    } catch (cause) {
      throw new AppError('UNAVAILABLE', 'Live updates cannot be followed now.', { cause })
    }
  }

  function join(key: string, tail: string, subscription: LiveSubscription<TopicKind>): Topic {
    const existing = topics.get(key)
    if (existing !== undefined) {
      existing.subscriptions.set(subscription, tail)
      return existing
    }
    const topic: Topic = { key, lastId: tail, subscriptions: new Map([[subscription, tail]]) }
    topics.set(key, topic)
    void wake()
    return topic
  }

  const running = run()
  let closed: Promise<void> | undefined

  async function close(): Promise<void> {
    closing.abort()
    for (const topic of [...topics.values()])
      failTopic(topic, new AppError('UNAVAILABLE', 'This server is closing. Subscribe again.'))
    changed.resolve()
    await blocking[Symbol.asyncDispose]()
    await running
  }

  return {
    async subscribe<K extends TopicKind>(kind: K, scope: string) {
      const key = redisKeys.liveTopic(kind, scope)
      const tail = await readTail(key)
      if (closing.signal.aborted)
        throw new AppError('UNAVAILABLE', 'This server is closing. Subscribe again.')
      const subscription = createLiveSubscription<K>({
        maxBuffered: maxBufferedEvents,
        onEnd: () => {
          topic.subscriptions.delete(member)
          if (topic.subscriptions.size === 0 && topics.get(key) === topic) topics.delete(key)
        },
      })
      // A topic carries events of its kind only: the key names it.
      const member = subscription as unknown as LiveSubscription<TopicKind>
      const topic = join(key, tail, member)
      subscription.push([{ event: null, cursor: endOfEntry(tail), isGap: false }])
      return subscription.iterator
    },
    [Symbol.asyncDispose]() {
      closed ??= close()
      return closed
    },
  }
}
