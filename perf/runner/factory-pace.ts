import { setTimeout as sleep } from 'node:timers/promises'
import { openLiveViewers, type ViewersOptions } from './live-viewers.ts'
import { quantile } from './statistics.ts'
import type { StompDevices } from './stomp-devices.ts'

/** A kind of message that every device sends at an interval. */
export interface PacedMessage {
  readonly destination: string
  readonly intervalMs: number
  /** Its body; `#N#` becomes `#` and the number of the message. */
  readonly body: string
}

/** Devices that send as a factory does, and people who follow what is new. */
export interface FactoryPace {
  readonly devices: number
  readonly messages: readonly PacedMessage[]
  /** Destination of the messages that viewers are to receive. */
  readonly followed: string
  readonly viewers: Omit<ViewersOptions, 'onMessage'>
  /** Not counted, before the rest. */
  readonly warmUpMs: number
  readonly durationMs: number
}

/** What a paced factory came to; latencies count from when a message was due, in milliseconds. */
export interface FactoryPaceResult {
  readonly sent: number
  readonly receiptMs: Latencies
  /** Events that were due at all viewers together, and those that came. */
  readonly eventsDue: number
  readonly eventsReceived: number
  /** Events that came to a viewer more than once; they count as received once. */
  readonly eventsDoubled: number
  readonly eventMs: Latencies
}

interface Latencies {
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

interface Due {
  readonly atMs: number
  readonly device: number
  readonly message: PacedMessage
}

const STAND_DEADLINE_MS = 20_000
const PROBE_INTERVAL_MS = 250
const LAST_DEADLINE_MS = 10_000

/**
 * Sends open-loop: a message leaves when it is due, whatever became of those before it, and what waits for a slow
 * generator counts as waiting.
 */
export async function paceFactory(devices: StompDevices, pace: FactoryPace): Promise<FactoryPaceResult> {
  const schedule = makeSchedule(pace)
  const followed = schedule.map(({ message }) => message.destination === pace.followed)
  const receiptMs: number[] = []
  const eventMs: number[] = []
  const [reached, seen] = [new Set<number>(), new Set<string>()]
  let [startedAt, doubled] = [0, 0]
  const countsFrom = pace.warmUpMs
  const viewers = await openLiveViewers({
    ...pace.viewers,
    onMessage(viewer, text) {
      const number = Number(/ #(\d+)/.exec(text)?.[1])
      reached.add(viewer)
      const due = schedule[number]
      if (due === undefined || due.atMs < countsFrom) return
      const key = `${viewer} ${number}`
      if (seen.has(key)) {
        doubled++
        return
      }
      seen.add(key)
      eventMs.push(performance.now() - startedAt - due.atMs)
    },
  })
  try {
    await probe(devices, pace, reached)
    startedAt = performance.now()
    const receipts: Promise<void>[] = []
    for (const [number, { atMs, device, message }] of schedule.entries()) {
      const early = startedAt + atMs - performance.now()
      if (early > 0) await sleep(early)
      const body = message.body.replace('#N#', `#${number}`)
      receipts.push(
        devices.send(device, message.destination, body).then(() => {
          if (atMs >= countsFrom) receiptMs.push(performance.now() - startedAt - atMs)
        }),
      )
    }
    const counted = schedule.filter(({ atMs }) => atMs >= countsFrom).length
    const eventsDue =
      schedule.filter(({ atMs }, number) => followed[number] === true && atMs >= countsFrom).length *
      pace.viewers.tokens.length
    const deadline = performance.now() + LAST_DEADLINE_MS
    while ((receiptMs.length < counted || eventMs.length < eventsDue) && performance.now() < deadline)
      await sleep(PROBE_INTERVAL_MS)
    const failure = viewers.failure()
    if (failure !== null) throw new Error(failure)
    if (receiptMs.length < counted)
      throw new Error(`${counted - receiptMs.length} messages were not receipted in time.`)
    return {
      sent: counted,
      receiptMs: describe(receiptMs),
      eventsDue,
      eventsReceived: eventMs.length,
      eventsDoubled: doubled,
      eventMs: describe(eventMs),
    }
  } finally {
    viewers.close()
  }
}

/** Every device begins each kind at another moment of its interval. */
function makeSchedule({ devices, messages, warmUpMs, durationMs }: FactoryPace): Due[] {
  const schedule: Due[] = []
  for (const message of messages)
    for (let device = 0; device < devices; device++) {
      const first = (message.intervalMs * ((device * 0.618) % 1)) | 0
      for (let atMs = first; atMs < warmUpMs + durationMs; atMs += message.intervalMs)
        schedule.push({ atMs, device, message })
    }
  return schedule.sort((a, b) => a.atMs - b.atMs)
}

/** Nothing says that a subscription stands, but an event that comes: sends some until every viewer has had one. */
async function probe(devices: StompDevices, pace: FactoryPace, reached: Set<number>): Promise<void> {
  const message = pace.messages.find(({ destination }) => destination === pace.followed)
  if (message === undefined) throw new TypeError(`Expected a message to ${pace.followed}.`)
  const deadline = performance.now() + STAND_DEADLINE_MS
  while (reached.size < pace.viewers.tokens.length) {
    if (performance.now() > deadline) throw new Error('Not every viewer had an event in time.')
    await devices.send(0, message.destination, message.body.replace('#N#', 'probe'))
    await sleep(PROBE_INTERVAL_MS)
  }
  await sleep(PROBE_INTERVAL_MS)
}

function describe(samples: readonly number[]): Latencies {
  return { p50: quantile(samples, 0.5), p95: quantile(samples, 0.95), p99: quantile(samples, 0.99) }
}
