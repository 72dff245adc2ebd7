import { createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import {
  FIELD_COUNTS,
  type FieldCommand,
  type FieldCount,
  type FieldMessage,
  type FieldPlan,
  type FieldReport,
  type Part,
  type Role,
} from '../field/field-protocol.ts'
import { createDeliveryLedger, type DeliveryLedger } from './delivery-ledger.ts'
import { createHistogram, type Histogram } from './histogram.ts'

/** A second of the field; events count in the second in which they were due. */
export interface FieldSecond {
  readonly receipts: Histogram
  readonly signaling: Histogram
  /** From when an event was due to when it came to an observer or viewer. */
  readonly events: Histogram
}

/** What the field has told so far. */
export interface FieldResult {
  readonly ledger: DeliveryLedger
  readonly seconds: ReadonlyMap<number, FieldSecond>
  readonly counts: Readonly<Record<FieldCount, number>>
  readonly failures: readonly string[]
  /** Worst p99 of the generator's event loop in a report of a quarter of a second, and how many were above LOOP_LIMIT_MS. */
  readonly loopP99Ms: number
  readonly slowReports: number
  readonly reports: number
  readonly cpuMs: number
  readonly workers: number
  /** By role and topic, who has had a probe. */
  readonly probed: ReadonlySet<string>
}

/** Speaks with the workers of Artillery. Dispose closes the socket. */
export interface FieldControl extends AsyncDisposable {
  readonly path: string
  readonly result: FieldResult
  /** Resolves when so many of each role stand. Rejects with `deadlineMs` over. */
  waitForAll(wanted: Readonly<Record<Role, number>>, deadlineMs: number): Promise<void>
  send(command: FieldCommand): void
  /** Resolves when every worker has had its last word. */
  readonly done: Promise<void>
}

/** An event loop that is later than this holds messages up. */
const LOOP_LIMIT_MS = 20

/** What one worker tells is in order; what two tell is not: deliveries wait so long for the news that they were sent. */
const SETTLE_MS = 1_000
const MAX_FAILURES = 50
const POLL_INTERVAL_MS = 50

/** Listens on a unix socket for the workers of a run. */
export async function startFieldControl(
  path: string,
  plan: FieldPlan,
  viewers: number,
): Promise<FieldControl> {
  const ledger = createDeliveryLedger({ observers: plan.observers })
  const seconds = new Map<number, FieldSecond>()
  const counts = Object.fromEntries(FIELD_COUNTS.map(name => [name, 0])) as Record<FieldCount, number>
  const failures: string[] = []
  const probed = new Set<string>()
  const standing = { device: 0, viewer: 0, observer: 0 }
  const parts = listParts(plan, viewers)
  const cpuMs = new Map<Socket, number>()
  const sockets = new Set<Socket>()
  const done = Promise.withResolvers<void>()
  const waiting: { at: number; delivery: FieldReport['delivered'][number] }[] = []
  let [startAt, loopP99Ms, slowReports, reports, workers] = [0, 0, 0, 0, 0]

  const secondOf = (atMs: number): FieldSecond => {
    const number = Math.floor(atMs / 1_000)
    const existing = seconds.get(number)
    if (existing !== undefined) return existing
    const second = { receipts: createHistogram(), signaling: createHistogram(), events: createHistogram() }
    seconds.set(number, second)
    return second
  }

  function settle(until: number): void {
    let taken = 0
    for (const { at, delivery } of waiting) {
      if (at > until) break
      taken++
      const [observer, id, cameAt] = delivery
      const dueAt = observer >= 0 ? ledger.deliver(observer, id) : ledger.dueAt(id)
      if (dueAt !== undefined) secondOf(dueAt - startAt).events.add(cameAt - dueAt)
    }
    waiting.splice(0, taken)
  }

  function takeReport(socket: Socket, report: FieldReport): void {
    const at = Date.now()
    for (const [id, dueAt] of report.sent) ledger.send(id, dueAt)
    for (const id of report.receipted) ledger.receipt(id)
    for (const delivery of report.delivered) waiting.push({ at, delivery })
    settle(workers > 1 ? at - SETTLE_MS : at)
    for (const { second, receipts, signaling } of report.windows) {
      const of = secondOf(second * 1_000)
      of.receipts.merge(receipts)
      of.signaling.merge(signaling)
    }
    for (const name of FIELD_COUNTS) counts[name] += report.counts[name]
    failures.push(...report.failures.slice(0, Math.max(0, MAX_FAILURES - failures.length)))
    cpuMs.set(socket, report.cpuMs)
    if (startAt === 0 || at < startAt) return
    reports++
    loopP99Ms = Math.max(loopP99Ms, report.loopP99Ms)
    if (report.loopP99Ms > LOOP_LIMIT_MS) slowReports++
  }

  function take(socket: Socket, message: FieldMessage): void {
    if (message.type === 'report') takeReport(socket, message)
    else if (message.type === 'standing') standing[message.role]++
    else if (message.type === 'probed') probed.add(`${message.observer} ${message.topic}`)
    else if (message.type === 'claim') {
      const part = parts.next().value
      if (part === undefined) throw new Error('More virtual users came than there are parts.')
      socket.write(`${JSON.stringify({ type: 'part', claim: message.claim, part } satisfies FieldCommand)}\n`)
    } else {
      sockets.delete(socket)
      if (sockets.size > 0) return
      settle(Number.POSITIVE_INFINITY)
      done.resolve()
    }
  }

  const server = createServer(socket => {
    workers++
    sockets.add(socket)
    socket.on('error', () => {})
    socket.write(`${JSON.stringify({ type: 'plan', plan } satisfies FieldCommand)}\n`)
    createInterface({ input: socket }).on('line', line => take(socket, JSON.parse(line) as FieldMessage))
  })
  const listening = Promise.withResolvers<void>()
  server.once('error', listening.reject)
  server.listen(path, listening.resolve)
  await listening.promise

  return {
    path,
    result: {
      ...{ ledger, seconds, counts, failures, probed },
      get loopP99Ms() {
        return loopP99Ms
      },
      get slowReports() {
        return slowReports
      },
      get reports() {
        return reports
      },
      get cpuMs() {
        return [...cpuMs.values()].reduce((sum, value) => sum + value, 0)
      },
      get workers() {
        return workers
      },
    },
    done: done.promise,
    async waitForAll(wanted, deadlineMs) {
      const deadline = performance.now() + deadlineMs
      const roles = Object.keys(wanted) as Role[]
      while (roles.some(role => standing[role] < wanted[role])) {
        if (performance.now() > deadline) {
          const missing = roles.map(role => `${standing[role]} of ${wanted[role]} ${role}s`).join(', ')
          throw new Error(`Only ${missing} stand after ${deadlineMs / 1_000} s. ${failures[0] ?? ''}`)
        }
        await new Promise(resolve => setTimeout(resolve, POLL_INTERVAL_MS))
      }
    },
    send(command) {
      if (command.type === 'start') startAt = command.startAt
      for (const socket of sockets) socket.write(`${JSON.stringify(command)}\n`)
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** Observers first: they see all that devices do. */
function* listParts({ observers, devices }: FieldPlan, viewers: number): Generator<Part, undefined> {
  for (let index = 0; index < observers; index++) yield { role: 'observer', index }
  for (let index = 0; index < viewers; index++) yield { role: 'viewer', index }
  for (let index = 0; index < devices.length; index++) yield { role: 'device', index }
}
