/** What became of the events of a run, by their ids. */
export interface Deliveries {
  /** Events that were sent. */
  readonly sent: number
  /** Events that were not receipted. */
  readonly unreceipted: number
  /** Deliveries to observers that were due and did not come. */
  readonly lostAtObservers: number
  /** Deliveries to observers beyond the first. */
  readonly doubledAtObservers: number
  /** Events that the product does not keep. */
  readonly lostInTable: number
  /** Rows of an event beyond the first. */
  readonly doubledInTable: number
  /** Rows and deliveries of ids that nobody has sent. */
  readonly unknown: number
  /** The same of ids that were made before the run: a product that starts again delivers what it had not yet. */
  readonly fromBefore: number
  /** Some ids at fault, each with what is wrong. */
  readonly examples: readonly string[]
}

/** Accounts for every event: each must be kept once, and come to every observer once. */
export interface DeliveryLedger {
  readonly sent: number
  /** Whether every event was receipted, and has come to every observer. */
  readonly isComplete: boolean
  send(id: string, dueAt: number): void
  receipt(id: string): void
  /** Notes a delivery; answers when the event was due if it is the first one there, else undefined. */
  deliver(observer: number, id: string): number | undefined
  /** When an event was due; undefined for one that nobody has sent. */
  dueAt(id: string): number | undefined
  /** Notes a row that the product keeps. */
  find(id: string): void
  /** Tells of everything so far. Rows count once `find` has been called for all that are kept. */
  settle(options: { hasTable: boolean; beganAt: number }): Deliveries
}

interface Event {
  readonly dueAt: number
  isReceipted: boolean
  rows: number
  readonly deliveries: number[]
}

const MAX_EXAMPLES = 20

/** Creates an empty ledger for so many observers. */
export function createDeliveryLedger({ observers }: { observers: number }): DeliveryLedger {
  const events = new Map<string, Event>()
  const strangers = new Map<string, string[]>()
  let [receipted, delivered] = [0, 0]
  const strange = (id: string, where: string) => strangers.set(id, [...(strangers.get(id) ?? []), where])

  return {
    get sent() {
      return events.size
    },
    get isComplete() {
      return receipted === events.size && delivered >= events.size * observers
    },
    send(id, dueAt) {
      if (events.has(id))
        throw new TypeError(`Expected each event to have an id of its own, got ${id} again.`)
      events.set(id, { dueAt, isReceipted: false, rows: 0, deliveries: new Array(observers).fill(0) })
    },
    receipt(id) {
      const event = events.get(id)
      if (event === undefined || event.isReceipted) return
      event.isReceipted = true
      receipted++
    },
    deliver(observer, id) {
      const event = events.get(id)
      const before = event?.deliveries[observer]
      if (event === undefined || before === undefined) {
        strange(id, `came to observer ${observer} at ${new Date().toISOString()}`)
        return undefined
      }
      event.deliveries[observer] = before + 1
      if (before > 0) return undefined
      delivered++
      return event.dueAt
    },
    dueAt: id => events.get(id)?.dueAt,
    find(id) {
      const event = events.get(id)
      if (event === undefined) strange(id, 'is kept')
      else event.rows++
    },
    settle({ hasTable, beganAt }) {
      const examples: string[] = []
      const note = (id: string, what: string) => {
        if (examples.length < MAX_EXAMPLES) examples.push(`${id} ${what}`)
      }
      let [unreceipted, lostAtObservers, doubledAtObservers, lostInTable, doubledInTable] = [0, 0, 0, 0, 0]
      for (const [id, { isReceipted, rows, deliveries }] of events) {
        if (!isReceipted) {
          unreceipted++
          note(id, 'has no receipt')
        }
        for (const [observer, count] of deliveries.entries()) {
          if (count === 0) {
            lostAtObservers++
            note(id, `did not come to observer ${observer}`)
          }
          if (count > 1) {
            doubledAtObservers += count - 1
            note(id, `came ${count} times to observer ${observer}`)
          }
        }
        if (!hasTable) continue
        if (rows === 0) {
          lostInTable++
          note(id, 'is not kept')
        }
        if (rows > 1) {
          doubledInTable += rows - 1
          note(id, `is kept ${rows} times`)
        }
      }
      for (const [id, places] of strangers) note(id, `was sent by nobody, and ${places.join(', ')}`)
      const count = (isOld: boolean) =>
        [...strangers].reduce(
          (sum, [id, { length }]) => (timeOfId(id) < beganAt === isOld ? sum + length : sum),
          0,
        )
      return {
        ...{ sent: events.size, unreceipted, lostAtObservers, doubledAtObservers },
        ...{ lostInTable, doubledInTable, unknown: count(false), fromBefore: count(true), examples },
      }
    },
  }
}

/** Milliseconds that stand in a UUIDv7 (RFC 9562); NaN where it is none. */
function timeOfId(id: string): number {
  const time = /^([0-9a-f]{8})-([0-9a-f]{4})-7/i.exec(id)
  return time === null ? Number.NaN : Number.parseInt(`${time[1]}${time[2]}`, 16)
}
