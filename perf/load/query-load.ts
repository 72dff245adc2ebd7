import { Agent, request } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { createHistogram, type Histogram, type SparseHistogram } from './histogram.ts'
import type { QueryOperation } from './query-operations.ts'
import {
  chooseQuery,
  isMeasuredAt,
  QUERY_KINDS,
  type QueryKind,
  scheduleQueries,
  type Workload,
} from './workload.ts'

/** What the process is told to do. */
export interface QueryLoad {
  /** Where operations are POSTed to. */
  readonly url: string
  readonly workload: Pick<Workload, 'stages' | 'queryRate' | 'queryShares'>
  /** By kind; those of a kind take turns. */
  readonly operations: Readonly<Record<QueryKind, readonly QueryOperation[]>>
  /** When the run begins, on the clock of `Date.now()`. */
  readonly startAt: number
}

/** A second of a run; requests count in the second in which they were due. */
export interface QueryWindow {
  readonly second: number
  readonly isMeasured: boolean
  readonly due: number
  readonly failed: number
  readonly dropped: number
  /** Good answers by kind, from when they were due to their last byte. */
  readonly latencies: Readonly<Record<QueryKind, SparseHistogram>>
}

/** What a load came to. */
export interface QueryLoadResult {
  readonly windows: readonly QueryWindow[]
  readonly failures: readonly string[]
  /** Requests that left more than LATE_MS after they were due. */
  readonly late: number
  readonly cpuMs: number
  readonly loopP99Ms: number
}

/** What the runner says to this process. */
export type QueryCommand =
  | { readonly do: 'tokens'; readonly tokens: readonly string[] }
  | { readonly do: 'run'; readonly load: QueryLoad }

/** More requests than this on their way, and the next is dropped: the run is not valid then. */
const MAX_IN_FLIGHT = 2_000

/** A request that leaves later than this was held up by the generator itself. */
const LATE_MS = 20

const ANSWER_DEADLINE_MS = 20_000
const MAX_FAILURES = 20

let tokens: readonly string[] = []

interface Window {
  due: number
  failed: number
  dropped: number
  readonly isMeasured: boolean
  readonly latencies: Record<QueryKind, Histogram>
}

/**
 * Sends requests open-loop: each leaves when it is due, whatever became of those before it, and its latency counts from
 * that moment, so that a slow server cannot slow the questions down that would show it.
 */
async function run({ url, workload, operations, startAt }: QueryLoad): Promise<QueryLoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_IN_FLIGHT, scheduling: 'lifo' })
  const bodies = Object.fromEntries(
    QUERY_KINDS.map(kind => [
      kind,
      operations[kind].map(({ query, variables, field }) => ({
        field,
        body: JSON.stringify({ query, variables }),
      })),
    ]),
  ) as Record<QueryKind, { field: string; body: string }[]>
  const windows = new Map<number, Window>()
  const failures: string[] = []
  const pending = new Set<Promise<void>>()
  const turns: Record<string, number> = {}
  let late = 0
  const loop = monitorEventLoopDelay({ resolution: 5 })
  const origin = startAt - performance.timeOrigin
  await sleep(Math.max(0, origin - performance.now()))
  loop.enable()
  const cpuBefore = process.cpuUsage()
  let nth = 0
  for (const dueMs of scheduleQueries(workload)) {
    const waitMs = origin + dueMs - performance.now()
    if (waitMs >= 1) await sleep(waitMs)
    const kind = chooseQuery(workload, nth++)
    const window = windowOf(windows, workload, dueMs)
    window.due++
    if (pending.size >= MAX_IN_FLIGHT) {
      window.dropped++
      continue
    }
    if (performance.now() - origin - dueMs > LATE_MS) late++
    const turn = turns[kind] ?? 0
    turns[kind] = turn + 1
    const operation = bodies[kind][turn % bodies[kind].length]
    if (operation === undefined) throw new TypeError(`Expected operations of kind ${kind}.`)
    const token = tokens[nth % tokens.length] ?? ''
    const asked = post(url, operation.body, token, agent)
      .then(answer => {
        checkAnswer(answer, operation.field)
        window.latencies[kind].add(performance.now() - origin - dueMs)
      })
      .catch((error: Error) => {
        window.failed++
        if (failures.length < MAX_FAILURES) failures.push(`${kind}: ${error.message}`)
      })
      .finally(() => pending.delete(asked))
    pending.add(asked)
  }
  await Promise.all(pending)
  loop.disable()
  const { user, system } = process.cpuUsage(cpuBefore)
  agent.destroy()
  return {
    windows: [...windows].map(([second, { latencies, ...window }]) => ({
      second,
      ...window,
      latencies: Object.fromEntries(QUERY_KINDS.map(kind => [kind, latencies[kind].toSparse()])) as never,
    })),
    failures,
    late,
    cpuMs: (user + system) / 1_000,
    loopP99Ms: loop.percentile(99) / 1e6,
  }
}

function windowOf(windows: Map<number, Window>, workload: Pick<Workload, 'stages'>, dueMs: number): Window {
  const second = Math.floor(dueMs / 1_000)
  const existing = windows.get(second)
  if (existing !== undefined) return existing
  const latencies = Object.fromEntries(QUERY_KINDS.map(kind => [kind, createHistogram()])) as Record<
    QueryKind,
    Histogram
  >
  const window = {
    due: 0,
    failed: 0,
    dropped: 0,
    isMeasured: isMeasuredAt(workload, second * 1_000),
    latencies,
  }
  windows.set(second, window)
  return window
}

/** GraphQL tells of errors with status 200 too. */
function checkAnswer(answer: Buffer, field: string): void {
  const { data, errors } = JSON.parse(answer.toString()) as {
    data?: Record<string, unknown>
    errors?: unknown[]
  }
  if (errors !== undefined) throw new Error(JSON.stringify(errors).slice(0, 300))
  if (data?.[field] === null || data?.[field] === undefined) throw new Error(`No ${field} in the answer.`)
}

function post(url: string, body: string, token: string, agent: Agent): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const sent = request(url, {
    method: 'POST',
    agent,
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      authorization: `Bearer ${token}`,
    },
    signal: AbortSignal.timeout(ANSWER_DEADLINE_MS),
  })
  sent.once('error', reject)
  sent.once('response', response => {
    const chunks: Buffer[] = []
    response.on('data', chunk => chunks.push(chunk))
    response.once('error', reject)
    response.once('end', () => {
      const answer = Buffer.concat(chunks)
      if (response.statusCode === 200) resolve(answer)
      else reject(new Error(`Status ${response.statusCode}: ${answer.toString().slice(0, 300)}`))
    })
  })
  sent.end(body)
  return promise
}

process.on('message', async (command: QueryCommand) => {
  try {
    if (command.do === 'tokens') {
      tokens = command.tokens
      return
    }
    process.send?.({ result: await run(command.load) })
  } catch (error) {
    process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
})
process.once('disconnect', () => process.exit(0))
// Ctrl-C reaches the whole terminal group; this one ends with the runner.
process.on('SIGINT', () => {})
process.send?.('ready')
