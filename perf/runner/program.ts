import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { wrapCommand } from './cpu-pins.ts'

/** How long a program may take to be ready, to answer, or to end. */
const READY_DEADLINE_MS = 60_000
const ANSWER_DEADLINE_MS = 30_000
const END_DEADLINE_MS = 15_000

/** Enough of what a program printed to see why it failed. */
const MAX_OUTPUT_CHARS = 8_192

/** A program of ours that runs beside the runner. Dispose ends it. */
export interface Program<Ready> extends AsyncDisposable {
  readonly pid: number
  /** What it said when it was ready. */
  readonly ready: Ready
  /** The end of what it has printed. */
  readonly output: () => string
  /** Asks it something, one line, and resolves with its answer. One question at a time. */
  ask(question: string): Promise<unknown>
}

/** How to start a program. */
export interface ProgramOptions {
  /** What it is called in messages. */
  readonly name: string
  readonly file: URL
  /** Handed over as one argument, JSON. */
  readonly options?: unknown
  /** The CPU it may use; null for any. */
  readonly cpu: number | null
}

/**
 * Starts one of our TypeScript programs in production mode and resolves when it prints a line `{"ready":…}`. It ends
 * when its standard input does, so that it never outlives this process. Rejects with what it has printed when it ends
 * before, or is not ready in a minute.
 */
export async function startProgram<Ready>(options: ProgramOptions): Promise<Program<Ready>> {
  const { name, file, cpu } = options
  const command = [process.execPath, file.pathname, JSON.stringify(options.options ?? {})]
  const [program = '', ...args] = wrapCommand(command, cpu)
  const child = spawn(program, args, {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: 'production',
      APOLLO_TELEMETRY_DISABLED: 'true',
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let output = ''
  const keep = (text: string) => {
    output = (output + text).slice(-MAX_OUTPUT_CHARS)
  }
  // A program that has ended takes no more input.
  child.stdin.on('error', () => {})
  child.stderr.setEncoding('utf8').on('data', keep)
  const { promise, resolve, reject } = Promise.withResolvers<Ready>()
  let asked: PromiseWithResolvers<unknown> | undefined
  createInterface({ input: child.stdout }).on('line', line => {
    if (line.startsWith('{"ready":')) resolve((JSON.parse(line) as { ready: Ready }).ready)
    else if (line.startsWith('{"answer":')) asked?.resolve((JSON.parse(line) as { answer: unknown }).answer)
    else keep(`${line}\n`)
  })
  child.once('error', reject)
  child.once('exit', code => {
    reject(new Error(`${name} ended with ${code} before it was ready:\n${output}`))
    asked?.reject(new Error(`${name} ended with ${code}:\n${output}`))
  })
  const deadline = setTimeout(
    () => reject(new Error(`${name} was not ready in ${READY_DEADLINE_MS} ms:\n${output}`)),
    READY_DEADLINE_MS,
  )
  try {
    const ready = await promise
    return {
      pid: child.pid ?? 0,
      ready,
      output: () => output,
      async ask(question) {
        asked = Promise.withResolvers()
        const { reject } = asked
        const deadline = setTimeout(
          () => reject(new Error(`${name} did not answer in ${ANSWER_DEADLINE_MS} ms:\n${output}`)),
          ANSWER_DEADLINE_MS,
        )
        child.stdin.write(`${question}\n`)
        try {
          return await asked.promise
        } finally {
          clearTimeout(deadline)
        }
      },
      [Symbol.asyncDispose]: () => end(child),
    }
  } catch (error) {
    await end(child)
    throw error
  } finally {
    clearTimeout(deadline)
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.stdin?.end()
  const killer = setTimeout(() => child.kill('SIGKILL'), END_DEADLINE_MS)
  await exited
  clearTimeout(killer)
}
