import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Which CPU measured programs run on, and which all that is around them; null leaves it to the kernel. */
export interface CpuPins {
  readonly measured: number | null
  readonly around: number | null
}

/**
 * Chooses two of the CPUs that this process may use. Nothing is pinned on a machine with one CPU, or without
 * util-linux's `taskset`.
 */
export function chooseCpuPins(): CpuPins {
  const [measured, around] = readAllowedCpus()
  if (measured === undefined || around === undefined || !hasProgram('taskset'))
    return { measured: null, around: null }
  return { measured, around }
}

/** The command line that runs a program on one CPU, and ends it with this process where that can be asked for. */
export function wrapCommand(command: readonly string[], cpu: number | null): string[] {
  const pin = cpu === null ? [] : ['taskset', '--cpu-list', String(cpu)]
  const endWithUs = hasProgram('setpriv') ? ['setpriv', '--pdeathsig', 'TERM'] : []
  return [...endWithUs, ...pin, ...command]
}

/** Reads a list of CPUs such as `0-2,5`. */
export function parseCpuList(list: string): number[] {
  return list.split(',').flatMap(range => {
    const [first = Number.NaN, last = first] = range.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, i) => first + i)
  })
}

function readAllowedCpus(): number[] {
  const status = readFileSync('/proc/self/status', 'utf8')
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1]
  return list === undefined ? [] : parseCpuList(list)
}

function hasProgram(name: string): boolean {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore', timeout: 2_000 })
    return true
  } catch {
    return false
  }
}
