import { setTimeout as sleep } from 'node:timers/promises'
import type { ChainableCommander, Redis } from 'ioredis'
import { withDeadline } from '../deadline.ts'
import { AppError } from '../errors.ts'
import { STREAM_START } from './stream-id.ts'
import type { TopicEntry } from './topic-entry.ts'

/** Pause between attempts while Redis is away. */
const RETRY_MS = 100

/** A place in a topic: after the whole entry `id`, or before all of them when that is STREAM_START. */
export interface TopicPlace {
  readonly key: string
  readonly id: string
}

/** What follows a place. */
export interface TopicPart {
  /** Whether nothing that followed the place is lost. */
  readonly isCovered: boolean
  /** The entry of the place itself, unless that is the start, and the next ones, in order. */
  readonly entries: readonly TopicEntry[]
  /** There were no more when it was read. */
  readonly isLast: boolean
}

/** Reads what Redis keeps of topics. */
export interface TopicHistory {
  /** Id of the newest entry; STREAM_START of an empty topic. */
  readTail(key: string): Promise<string>
  /** Reads up to `count` entries after a place. */
  readAfter(place: TopicPlace, count: number): Promise<TopicPart>
  /**
   * Tells of each place whether it was still kept: what was read after it before this call is then whole. An entry is
   * trimmed after all that are older, so a place whose entry is there has lost nothing that follows.
   */
  areCovered(places: readonly TopicPlace[]): Promise<boolean[]>
}

type Replies = readonly (readonly [Error | null, unknown])[]

/**
 * Creates the reader of what topics keep, over short commands. Each call tries again while Redis is away; it rejects
 * with UNAVAILABLE after `deadlineMs`, or at the next failure when `signal` has aborted.
 */
export function createTopicHistory({
  redis,
  deadlineMs,
  signal,
}: {
  redis: Redis
  deadlineMs: number
  signal: AbortSignal
}): TopicHistory {
  async function ask<T>(fill: (commands: ChainableCommander) => void, read: (r: Replies) => T): Promise<T> {
    const lastAt = performance.now() + deadlineMs
    for (;;) {
      try {
        const commands = redis.pipeline()
        fill(commands)
        const leftMs = Math.max(1, lastAt - performance.now())
        return read((await withDeadline('The live topic', leftMs, () => commands.exec())) ?? [])
      } catch (cause) {
        if (signal.aborted || performance.now() + RETRY_MS >= lastAt)
          throw new AppError('UNAVAILABLE', 'Live updates cannot be followed now.', { cause })
        await sleep(RETRY_MS, undefined, { signal }).catch(() => {})
      }
    }
  }

  return {
    readTail: key =>
      ask(
        commands => commands.xrevrange(key, '+', '-', 'COUNT', 1),
        replies => readEntries(replies[0])[0]?.[0] ?? STREAM_START,
      ),

    readAfter({ key, id }, count) {
      const isStart = id === STREAM_START
      return ask(
        commands => {
          commands.xrange(key, id, '+', 'COUNT', isStart ? count : count + 1)
          // Asked after the entries were read: what was not trimmed by then had not been before.
          if (isStart) commands.xinfo('STREAM', key)
        },
        replies => {
          const entries = readEntries(replies[0])
          if (isStart) return { isCovered: isUntrimmed(replies[1]), entries, isLast: entries.length < count }
          return { isCovered: entries[0]?.[0] === id, entries, isLast: entries.length <= count }
        },
      )
    },

    async areCovered(places) {
      if (places.length === 0) return []
      return ask(
        commands => {
          for (const { key, id } of places)
            if (id === STREAM_START) commands.xinfo('STREAM', key)
            else commands.xrange(key, id, id)
        },
        replies =>
          places.map(({ id }, index) =>
            id === STREAM_START ? isUntrimmed(replies[index]) : readEntries(replies[index]).length > 0,
          ),
      )
    },
  }
}

function readEntries(reply: Replies[number] | undefined): readonly TopicEntry[] {
  if (reply === undefined) throw new TypeError('Expected a reply to each command, got none.')
  if (reply[0] !== null) throw reply[0]
  return reply[1] as TopicEntry[]
}

/** Whether a stream, as XINFO STREAM tells of it, still holds all that was ever added; one that is not there does. */
function isUntrimmed(reply: Replies[number] | undefined): boolean {
  const [error, info] = reply ?? [new TypeError('Expected a reply to each command, got none.')]
  if (error?.message.includes('no such key')) return true
  if (error) throw error
  const fields = info as unknown[]
  const read = (name: string) => fields[fields.indexOf(name) + 1]
  return read('entries-added') === read('length')
}
