import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os'
import { readTreeCpuMs } from './cpu-time.ts'

/** More of the machine than this, and what others do shows in our figures. */
const MAX_OTHERS_SHARE = 0.15

/** CPU that the hypervisor gave to someone else, as a share of the machine. */
const MAX_STOLEN_SHARE = 0.02

/** What the machine did besides us while a suite ran. */
export interface MachineUse {
  /** Share of all CPUs that other programs used. */
  readonly othersShare: number
  /** Share of all CPUs that the hypervisor withheld. */
  readonly stolenShare: number
}

/** What was measured on. */
export function describeMachine(): Record<string, unknown> {
  const [cpu] = cpus()
  return {
    cpu: cpu?.model ?? 'unknown',
    cpus: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    node: process.version,
    loadAverage: loadavg()[0],
  }
}

/** Begins to watch what others do to the machine; the returned function ends it and tells. Linux only. */
export function watchMachine(): () => MachineUse {
  const before = readTimes()
  const ownBefore = readTreeCpuMs(process.pid)
  return () => {
    const after = readTimes()
    const total = after.total - before.total
    const stolen = after.stolen - before.stolen
    const busy = after.busy - before.busy
    const own = (readTreeCpuMs(process.pid) - ownBefore) / 10
    return {
      othersShare: total > 0 ? Math.max(0, busy - own) / total : 0,
      stolenShare: total > 0 ? stolen / total : 0,
    }
  }
}

/** Says what of a machine's use speaks against a run. */
export function judgeMachine({ othersShare, stolenShare }: MachineUse): string[] {
  const percent = (share: number) => `${Math.round(share * 100)} %`
  const reasons: string[] = []
  if (othersShare > MAX_OTHERS_SHARE)
    reasons.push(
      `Other programs used ${percent(othersShare)} of the machine; at most ${percent(MAX_OTHERS_SHARE)}.`,
    )
  if (stolenShare > MAX_STOLEN_SHARE)
    reasons.push(
      `The hypervisor withheld ${percent(stolenShare)} of the CPU; at most ${percent(MAX_STOLEN_SHARE)}.`,
    )
  return reasons
}

/** Ticks of all CPUs since boot (proc_stat(5)). */
function readTimes(): { total: number; busy: number; stolen: number } {
  const line = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? ''
  const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] = line
    .split(/ +/)
    .slice(1)
    .map(Number)
  const busy = user + nice + system + irq + softirq
  return { total: busy + idle + iowait + steal, busy, stolen: steal }
}
