import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { TopicKind } from '../../../schema/live-event.ts'
import type { Closable } from '../lifecycle.ts'
import type { Logger } from '../logger.ts'
import { type BlockingRead, ENTRIES_PER_READ, openBlockingRead } from './blocking-read.ts'
import type { LiveDelivery } from './live-topics.ts'
import { compareStreamIds } from './stream-id.ts'
import { readEntry, type TopicEntry } from './topic-entry.ts'
import type { TopicHistory } from './topic-history.ts'

/** How often all topics are checked for lost data when nothing calls for it. */
const CHECK_INTERVAL_MS = 5_000

/** Pause after a failed read. */
const RETRY_MS = 100

/** Who is given a topic's new events. */
export interface TopicMember {
  push(deliveries: readonly LiveDelivery<TopicKind>[]): void
  /** It is no member any more, because the feed may have missed entries: it is to read on for itself. */
  release(): void
}

/** The live flow of all topics of a process, over one blocking XREAD. */
export interface TopicFeed extends Closable {
  /**
   * Gives a member all entries after `id`, from now on. False when the feed has already passed `id`: who then reads what
   * is between finds the feed still, or nearly, there.
   */
  join(key: string, id: string, member: TopicMember): boolean
  leave(key: string, member: TopicMember): void
  /** Topics followed now. */
  readonly size: number
}

/** Followed while it has members. */
interface Topic {
  readonly key: string
  /** Id of the newest entry handed out. */
  lastId: string
  /** Members with the id at which each joined. */
  readonly members: Map<TopicMember, string>
}

/**
 * Starts the feed. It resumes from the last ids when Redis comes back, so a reconnect loses nothing. When the entry read
 * last is no longer there (Redis has lost data, or the topic was trimmed past a feed that was late), members are released
 * before they are given what came after.
 */
export function startTopicFeed({
  url,
  redis,
  history,
  logger,
}: {
  /** The live Redis; the feed opens its blocking connection to it. */
  url: string
  /** Connection to the same Redis for short commands; stays the caller's. */
  redis: Redis
  history: Pick<TopicHistory, 'areCovered'>
  logger: Logger
}): TopicFeed {
  const topics = new Map<string, Topic>()
  const closing = new AbortController()
  let changed = Promise.withResolvers<void>()
  let isCheckDue = false
  const blocking = openBlockingRead({
    url,
    redis,
    onLost: () => {
      isCheckDue = true
    },
  })

  async function run(): Promise<void> {
    let lastCheckAt = performance.now()
    let isFailing = false
    while (!closing.signal.aborted) {
      if (topics.size === 0) {
        changed = Promise.withResolvers<void>()
        await changed.promise
        continue
      }
      try {
        const followed = [...topics.values()].map(topic => ({ topic, key: topic.key, id: topic.lastId }))
        const reply = await blocking.read(followed, !isCheckDue)
        const isAllDue = isCheckDue || performance.now() - lastCheckAt >= CHECK_INTERVAL_MS
        // A topic can only have been trimmed past what was read of it when there is more of it than one read takes.
        const suspects = isAllDue ? followed : followed.filter(({ key }) => isFull(reply.get(key)))
        if (isAllDue) isCheckDue = false
        await releaseUncovered(suspects)
        if (isAllDue) lastCheckAt = performance.now()
        if (isFailing) logger.info('live_reader.recovered')
        isFailing = false
        await deliver(followed, reply)
      } catch (error) {
        if (closing.signal.aborted) return
        isCheckDue = true
        if (!isFailing) logger.warn({ err: error }, 'live_reader.read_failed')
        isFailing = true
        await sleep(RETRY_MS, undefined, { signal: closing.signal }).catch(() => {})
      }
    }
  }

  /** Checked after a read and for the ids before it: what is still there then was not trimmed before. */
  async function releaseUncovered(suspects: readonly { topic: Topic; key: string; id: string }[]) {
    const covered = await history.areCovered(suspects)
    for (const [index, { topic }] of suspects.entries()) {
      if (covered[index] || !isFollowed(topic)) continue
      logger.warn({ key: topic.key }, 'live_reader.gap')
      topics.delete(topic.key)
      for (const member of topic.members.keys()) member.release()
    }
  }

  async function deliver(
    followed: readonly { topic: Topic }[],
    reply: Awaited<ReturnType<BlockingRead['read']>>,
  ): Promise<void> {
    const news = followed.filter(({ topic }) => reply.has(topic.key))
    for (let i = 0; i < ENTRIES_PER_READ; i++) {
      let isDone = true
      for (const { topic } of news) {
        const entry = reply.get(topic.key)?.[i]
        if (entry === undefined) continue
        isDone = false
        deliverEntry(topic, entry)
      }
      if (isDone) return
      // Lets consumers take an entry's events before the next ones come.
      await nextTurn()
    }
  }

  function deliverEntry(topic: Topic, entry: TopicEntry): void {
    if (!isFollowed(topic)) return
    const [id] = entry
    topic.lastId = id
    const deliveries = readEntry(entry, error =>
      logger.error({ err: error, key: topic.key, id }, 'live_reader.malformed_entry'),
    )
    if (deliveries.length === 0) return
    for (const [member, joinedAt] of [...topic.members])
      if (compareStreamIds(id, joinedAt) > 0) member.push(deliveries)
  }

  /** A topic that all had left is another one when it is followed again: what was read for the old one is not for it. */
  function isFollowed(topic: Topic): boolean {
    return topics.get(topic.key) === topic
  }

  const running = run()
  let closed: Promise<void> | undefined

  async function close(): Promise<void> {
    closing.abort()
    changed.resolve()
    await blocking[Symbol.asyncDispose]()
    await running
  }

  return {
    join(key, id, member) {
      const existing = topics.get(key)
      if (existing === undefined) {
        topics.set(key, { key, lastId: id, members: new Map([[member, id]]) })
        // The loop is to look at the set of topics again, also when it waits in a read without the new one.
        changed.resolve()
        void blocking.interrupt()
        return true
      }
      if (compareStreamIds(existing.lastId, id) > 0) return false
      existing.members.set(member, id)
      return true
    },
    leave(key, member) {
      const topic = topics.get(key)
      if (topic?.members.delete(member) && topic.members.size === 0) topics.delete(key)
    },
    get size() {
      return topics.size
    },
    [Symbol.asyncDispose]() {
      closed ??= close()
      return closed
    },
  }
}

function isFull(entries: readonly TopicEntry[] | undefined): boolean {
  return entries !== undefined && entries.length >= ENTRIES_PER_READ
}
