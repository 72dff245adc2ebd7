import { connect, type Socket } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { createHistogram, type Histogram } from '../load/histogram.ts'
import {
  FIELD_COUNTS,
  type FieldCommand,
  type FieldCount,
  type FieldMessage,
  type FieldPlan,
  type FieldReport,
  type Part,
  type Role,
} from './field-protocol.ts'

/** The way from a worker of Artillery to the runner; one for all virtual users of the worker. */
export interface FieldLink {
  readonly plan: Promise<FieldPlan>
  /** Milliseconds since the run began; below 0 before. */
  now(): number
  /** Asks who one is. */
  claim(): Promise<Part>
  /** Says that somebody is there. */
  stand(role: Role, index: number): void
  readonly started: Promise<{ startAt: number }>
  /** Aborted when all is over. */
  readonly stopping: AbortSignal
  onProbe(listener: () => void): void
  probed(observer: number, topic: 'log' | 'anomaly'): void
  sent(id: string, dueMs: number): void
  receipted(id: string | null, dueMs: number): void
  delivered(observer: number, id: string): void
  signaled(beganMs: number, tookMs: number): void
  count(what: FieldCount, count?: number): void
  fail(what: FieldCount, problem: string): void
}

const REPORT_INTERVAL_MS = 250
const MAX_FAILURES = 20

let link: FieldLink | undefined

/** Opens the link of this worker, or answers the one that is open. */
export function openFieldLink(): FieldLink {
  link ??= createFieldLink(process.env.NUVION_PERF_CONTROL ?? '')
  return link
}

function createFieldLink(path: string): FieldLink {
  const socket: Socket = connect(path)
  const plan = Promise.withResolvers<FieldPlan>()
  const started = Promise.withResolvers<{ startAt: number }>()
  const stopping = new AbortController()
  const claims = new Map<number, (part: Part) => void>()
  const probes = new Set<() => void>()
  let startAt = Number.POSITIVE_INFINITY
  let claimed = 0
  let pending = createPending()
  const loop = monitorEventLoopDelay({ resolution: 5 })
  loop.enable()

  const say = (message: FieldMessage) => socket.write(`${JSON.stringify(message)}\n`)
  const clock = () => performance.timeOrigin + performance.now()
  const now = () => clock() - startAt
  const windowOf = (atMs: number) => {
    const second = Math.floor(atMs / 1_000)
    const existing = pending.windows.get(second)
    if (existing !== undefined) return existing
    const window = { receipts: createHistogram(), signaling: createHistogram() }
    pending.windows.set(second, window)
    return window
  }

  function report(): void {
    const { sent, receipted, delivered, windows, counts, failures } = pending
    pending = createPending()
    const told: FieldReport = {
      ...{ type: 'report', sent, receipted, delivered, counts, failures },
      windows: [...windows].map(([second, { receipts, signaling }]) => ({
        ...{ second, receipts: receipts.toSparse(), signaling: signaling.toSparse() },
      })),
      loopP99Ms: loop.percentile(99) / 1e6,
      loopMaxMs: loop.max / 1e6,
      cpuMs: process.cpuUsage().user / 1_000 + process.cpuUsage().system / 1_000,
    }
    loop.reset()
    say(told)
  }
  const timer = setInterval(report, REPORT_INTERVAL_MS)

  socket.on('error', error => plan.reject(error))
  // Without the runner nobody is there to account for anything.
  socket.once('close', () => stopping.abort())
  createInterface({ input: socket }).on('line', line => {
    const command = JSON.parse(line) as FieldCommand
    if (command.type === 'plan') plan.resolve(command.plan)
    if (command.type === 'part') claims.get(command.claim)?.(command.part)
    if (command.type === 'probe') for (const probe of probes) probe()
    if (command.type === 'start') {
      startAt = command.startAt
      loop.reset()
      started.resolve({ startAt })
    }
    if (command.type === 'stop') {
      stopping.abort()
      clearInterval(timer)
      // Whoever lives here says their last word in this turn.
      setImmediate(() => {
        report()
        say({ type: 'done' })
        socket.end()
      })
    }
  })
  const counts = (what: FieldCount, count = 1) => {
    pending.counts[what] += count
  }

  return {
    plan: plan.promise,
    now,
    claim() {
      const claim = claimed++
      const { promise, resolve } = Promise.withResolvers<Part>()
      claims.set(claim, resolve)
      say({ type: 'claim', claim })
      return promise
    },
    stand: (role, index) => void say({ type: 'standing', role, index }),
    started: started.promise,
    stopping: stopping.signal,
    onProbe: listener => void probes.add(listener),
    probed: (observer, topic) => void say({ type: 'probed', observer, topic }),
    sent: (id, dueMs) => void pending.sent.push([id, startAt + dueMs]),
    receipted(id, dueMs) {
      if (id !== null) pending.receipted.push(id)
      windowOf(dueMs).receipts.add(now() - dueMs)
    },
    delivered: (observer, id) => void pending.delivered.push([observer, id, clock()]),
    signaled: (beganMs, tookMs) => windowOf(beganMs).signaling.add(tookMs),
    count: counts,
    fail(what, problem) {
      counts(what)
      if (pending.failures.length < MAX_FAILURES) pending.failures.push(problem)
    },
  }
}

function createPending() {
  return {
    sent: [] as [string, number][],
    receipted: [] as string[],
    delivered: [] as [number, string, number][],
    windows: new Map<number, { receipts: Histogram; signaling: Histogram }>(),
    counts: Object.fromEntries(FIELD_COUNTS.map(name => [name, 0])) as Record<FieldCount, number>,
    failures: [] as string[],
  }
}
