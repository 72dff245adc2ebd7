import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { quantile } from './statistics.ts'

/** Who follows what, and where. */
export interface CrowdOptions {
  /** Address of a server that speaks graphql-transport-ws. */
  readonly url: string
  /** Port that takes commands for events, and the topic that is followed: see perf/peers/fanout/event-feed.ts. */
  readonly feedPort: number
  readonly topic: number
  /** One a subscriber; as many subscribers as there are. */
  readonly tokens: readonly string[]
  /** Payload of each Subscribe. */
  readonly payload: object
}

/** How events are asked for: the next are when all subscribers have all of the last. */
export interface Pace {
  readonly durationMs: number
  /** Events that are asked for at a time. */
  readonly events: number
  /** Milliseconds between two of them; 0 has all of them pending at once. */
  readonly gapMs: number
}

/** What a crowd received. */
export interface CrowdResult {
  readonly events: number
  readonly messages: number
  readonly bytes: number
  /** Messages that did not come, came twice, or were not what they should be, with the first of them. */
  readonly failed: number
  readonly firstFailure: string | null
  readonly elapsedMs: number
  /** From the command for the event to each message; only where events come one by one. */
  readonly latencyMs: { readonly p50: number; readonly p95: number } | null
}

/** Subscribers of one server, a socket each. */
export interface SubscriberCrowd {
  /** The first message, as it came. */
  readonly sample: string
  run(pace: Pace): Promise<CrowdResult>
  /** Cuts all sockets. */
  close(): void
}

interface Subscriber {
  readonly socket: WebSocket
  readonly id: string
  /** Number of the event that comes next; undefined before the first. */
  next: number | undefined
}

/** Sockets that are opened at a time. */
const OPENING_AT_ONCE = 50
const OPEN_DEADLINE_MS = 20_000

/** All messages are counted; one in so many, and each subscriber's first, is read. A prime, so that it goes round. */
const CHECKED_ONE_IN = 61

/** Nobody has had a message for so long: all that was published has come. */
const QUIET_MS = 500
const STAND_DEADLINE_MS = 90_000

/** Messages of an event may take this long. */
const EVENT_DEADLINE_MS = 20_000

/** Opens a socket, a session and a subscription for each token; resolves when events reach all of them. */
export async function openCrowd({
  url,
  feedPort,
  topic,
  tokens,
  payload,
}: CrowdOptions): Promise<SubscriberCrowd> {
  const feed = await openFeed(feedPort)
  const subscribers: Subscriber[] = []
  let sample = ''
  let [messages, bytes, failed, unchecked] = [0, 0, 0, 0]
  let firstFailure: string | null = null
  let missing = 0
  let askedAt = 0
  let latencies: number[] | undefined
  let onAll = () => {}
  let onCut = () => {}

  function fail(reason: string): void {
    failed++
    firstFailure ??= reason
  }

  function take(subscriber: Subscriber, data: Buffer): void {
    messages++
    bytes += data.length
    latencies?.push(performance.now() - askedAt)
    const { next } = subscriber
    if (next === undefined || ++unchecked === CHECKED_ONE_IN) {
      unchecked = 0
      const number = readNumber(data, subscriber.id)
      if (number === undefined || (next !== undefined && number !== next))
        fail(`Event ${next} was expected: ${excerpt(data)}`)
      subscriber.next = (number ?? 0) + 1
      if (sample === '') sample = String(data)
    } else subscriber.next = next + 1
    if (--missing === 0) onAll()
  }

  async function open(token: string): Promise<void> {
    const socket = new WebSocket(url, 'graphql-transport-ws', { perMessageDeflate: false })
    const subscriber: Subscriber = { socket, id: randomUUID(), next: undefined }
    const acknowledged = Promise.withResolvers<void>()
    socket.once('error', acknowledged.reject)
    socket.once('close', (code, reason) => {
      acknowledged.reject(new Error(`A socket was closed with ${code} ${reason}.`))
      fail(`A socket was closed with ${code} ${reason}.`)
      onCut()
    })
    socket.once('open', () =>
      socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } })),
    )
    socket.once('message', ack => {
      if (!String(ack).includes('connection_ack'))
        return acknowledged.reject(new Error(excerpt(ack as Buffer)))
      socket.on('message', data => take(subscriber, data as Buffer))
      socket.send(JSON.stringify({ id: subscriber.id, type: 'subscribe', payload }))
      subscribers.push(subscriber)
      acknowledged.resolve()
    })
    const deadline = setTimeout(
      () => acknowledged.reject(new Error('A socket was not acknowledged in time.')),
      OPEN_DEADLINE_MS,
    )
    await acknowledged.promise.finally(() => clearTimeout(deadline))
  }

  /** Nothing says that a subscription stands, but an event that comes: publishes some until everybody has had one. */
  async function probe(): Promise<void> {
    const startedAt = performance.now()
    while (performance.now() - startedAt < STAND_DEADLINE_MS) {
      feed.write(Uint8Array.of(topic, 1, 0))
      await waitForQuiet()
      if (isLevel() && subscribers[0]?.next !== undefined) return
    }
    throw new Error(`Not all subscribers had an event: ${firstFailure ?? 'some have none'}.`)
  }

  async function waitForQuiet(): Promise<void> {
    let before: number
    do {
      before = messages
      await sleep(QUIET_MS)
    } while (messages !== before)
  }

  /** Whether all of them wait for the same event. */
  function isLevel(): boolean {
    return subscribers.every(({ next }) => next === subscribers[0]?.next)
  }

  async function publish(events: number, gapMs: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    onAll = resolve
    onCut = () => reject(new Error('cut'))
    missing = subscribers.length * events
    const deadline = setTimeout(() => reject(new Error('late')), EVENT_DEADLINE_MS)
    askedAt = performance.now()
    feed.write(Uint8Array.of(topic, events, gapMs))
    await promise.finally(() => clearTimeout(deadline))
  }

  for (let i = 0; i < tokens.length; i += OPENING_AT_ONCE)
    await Promise.all(tokens.slice(i, i + OPENING_AT_ONCE).map(open))
  await probe()
  if (failed > 0) throw new Error(`${failed} messages were wrong from the start: ${firstFailure}`)

  return {
    sample,
    async run({ durationMs, events: atOnce, gapMs }) {
      messages = 0
      bytes = 0
      failed = 0
      firstFailure = null
      const taken: number[] | undefined = atOnce === 1 ? [] : undefined
      latencies = taken
      let events = 0
      const startedAt = performance.now()
      try {
        do {
          events += atOnce
          await publish(atOnce, gapMs)
        } while (performance.now() - startedAt < durationMs)
      } catch {
        failed += missing
        firstFailure ??= `${missing} messages did not come in ${EVENT_DEADLINE_MS} ms.`
      }
      const elapsedMs = performance.now() - startedAt
      if (!isLevel()) fail('Not all subscribers have had the same events.')
      latencies = undefined
      const latencyMs = taken && { p50: quantile(taken, 0.5), p95: quantile(taken, 0.95) }
      return { events, messages, bytes, failed, firstFailure, elapsedMs, latencyMs: latencyMs ?? null }
    },
    close() {
      for (const { socket } of subscribers) socket.removeAllListeners('close').terminate()
      feed.destroy()
    },
  }
}

/** The number at the end of an event's message; undefined when it is not a whole event for this subscription. */
function readNumber(data: Buffer, subscription: string): number | undefined {
  const { id, type, payload } = JSON.parse(String(data)) as {
    id: string
    type: string
    payload?: { data?: { logAdded?: LogAdded } | null }
  }
  const log = payload?.data?.logAdded
  if (id !== subscription || type !== 'next' || !log?.id || !log.device?.line?.name) return undefined
  const number = /(\d+)$/.exec(log.message ?? '')?.[1]
  return number === undefined ? undefined : Number(number)
}

interface LogAdded {
  readonly id?: string
  readonly message?: string
  readonly device?: { readonly line?: { readonly name?: string } | null } | null
}

async function openFeed(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const opened = Promise.withResolvers<void>()
  socket.once('connect', opened.resolve)
  socket.on('error', opened.reject)
  await opened.promise
  return socket
}

function excerpt(data: Buffer): string {
  return String(data).slice(0, 500)
}
