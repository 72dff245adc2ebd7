import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { withDeadline } from '../deadline.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** How long a process of the product may take to be ready, or to end. */
const DEADLINE_MS = 30_000

/** A running process of the product. Dispose ends it with SIGTERM. */
export interface Product extends AsyncDisposable {
  /** Address of its HTTP server, such as http://127.0.0.1:40123. */
  readonly url: string
  /** All that it has printed on standard output. */
  readonly output: () => string
  /** All that it has logged on standard error. */
  readonly log: () => string
  readonly pid: number
  /** Sends a signal and resolves with the exit code once the process has ended; null when the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** How to run a process of the product. */
export interface ProductOptions {
  /** Roles; none is `all`. */
  readonly roles?: readonly string[]
  /** Added to an environment without any setting of the product. PORT is 0 unless given. */
  readonly env?: Readonly<Record<string, string>>
  /** Kills it with SIGKILL so long after it was spawned, ready or not. */
  readonly killAfterMs?: number
  /** Asks it to end with SIGTERM so long after it was spawned, ready or not. */
  readonly termAfterMs?: number
}

/**
 * Spawns `node main.ts [role…]` and resolves when it says that it is ready. Rejects with what it logged when it ends
 * before or is not ready in 30 s.
 */
export async function startProduct({
  roles = [],
  env = {},
  killAfterMs,
  termAfterMs,
}: ProductOptions = {}): Promise<Product> {
  const child = spawn(process.execPath, ['main.ts', ...roles], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'production', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  if (termAfterMs !== undefined) setTimeout(() => child.kill('SIGTERM'), termAfterMs)
  const output: string[] = []
  const log: string[] = []
  child.stderr.setEncoding('utf8').on('data', text => log.push(text))
  const { promise: ready, resolve: isReady } = Promise.withResolvers<string>()
  createInterface({ input: child.stdout }).on('line', line => {
    output.push(line)
    const url = /ready.*?(https?:\/\/[^\s/]+)/i.exec(line)?.[1]
    if (url !== undefined) isReady(url)
  })
  const endedEarly = once(child, 'exit').then(([code]) => {
    throw new Error(`main.ts ${roles.join(' ')} ended with ${code}:\n${output.join('\n')}\n${log.join('')}`)
  })
  endedEarly.catch(() => {})
  const end = (signal: NodeJS.Signals) => endProcess(child, signal)
  const start = withDeadline(`Start of main.ts ${roles.join(' ')}`, DEADLINE_MS, () =>
    Promise.race([ready, endedEarly]),
  )
  const url = await start.catch(async error => {
    await end('SIGKILL')
    throw new Error(log.join(''), { cause: error })
  })
  return {
    url,
    output: () => output.join('\n'),
    log: () => log.join(''),
    pid: child.pid ?? 0,
    end,
    async [Symbol.asyncDispose]() {
      await end('SIGTERM')
    },
  }
}

async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const exited = once(child, 'exit')
  child.kill(signal)
  const killer = setTimeout(() => child.kill('SIGKILL'), DEADLINE_MS)
  await exited
  clearTimeout(killer)
  return child.exitCode
}
