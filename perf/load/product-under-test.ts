import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { wrapCommand } from '../runner/cpu-pins.ts'
import { findEmbeddedStores, type StoreAddresses } from './store-addresses.ts'

/** The product that a load goes to. Dispose ends it where the harness has started it. */
export interface ProductUnderTest extends AsyncDisposable {
  readonly url: string
  /** Of its first process; null when it runs elsewhere, and then its processes are not measured. */
  readonly pid: number | null
  /** Whether the harness has started it. */
  readonly isOwn: boolean
  /** Where Prometheus would ask; null when unknown. */
  readonly metricsUrl: string | null
  /** Where it writes mails without a mail server; null when unknown. */
  readonly mailDir: string | null
  readonly stores: StoreAddresses
  /** In words, for the report. */
  readonly description: string
  /** The end of what it has logged. */
  readonly log: () => string
}

const READY_DEADLINE_MS = 90_000
const END_DEADLINE_MS = 45_000
const MAX_LOG_CHARS = 16_384

/** Starts the product of this checkout as `npm start` runs it, without demo, on a data folder of its own and one CPU. */
export async function startProductUnderTest({
  root,
  dataDir,
  cpu,
}: {
  root: string
  dataDir: string
  /** The CPU that it shares with its MariaDB and Redis; null for any. */
  cpu: number | null
}): Promise<ProductUnderTest> {
  mkdirSync(dataDir, { recursive: true })
  const metricsPort = await findFreePort()
  const [program = '', ...args] = wrapCommand([process.execPath, 'main.ts'], cpu)
  const child = spawn(program, args, {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...{ NODE_ENV: 'production', LOG_LEVEL: 'warn', NUVION_DEMO: '0', NUVION_DATA: dataDir },
      ...{ HOST: '127.0.0.1', PORT: '0', METRICS_PORT: String(metricsPort) },
      ...{ NUVION_MEDIA_LISTEN: '127.0.0.1', NUVION_ANNOUNCED_ADDRESS: '127.0.0.1' },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  const keep = (text: string) => {
    log = (log + text).slice(-MAX_LOG_CHARS)
  }
  child.stderr.setEncoding('utf8').on('data', keep)
  const ready = Promise.withResolvers<string>()
  createInterface({ input: child.stdout }).on('line', line => {
    keep(`${line}\n`)
    const url = /^NUVION is ready at (https?:\/\/[^\s/]+)/.exec(line)?.[1]
    if (url !== undefined) ready.resolve(url)
  })
  child.once('error', ready.reject)
  child.once('exit', code => ready.reject(new Error(`The product ended with ${code}:\n${log}`)))
  const deadline = setTimeout(
    () => ready.reject(new Error(`The product was not ready in ${READY_DEADLINE_MS} ms:\n${log}`)),
    READY_DEADLINE_MS,
  )
  try {
    const url = await ready.promise
    return {
      ...{ url, pid: child.pid ?? null, isOwn: true, mailDir: join(dataDir, 'mail'), log: () => log },
      metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
      stores: findEmbeddedStores(dataDir),
      description: `started by the harness: two processes, embedded MariaDB and Redis, ${cpu === null ? 'any CPU' : `all on CPU ${cpu}`}`,
      [Symbol.asyncDispose]: () => end(child),
    }
  } catch (error) {
    await end(child)
    throw error
  } finally {
    clearTimeout(deadline)
  }
}

/** What is known of a product that runs already. */
export interface RunningProduct {
  readonly url: string
  /** Its data folder, where it is on this machine. */
  readonly dataDir: string | null
  readonly metricsUrl: string | null
  /** Of its first process, where it is on this machine. */
  readonly pid: number | null
  /** What is given goes before what the data folder tells. */
  readonly stores: Partial<StoreAddresses>
}

/** Takes a product that runs already, and is not ended. */
export function attachProduct({ url, dataDir, metricsUrl, pid, stores }: RunningProduct): ProductUnderTest {
  const found = dataDir === null ? null : findEmbeddedStores(dataDir)
  return {
    url: url.replace(/\/+$/, ''),
    ...{ pid, metricsUrl, isOwn: false },
    mailDir: dataDir === null ? null : join(dataDir, 'mail'),
    stores: {
      databaseUrl: stores.databaseUrl ?? found?.databaseUrl ?? null,
      redisUrl: stores.redisUrl ?? found?.redisUrl ?? null,
      ingestRedisUrl: stores.ingestRedisUrl ?? found?.ingestRedisUrl ?? null,
    },
    description: `one that ran already at ${url}; the harness does not know which CPUs it uses`,
    log: () => '',
    async [Symbol.asyncDispose]() {},
  }
}

/** A port that was free a moment ago. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.')
  return address.port
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const killer = setTimeout(() => child.kill('SIGKILL'), END_DEADLINE_MS)
  await exited
  clearTimeout(killer)
}
