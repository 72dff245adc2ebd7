import { startProgram } from '../../runner/program.ts'
import { type GroupContext, peerFile, placeOf, startSite } from './run-group.ts'

/** What perf/peers/fanout/memory-use.ts tells, in bytes. */
interface MemoryUse {
  readonly rss: number
  readonly heapUsed: number
  readonly external: number
}

/** What idle subscribers cost, in KiB each. */
export interface IdleCost {
  readonly subscribers: number
  /** With a tenth of them, and with all. */
  readonly before: MemoryUse
  readonly after: MemoryUse
  readonly rssKib: number
  readonly heapKib: number
  readonly externalKib: number
}

/** Share of the subscribers that is there before the first reading, so that code, caches and V8's spaces are as well. */
const FIRST_SHARE = 0.1

/**
 * Measures how the gateway's process grows from a tenth of the subscribers to all of them. Each has had an event and
 * waits: a socket, a session with a token of another user, a subscription. Garbage is collected before both readings;
 * what the kernel holds is not counted.
 */
export async function measureIdle({ plan, pins, generator, progress }: GroupContext): Promise<IdleCost> {
  const { idleSubscribers } = plan
  await using site = await startSite(idleSubscribers, pins)
  const options = { site: site.ready, subgraphsUrl: null }
  await using program = await startProgram<{ url: string; feedPort: number }>({
    name: 'ours',
    file: peerFile('ours'),
    options,
    cpu: pins.measured,
  })
  const { url, feedPort } = program.ready
  const first = idleSubscribers * FIRST_SHARE
  const place = (firstToken: number, subscribers: number) =>
    placeOf(site.ready, { url, feedPort, topic: 0, subscribers, firstToken })
  await generator.open('first', place(0, first))
  const before = (await program.ask('memory')) as MemoryUse
  progress(`idle: opening ${idleSubscribers} subscribers`)
  await generator.open('others', place(first, idleSubscribers - first))
  const after = (await program.ask('memory')) as MemoryUse
  await generator.close('others')
  await generator.close('first')
  const each = (read: (use: MemoryUse) => number) =>
    (read(after) - read(before)) / 1_024 / (idleSubscribers - first)
  return {
    subscribers: idleSubscribers,
    before,
    after,
    rssKib: each(({ rss }) => rss),
    heapKib: each(({ heapUsed }) => heapUsed),
    externalKib: each(({ external }) => external),
  }
}
