import { availableParallelism } from 'node:os'
import type { MachineUse } from '../runner/machine.ts'
import type { ProductUnderTest } from './product-under-test.ts'
import type { ResourceSample } from './resource-watch.ts'

/**
 * A product that the harness has not started counts among the others until it is taken out. Null where its processes are
 * not known.
 */
export function leaveProductOut(
  use: MachineUse,
  { isOwn, pid }: ProductUnderTest,
  samples: readonly ResourceSample[],
): MachineUse | null {
  if (isOwn) return use
  const [first, last] = [samples[0], samples.at(-1)]
  if (pid === null || first === undefined || last === undefined) return null
  const cpuMs = ({ processes }: ResourceSample) => processes.reduce((sum, process) => sum + process.cpuMs, 0)
  const share = (cpuMs(last) - cpuMs(first)) / (last.at - first.at) / availableParallelism()
  return { ...use, othersShare: Math.max(0, use.othersShare - share) }
}
