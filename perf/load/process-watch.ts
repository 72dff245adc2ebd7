import { readdirSync, readFileSync } from 'node:fs'
import { parseStat } from '../runner/cpu-time.ts'

/** What a process of the product is. */
export type ProcessKind = 'node' | 'mediasoup' | 'database' | 'redis' | 'other'

/** One process at one moment. */
export interface ProcessSample {
  readonly pid: number
  readonly kind: ProcessKind
  /** Such as `front`, `back`, `MariaDB`. */
  readonly name: string
  /** CPU so far, all threads, and of children that have ended. */
  readonly cpuMs: number
  readonly rssMiB: number
}

const PAGE_BYTES = 4_096

/** Reads all processes of a tree. Linux alone. */
export function readProcesses(rootPid: number): ProcessSample[] {
  const found = new Map<number, { parentPid: number; cpuMs: number }>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const times = parseStat(readText(`/proc/${name}/stat`))
    if (times !== undefined)
      found.set(Number(name), { parentPid: times.parentPid, cpuMs: times.ownMs + times.endedChildrenMs })
  }
  const isOurs = (pid: number): boolean => {
    if (pid === rootPid) return true
    const parent = found.get(pid)?.parentPid ?? 0
    return parent > 1 && isOurs(parent)
  }
  return [...found].flatMap(([pid, { cpuMs }]) => {
    if (!isOurs(pid)) return []
    const pages = Number(readText(`/proc/${pid}/statm`).split(' ')[1])
    if (!Number.isFinite(pages)) return []
    const words = readText(`/proc/${pid}/cmdline`).split('\0').filter(Boolean)
    return [{ pid, ...describeProcess(words), cpuMs, rssMiB: (pages * PAGE_BYTES) / 2 ** 20 }]
  })
}

/** Tells by its command line what a process is. */
export function describeProcess(words: readonly string[]): Pick<ProcessSample, 'kind' | 'name'> {
  const program = words[0]?.split('/').at(-1) ?? ''
  if (/^(mariadbd|mysqld)/.test(program)) return { kind: 'database', name: 'MariaDB' }
  if (program.startsWith('redis-server')) {
    const socket = words[words.indexOf('--unixsocket') + 1] ?? ''
    return { kind: 'redis', name: socket.includes('ingest') ? 'Redis (ingest)' : 'Redis (live)' }
  }
  if (program.startsWith('mediasoup-worker')) return { kind: 'mediasoup', name: 'mediasoup worker' }
  const main = words.findIndex(word => word.endsWith('main.ts'))
  if (program.startsWith('node') && main >= 0) {
    const roles = words.slice(main + 1)
    if (roles.length === 0) return { kind: 'node', name: 'supervisor' }
    if (roles.includes('gateway')) return { kind: 'node', name: 'front' }
    if (roles.includes('ingest')) return { kind: 'node', name: 'back' }
    return { kind: 'node', name: roles.join('+') }
  }
  return { kind: 'other', name: program }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
