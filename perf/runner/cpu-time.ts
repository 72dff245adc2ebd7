import { readdirSync, readFileSync } from 'node:fs'

/** Ticks of /proc are 10 ms on every Linux that Node runs on (USER_HZ, proc(5)). */
const TICK_MS = 10

/** What /proc/<pid>/stat says of a process. */
interface ProcessTimes {
  readonly parentPid: number
  /** User and system time of all threads, those that have ended too. */
  readonly ownMs: number
  /** The same of children that have ended and were waited for. */
  readonly endedChildrenMs: number
}

/** CPU time that a process has used so far, all threads, user and system, in milliseconds. Throws when it is gone. */
export function readCpuMs(pid: number): number {
  const times = readTimes(pid)
  if (times === undefined) throw new Error(`Process ${pid} has ended.`)
  return times.ownMs
}

/** CPU time that a process and all its descendants have used so far, in milliseconds. */
export function readTreeCpuMs(rootPid: number): number {
  const times = new Map<number, ProcessTimes>()
  for (const name of readdirSync('/proc')) {
    const pid = /^\d+$/.test(name) ? Number(name) : 0
    const found = pid > 0 ? readTimes(pid) : undefined
    if (found !== undefined) times.set(pid, found)
  }
  const isOurs = (pid: number): boolean => {
    if (pid === rootPid) return true
    const parent = times.get(pid)?.parentPid
    return parent !== undefined && parent > 0 && isOurs(parent)
  }
  let sum = 0
  for (const [pid, { ownMs, endedChildrenMs }] of times) if (isOurs(pid)) sum += ownMs + endedChildrenMs
  return sum
}

/** Reads the times out of the text of /proc/<pid>/stat; undefined when it is none. */
export function parseStat(stat: string): ProcessTimes | undefined {
  // The name of the program stands in parentheses and may hold anything, parentheses too.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [, parentPid] = fields
  const [user, system, childUser, childSystem] = fields.slice(11, 15).map(Number)
  if (user === undefined || system === undefined || childUser === undefined || childSystem === undefined)
    return undefined
  return {
    parentPid: Number(parentPid),
    ownMs: (user + system) * TICK_MS,
    endedChildrenMs: (childUser + childSystem) * TICK_MS,
  }
}

function readTimes(pid: number): ProcessTimes | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return undefined
  }
}
