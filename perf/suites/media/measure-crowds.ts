import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Received } from '../../peers/media/clients.ts'
import type { Clients } from './clients.ts'

/** CPU while a crowd watches, in milliseconds a second. */
export interface CrowdCpu {
  readonly viewers: number
  /** Of the Node process. */
  readonly nodeMsPerSecond: number
  /** Of its mediasoup workers. */
  readonly workersMsPerSecond: number
  /** Of each viewer, of the 150 that the source sends a second; null without viewers. */
  readonly packetsPerSecond: number | null
  /** Share of the packets. */
  readonly loss: number | null
}

/** How long a crowd that has just joined settles. */
const SETTLE_MS = 2_000

/** Lets crowds of these sizes watch a device, each the former and more, and measures the process with media. */
export async function measureCrowds(
  clients: Clients,
  { pid, deviceId, sizes, ms }: { pid: number; deviceId: string; sizes: readonly number[]; ms: number },
): Promise<CrowdCpu[]> {
  const crowds: CrowdCpu[] = []
  for (const viewers of sizes) {
    await clients.gather(deviceId, viewers)
    await sleep(SETTLE_MS)
    const workers = readChildren(pid)
    const before = await clients.ask<Received>({ do: 'count' })
    const [startedAt, node, work] = [performance.now(), readRunMs([pid]), readRunMs(workers)]
    await sleep(ms)
    const seconds = (performance.now() - startedAt) / 1_000
    const [nodeMs, workersMs] = [readRunMs([pid]) - node, readRunMs(workers) - work]
    const after = await clients.ask<Received>({ do: 'count' })
    const countedSeconds = (performance.now() - startedAt) / 1_000
    const received = after.received - before.received
    // Browsers subtract what came twice.
    const lost = Math.max(0, after.lost - before.lost)
    crowds.push({
      viewers,
      nodeMsPerSecond: nodeMs / seconds,
      workersMsPerSecond: workersMs / seconds,
      packetsPerSecond: viewers > 0 ? received / countedSeconds / viewers : null,
      loss: viewers > 0 ? lost / (received + lost) : null,
    })
  }
  await clients.ask({ do: 'disperse' })
  return crowds
}

/** What each viewer of the second crowd beyond the first costs. */
export function costPerViewer(
  crowds: readonly CrowdCpu[],
  from: number,
  to: number,
): { node: number; all: number } {
  const [few, many] = [crowds[from], crowds[to]]
  if (few === undefined || many === undefined) return { node: Number.NaN, all: Number.NaN }
  const more = many.viewers - few.viewers
  const node = (many.nodeMsPerSecond - few.nodeMsPerSecond) / more
  return { node, all: node + (many.workersMsPerSecond - few.workersMsPerSecond) / more }
}

/** CPU of all threads that live, to the nanosecond: ticks of 10 ms are too coarse for a few viewers. Linux only. */
function readRunMs(pids: readonly number[]): number {
  let sum = 0
  for (const pid of pids)
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const [ran = '0'] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
      sum += Number(ran) / 1e6
    }
  return sum
}

function readChildren(pid: number): number[] {
  const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return list === '' ? [] : list.split(' ').map(Number)
}
