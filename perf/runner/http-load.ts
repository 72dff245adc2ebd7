import { Agent, request } from 'node:http'
import { quantile } from './statistics.ts'

/** Requests of a closed loop: each connection sends its next one when the last was answered. */
export interface Load {
  readonly url: string
  /** Body of each POST, JSON. */
  readonly body: string
  /** Headers of each connection; as many connections as there are. */
  readonly connections: readonly Readonly<Record<string, string>>[]
  /** No request begins later than this; at least one is sent on each connection. */
  readonly durationMs: number
  /** What each answer has to be, byte by byte; null takes any answer of status 200. */
  readonly expected: string | null
}

/** What a load came to. */
export interface LoadResult {
  /** Answers of status 200 with the expected body. */
  readonly answered: number
  /** All others, with the first of them. */
  readonly failed: number
  readonly firstFailure: string | null
  readonly elapsedMs: number
  /** From sending a request to the end of its good answer. */
  readonly latencyP50Ms: number
  readonly latencyP95Ms: number
  /** CPU time that the generator itself took. */
  readonly generatorCpuMs: number
  /** One of the good bodies. */
  readonly body: string | null
}

const ANSWER_DEADLINE_MS = 20_000

/** Sends a load. Connections are kept alive within it. Never rejects: what goes wrong is counted. */
async function sendLoad({ url, body, connections, durationMs, expected }: Load): Promise<LoadResult> {
  const wanted = expected === null ? null : Buffer.from(expected)
  const startedAt = performance.now()
  const cpuBefore = process.cpuUsage()
  let answered = 0
  let failed = 0
  let firstFailure: string | null = null
  let good: Buffer | null = null
  const latenciesMs: number[] = []

  async function follow(headers: Readonly<Record<string, string>>): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    do {
      const sentAt = performance.now()
      try {
        const answer = await post(url, body, headers, agent)
        if (wanted !== null && !wanted.equals(answer)) throw new Error(`Another answer: ${excerpt(answer)}`)
        good = answer
        answered++
        latenciesMs.push(performance.now() - sentAt)
      } catch (error) {
        failed++
        firstFailure ??= error instanceof Error ? error.message : String(error)
      }
    } while (performance.now() - startedAt < durationMs)
    agent.destroy()
  }

  await Promise.all(connections.map(follow))
  const { user, system } = process.cpuUsage(cpuBefore)
  return {
    answered,
    failed,
    firstFailure,
    elapsedMs: performance.now() - startedAt,
    latencyP50Ms: quantile(latenciesMs, 0.5),
    latencyP95Ms: quantile(latenciesMs, 0.95),
    generatorCpuMs: (user + system) / 1_000,
    body: good === null ? null : String(good),
  }
}

function post(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  agent: Agent,
): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const sent = request(url, {
    method: 'POST',
    agent,
    headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    timeout: ANSWER_DEADLINE_MS,
  })
  sent.once('timeout', () => sent.destroy(new Error('No answer in time.')))
  sent.once('error', reject)
  sent.once('response', response => {
    const chunks: Buffer[] = []
    response.on('data', chunk => chunks.push(chunk))
    response.once('error', reject)
    response.once('end', () => {
      const answer = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
      if (response.statusCode === 200) resolve(answer)
      else reject(new Error(`Status ${response.statusCode}: ${excerpt(answer)}`))
    })
  })
  sent.end(body)
  return promise
}

function excerpt(answer: Buffer): string {
  return answer.toString().slice(0, 500)
}

process.on('message', async (load: Load) => process.send?.(await sendLoad(load)))
process.once('disconnect', () => process.exit(0))
// Ctrl-C reaches the whole terminal group; this one ends with the runner.
process.on('SIGINT', () => {})
process.send?.('ready')
