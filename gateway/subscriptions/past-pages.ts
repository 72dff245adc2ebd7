import { GraphQLError } from 'graphql'
import type { SubgraphResult } from '../../subgraphs/shared/graphql/subgraph-executor.ts'
import { compareCursors } from '../../subgraphs/shared/live-topic/live-cursor.ts'
import type { StreamStart } from '../../subgraphs/shared/live-topic/live-topics.ts'
import { createGapPayload, type EventPayload } from './event-payload.ts'
import { readOutage } from './group-upstream.ts'

/** A stretch of a topic's past, run and in order. */
export interface PastPage {
  /** Events, and gaps where they are not kept any more. */
  readonly payloads: readonly EventPayload[]
  /** Everything up to here is in it, or before it. */
  readonly position: string
  /** It goes up to what was the topic's end at the moment of the asker, or later. */
  readonly isLast: boolean
}

/** The past of a group's topic, read once for all who ask for the same part of it. */
export interface PastPages {
  /** A moment to read since. */
  now(): number
  /**
   * Reads what follows a cursor. A page that somebody else has read serves too, but is the last one only if it was begun
   * after `since`. Rejects when the stream is refused or cannot be opened.
   */
  read(after: string, since: number): Promise<PastPage>
  /** Forgets what was read. */
  clear(): void
}

/** Events of a page: they are run at once, and are what one who is slow keeps in memory. */
const MAX_PAGE_EVENTS = 64

/** Pages that are kept for the next one who asks. */
const MAX_KEPT_PAGES = 8

interface KeptPage {
  readonly after: string
  readonly begunAt: number
  readonly reading: Promise<PastPage>
  /** Undefined while it is being read. */
  page: PastPage | undefined
}

/** Creates the pages of a group; nothing is read before somebody asks. */
export function createPastPages({
  open,
  run,
}: {
  open: (start: StreamStart) => Promise<AsyncGenerator<SubgraphResult, undefined>>
  run: (event: SubgraphResult) => Promise<EventPayload>
}): PastPages {
  const kept = new Set<KeptPage>()
  let moment = 0

  async function readPage(after: string): Promise<PastPage> {
    const stream = await open({ after, isReplay: true, maxEvents: MAX_PAGE_EVENTS })
    const payloads: (EventPayload | Promise<EventPayload>)[] = []
    let position = after
    let events = 0
    try {
      while (events < MAX_PAGE_EVENTS) {
        const { done, value } = await stream.next()
        if (done) break
        const outage = readOutage(value)
        if (outage !== undefined) throw outage
        const { cursor, isMark, isGap } = value.extensions ?? {}
        position = cursor ?? position
        if (isGap) payloads.push(createGapPayload(cursor))
        if (isMark) continue
        if (value.data === undefined) throw toRefusal(value)
        events++
        payloads.push(run(value))
      }
    } finally {
      await stream.return(undefined)
    }
    return { payloads: await Promise.all(payloads), position, isLast: events < MAX_PAGE_EVENTS }
  }

  function begin(after: string): KeptPage {
    moment++
    const reading = readPage(after)
    const entry: KeptPage = { after, begunAt: moment, reading, page: undefined }
    kept.add(entry)
    for (const oldest of kept) {
      if (kept.size <= MAX_KEPT_PAGES) break
      kept.delete(oldest)
    }
    reading.then(
      page => {
        entry.page = page
      },
      () => kept.delete(entry),
    )
    return entry
  }

  /** Whether a page tells one who stands at `after` anything new. */
  function serves({ after: begin, begunAt, page }: KeptPage, after: string, since: number): boolean {
    if (page === undefined) return begin === after
    if (compareCursors(begin, after) > 0) return false
    const left = compareCursors(page.position, after)
    return left > 0 || (left === 0 && page.isLast && begunAt > since)
  }

  async function findEntry(after: string, since: number): Promise<KeptPage> {
    for (;;) {
      const entry = [...kept].find(candidate => serves(candidate, after, since))
      if (entry !== undefined) return entry
      const near = [...kept].find(
        ({ page, after: from }) => page === undefined && compareCursors(from, after) < 0,
      )
      if (near === undefined) return begin(after)
      // It may turn out to have what is asked for.
      await near.reading.catch(() => {})
    }
  }

  return {
    now: () => moment,
    async read(after, since) {
      const entry = await findEntry(after, since)
      const { payloads, position, isLast } = await entry.reading
      const isNew = ({ cursor }: EventPayload) => cursor === undefined || compareCursors(cursor, after) > 0
      return {
        payloads: entry.after === after ? payloads : payloads.filter(isNew),
        position,
        isLast: isLast && entry.begunAt > since,
      }
    },
    clear: () => kept.clear(),
  }
}

function toRefusal({ errors = [] }: SubgraphResult): GraphQLError {
  const [
    first = { message: 'The subscription was refused.', extensions: { code: 'INTERNAL_SERVER_ERROR' } },
  ] = errors
  return new GraphQLError(first.message, { extensions: first.extensions })
}
