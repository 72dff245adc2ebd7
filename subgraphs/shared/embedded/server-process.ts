import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { PARENT_VARIABLE } from './orphan.ts'

/** How often readiness is tried while a server starts. */
const READY_INTERVAL_MS = 5

/** How long a server may take to end after SIGTERM before SIGKILL: less than a lifecycle waits for what it closes. */
const STOP_DEADLINE_MS = 8_000

/** How many lines of a server's own log an error message quotes. */
const QUOTED_LOG_LINES = 8

/** All the environment that a server gets: it has no business with this program's secrets. */
const SERVER_PATH = '/usr/sbin:/usr/bin:/sbin:/bin'

/** How a server ended without being asked to. */
export interface ServerDeath {
  name: string
  exitCode: number | null
  signal: NodeJS.Signals | null
  /** The last lines of the server's own log. */
  logTail: string
}

export interface ServerProcessOptions {
  /** What it is called in messages. */
  name: string
  file: string
  args: readonly string[]
  cwd: string
  /** Receives the server's stdout and stderr; emptied at each start, so it stays small. */
  logFile: string
  /** Resolves true once the server answers; false or a rejection means not yet. */
  isReady: () => Promise<boolean>
  readyDeadlineMs: number
  /** Called at most once, when the server ends after it was ready and before close. */
  onDeath?: (death: ServerDeath) => void
}

/** A running server. Dispose asks it to end (SIGTERM), waits, and kills it past the deadline. Idempotent. */
export interface ServerProcess {
  pid: number
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts a server as a child in a process group of its own, so that the terminal's Ctrl-C reaches only this program,
 * which then closes the server in order. Resolves when the server answers; rejects with the tail of its log when it
 * ends or the deadline passes first. A child never outlives a normal exit of this process, and where util-linux's
 * setpriv is found (any Debian) not a SIGKILL either; what that still leaves is endOrphans' matter at the next start.
 */
export async function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  const { name, logFile } = options
  const log = openSync(logFile, 'w', 0o600)
  const [file, ...args] = [...(await findDeathSignaller()), options.file, ...options.args] as [
    string,
    ...string[],
  ]
  const child = spawn(file, args, {
    cwd: options.cwd,
    detached: true,
    stdio: ['ignore', log, log],
    env: { PATH: SERVER_PATH, [PARENT_VARIABLE]: String(process.pid) },
  })
  closeSync(log)

  let ended = false
  let spawnError: Error | undefined
  const exit = new Promise<void>(resolve => {
    const finish = () => {
      ended = true
      process.off('exit', endWithParent)
      resolve()
    }
    child.once('exit', finish)
    child.once('error', error => {
      spawnError = error
      if (child.pid === undefined) finish()
    })
  })
  const endWithParent = () => child.kill('SIGTERM')
  process.on('exit', endWithParent)

  const giveUpAt = Date.now() + options.readyDeadlineMs
  while (!(await options.isReady().catch(() => false))) {
    if (ended || Date.now() > giveUpAt) {
      const why = ended
        ? describeEnd(child, spawnError)
        : `did not answer within ${options.readyDeadlineMs} ms`
      await stop(child, exit)
      throw new Error(`${name} ${why}. Its log (${logFile}) ends with:\n${readLogTail(logFile)}`)
    }
    await Promise.race([sleep(READY_INTERVAL_MS), exit])
  }

  let closing: Promise<void> | undefined
  void exit.then(() => {
    if (closing === undefined) {
      const { exitCode, signalCode } = child
      options.onDeath?.({ name, exitCode, signal: signalCode, logTail: readLogTail(logFile) })
    }
  })
  return {
    pid: child.pid ?? 0,
    [Symbol.asyncDispose]() {
      closing ??= stop(child, exit)
      return closing
    },
  }
}

/** The command that makes the kernel send SIGTERM to what it runs when this process dies (prctl(2), PDEATHSIG). */
async function findDeathSignaller(): Promise<string[]> {
  const command = ['setpriv', '--pdeathsig', 'TERM']
  const works = promisify(execFile)('setpriv', ['--pdeathsig', 'TERM', 'true'], { timeout: 1_000 })
  return works.then(
    () => command,
    () => [],
  )
}

async function stop(child: ChildProcess, exit: Promise<void>): Promise<void> {
  child.kill('SIGTERM')
  const killer = setTimeout(() => child.kill('SIGKILL'), STOP_DEADLINE_MS)
  await exit
  clearTimeout(killer)
}

function describeEnd(child: ChildProcess, spawnError: Error | undefined): string {
  if (spawnError) return `could not be started: ${spawnError.message}`
  return `ended while starting (${child.signalCode ?? `exit code ${child.exitCode}`})`
}

function readLogTail(file: string): string {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-QUOTED_LOG_LINES).join('\n')
  } catch {
    return '(no log)'
  }
}
