import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** What a process holds, in bytes, after garbage was collected. */
export interface MemoryUse {
  readonly rss: number
  readonly heapUsed: number
  /** Outside of V8's heap, buffers among it. */
  readonly external: number
}

const COLLECTIONS = 4
const PAUSE_MS = 250

/** Reads what this process holds. Collects garbage several times with pauses, so that finalisers run and pages go back. */
export async function readMemoryUse(): Promise<MemoryUse> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let i = 0; i < COLLECTIONS; i++) {
    collect()
    await sleep(PAUSE_MS)
  }
  const { rss, heapUsed, external } = process.memoryUsage()
  return { rss, heapUsed, external }
}
