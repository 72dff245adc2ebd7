import type { SubgraphResult } from '../../subgraphs/shared/graphql/subgraph-executor.ts'
import { compareCursors } from '../../subgraphs/shared/live-topic/live-cursor.ts'
import type { StreamStart } from '../../subgraphs/shared/live-topic/live-topics.ts'
import { createEventBatch, createGapPayload, type EventBatch, type EventPayload } from './event-payload.ts'
import { openGroupUpstream, type UpstreamLimits } from './group-upstream.ts'
import { createPastPages } from './past-pages.ts'
import { createReplay, type Replay } from './replay.ts'
import type { Subscriber } from './subscriber.ts'

/** What a group is made of. */
export interface GroupOptions {
  /** Opens the first fetch at its subgraph; `getSpeaker` answers on whose behalf, again for each event. */
  readonly open: (
    start: StreamStart,
    getSpeaker: () => Subscriber,
  ) => Promise<AsyncGenerator<SubgraphResult, undefined>>
  /** Runs the plan for one event, on behalf of the subscriber that is handed over. Never rejects. */
  readonly run: (event: SubgraphResult, speaker: Subscriber) => Promise<EventPayload>
  readonly limits: UpstreamLimits
  /** Called once, when nobody is left or the stream has ended. */
  readonly onClosed: () => void
  readonly onLost: (error: unknown) => void
}

/** A subscriber's place in a group. */
export interface Membership {
  /** Where the member stands in the topic; undefined where there are no cursors, or nothing is known yet. */
  readonly position: string | undefined
  /** Leaves without a word to the subscriber. */
  leave(): void
}

/** Subscribers that get the same results: one stream, one execution and one JSON text per event for all of them. */
export interface SubscriptionGroup {
  readonly size: number
  /**
   * Adds a subscriber, who gets every event from now on, or after `after` when that is given: first what it has missed,
   * then what comes, each once and in order, or a payload that says that there is a gap. Null gets such a payload as soon as
   * nothing is missed any more: what is loaded then, and what comes, leave nothing out.
   *
   * `onEnd` is called once, unless it leaves: when the stream ends, with the error if there is one.
   */
  join(subscriber: Subscriber, onEnd: (error?: unknown) => void, after?: string | null): Membership
}

/** Events that run at once; results leave in the order of the events. */
const MAX_RUNNING_EVENTS = 32

/** Results that wait for a member that is catching up; past it they are dropped and read again from the topic. */
const MAX_HELD_PAYLOADS = 256

/** Results that leave together at most; more of them in one turn leave in parts. */
const MAX_BATCH = 64

interface Member {
  readonly subscriber: Subscriber
  readonly onEnd: (error?: unknown) => void
  /** Events up to here are not for it. Set while it is ahead of the group, undefined once that is over. */
  after: string | undefined
  /** What the group has sent while it catches up; undefined when it is not catching up, or was too slow. */
  held: EventPayload[] | undefined
}

/** Creates a group without members, and opens its stream when the first one joins. */
export function createSubscriptionGroup({
  open,
  run,
  limits,
  onClosed,
  onLost,
}: GroupOptions): SubscriptionGroup {
  /** In the order in which they joined. */
  const members = new Set<Member>()
  const catchingUp = new Set<Member>()
  const pages = createPastPages({
    open: start => open(start, getSpeaker),
    run: event => run(event, getSpeaker()),
  })
  const opened = Promise.withResolvers<void>()
  let isOpen = false
  let isResumable = false
  let isClosed = false
  /** What was sent last. */
  let position: string | undefined
  /** What was taken from the stream last, and will be sent. */
  let accepted: string | undefined
  let running = 0
  let lastEmitted: Promise<void> = Promise.resolve()
  let pending: EventPayload[] = []
  let speaker: Subscriber | undefined

  /** On whose behalf the group asks: its oldest member, whose rights are those of all. */
  function getSpeaker(): Subscriber {
    const [oldest] = members.size > 0 ? members : catchingUp
    speaker = oldest?.subscriber ?? speaker
    if (speaker === undefined) throw new TypeError('Expected a group with a member, got none.')
    return speaker
  }

  const upstream = () =>
    openGroupUpstream({
      open: start => open(start, getSpeaker),
      readPosition: () => accepted,
      onResult: accept,
      onLost,
      onEnd: error => void lastEmitted.then(() => end(error)),
      limits,
    })
  let stream: ReturnType<typeof upstream> | undefined

  function accept(result: SubgraphResult): Promise<void> | undefined {
    const ready = result.extensions?.isMark ? result : run(result, getSpeaker())
    const isRefusal = result.data === undefined
    accepted = result.extensions?.cursor ?? accepted
    running++
    lastEmitted = lastEmitted.then(async () => {
      const payload = await ready
      running--
      if (isClosed) return
      if (!('json' in payload)) passMark(payload)
      else if (isRefusal) refuse(payload)
      else emit(payload)
    })
    return running < MAX_RUNNING_EVENTS ? undefined : lastEmitted
  }

  function passMark({ extensions = {} }: SubgraphResult): void {
    // A stream without cursors that was lost and is open again has missed whatever there was.
    const isGap = extensions.isGap || (isOpen && extensions.cursor === undefined)
    if (isGap) emit(createGapPayload(extensions.cursor))
    position = extensions.cursor ?? position
    isResumable = extensions.cursor !== undefined
    isOpen = true
    opened.resolve()
  }

  function emit(payload: EventPayload): void {
    position = payload.cursor ?? position
    if (pending.push(payload) === 1) setImmediate(flush)
    else if (pending.length === MAX_BATCH) flush()
    for (const member of catchingUp) {
      if (member.held === undefined) continue
      if (member.held.length < MAX_HELD_PAYLOADS) member.held.push(payload)
      else member.held = undefined
    }
  }

  /**
   * Sends what has come in this turn of the event loop: a burst costs each member one write. Called before a member comes
   * or goes too, so that `position` is where all members are.
   */
  function flush(): void {
    if (pending.length === 0) return
    const batch = createEventBatch(pending, true)
    pending = []
    for (const member of members) deliver(member, batch)
  }

  /** What comes instead of a stream's first mark says why there is none, to those as well who are catching up. */
  function refuse(payload: EventPayload): void {
    flush()
    const batch = createEventBatch([payload])
    for (const { subscriber } of [...members, ...catchingUp]) subscriber.next(batch)
  }

  function deliver(member: Member, batch: EventBatch): void {
    if (member.after === undefined) {
      member.subscriber.next(batch)
      return
    }
    const payloads = batch.payloads.filter(payload => isFor(member, payload))
    if (payloads.length > 0) member.subscriber.next(createEventBatch(payloads, batch.isWholeTurn))
  }

  function isFor(member: Member, { cursor, isGap }: EventPayload): boolean {
    if (member.after === undefined || cursor === undefined || isGap) return true
    if (compareCursors(cursor, member.after) <= 0) return false
    member.after = undefined
    return true
  }

  function end(error?: unknown): void {
    if (isClosed) return
    flush()
    const everyone = [...members, ...catchingUp]
    close()
    for (const { onEnd } of everyone) onEnd(error)
  }

  function close(): void {
    isClosed = true
    members.clear()
    catchingUp.clear()
    pages.clear()
    opened.resolve()
    stream?.close()
    onClosed()
  }

  /** Tells a member that has nothing yet from where on it misses nothing. */
  async function announce(member: Member): Promise<void> {
    await opened.promise
    flush()
    if (members.has(member)) member.subscriber.next(createEventBatch([createGapPayload(position)]))
  }

  /** Brings a member from its place in the past to the group's. */
  async function catchUp(member: Member, replay: Replay): Promise<void> {
    await opened.promise
    const isHere = () => catchingUp.has(member)
    if (isHere() && !isResumable) member.subscriber.next(createEventBatch([createGapPayload(undefined)]))
    while (isHere() && isResumable) {
      if (member.held === undefined) {
        // Before the round begins: from here on nothing that the group sends is missed.
        member.held = []
        await replay.run(isHere)
      }
      const payload = takeHeld(member)
      if (payload === 'none') break
      if (payload !== 'too many') await replay.skipOrSend(payload, isHere)
    }
    if (!isHere()) return
    flush()
    member.held = undefined
    member.after = replay.position
    catchingUp.delete(member)
    members.add(member)
    if (catchingUp.size === 0) pages.clear()
  }

  return {
    get size() {
      return members.size + catchingUp.size
    },
    join(subscriber, onEnd, after) {
      if (isClosed) throw new TypeError('Expected an open group, got a closed one.')
      const member: Member = { subscriber, onEnd, after: undefined, held: undefined }
      const replay =
        typeof after === 'string' ? createReplay({ after, pages, subscriber, limits }) : undefined
      if (replay === undefined) {
        flush()
        members.add(member)
        if (after === null) void announce(member)
      } else {
        catchingUp.add(member)
        void catchUp(member, replay).catch(error => {
          if (leave()) onEnd(error)
        })
      }
      stream ??= upstream()

      function leave(): boolean {
        flush()
        const isMember = members.delete(member) || catchingUp.delete(member)
        if (isMember && members.size + catchingUp.size === 0) close()
        else if (catchingUp.size === 0) pages.clear()
        return isMember
      }

      return {
        get position() {
          flush()
          return members.has(member) ? (member.after ?? position) : replay?.position
        },
        leave,
      }
    },
  }
}

/** The next of what the group has sent while a member catches up; `too many` when not all of it was held. */
function takeHeld({ held }: Member): EventPayload | 'none' | 'too many' {
  return held === undefined ? 'too many' : (held.shift() ?? 'none')
}
