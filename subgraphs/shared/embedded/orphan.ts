import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** The environment variable by which a server says whose child it is. */
export const PARENT_VARIABLE = 'NUVION_SERVER_PARENT'

/** How often a process that was asked to end is looked at. */
const POLL_INTERVAL_MS = 10

/**
 * How long an orphan may take to end by SIGTERM. A MariaDB that is told to end while it starts may hang for ever; both
 * servers recover from SIGKILL.
 */
const TERM_GRACE_MS = 3_000

/**
 * Ends the servers that a killed parent left on a data folder, so that the next start finds it free. They are found
 * by their environment (PARENT_VARIABLE) and their command line: one of their arguments is exactly `argument`, the one
 * that names the data folder.
 * A server whose parent lives is not an orphan: this throws, because two programs on one folder destroy it.
 * SIGTERM first, SIGKILL after 3 s; rejects when that has no effect for `deadlineMs`. Linux only (/proc); elsewhere it
 * finds nothing.
 */
export async function endOrphans(argument: string, deadlineMs: number): Promise<number[]> {
  const found = findProcesses(argument)
  for (const pid of found) {
    const parent = readParent(pid)
    if (parent?.isAlive) {
      throw new Error(
        `Another NUVION (process ${parent.pid}) is already running on this data folder (server process ${pid}, ` +
          `${argument}). Stop it first, or give this one its own NUVION_DATA and PORT.`,
      )
    }
  }
  for (const pid of found) await end(pid, argument, deadlineMs)
  return found
}

async function end(pid: number, argument: string, deadlineMs: number): Promise<void> {
  const killAt = Date.now() + TERM_GRACE_MS
  signal(pid, 'SIGTERM')
  while (hasArgument(pid, argument)) {
    if (Date.now() > killAt) signal(pid, 'SIGKILL')
    if (Date.now() > killAt + deadlineMs) throw new Error(`Process ${pid} does not end, not even by SIGKILL.`)
    await sleep(POLL_INTERVAL_MS)
  }
}

function findProcesses(argument: string): number[] {
  let entries: string[]
  try {
    entries = readdirSync('/proc')
  } catch {
    return []
  }
  return entries
    .filter(entry => /^\d+$/.test(entry))
    .map(Number)
    .filter(pid => hasArgument(pid, argument) && readParent(pid) !== undefined)
}

/** False for a process that has ended, also for one that nobody has reaped yet: its command line is empty. */
function hasArgument(pid: number, argument: string): boolean {
  return readNulSeparated(`/proc/${pid}/cmdline`).includes(argument)
}

function readParent(pid: number): { pid: number; isAlive: boolean } | undefined {
  const variable = readNulSeparated(`/proc/${pid}/environ`).find(entry =>
    entry.startsWith(`${PARENT_VARIABLE}=`),
  )
  if (variable === undefined) return undefined
  const parent = Number(variable.slice(PARENT_VARIABLE.length + 1))
  // When a parent ends, its children get another one: a pid that was used again is no parent of ours.
  return { pid: parent, isAlive: readParentPid(pid) === parent }
}

function readParentPid(pid: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1])
  } catch {
    return undefined
  }
}

function readNulSeparated(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\0')
  } catch {
    return []
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended meanwhile, which is what was wanted.
  }
}
