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
  readonly rssKib: number
  readonly heapKib: number
  readonly externalKib: number
}

/** Subscribers that come and go before, so that code, caches and pools are there. */
const REHEARSAL = 500

/**
 * Measures how the gateway's process grows by subscribers that have had an event and wait: a socket, a session with a
 * token of another user, a subscription. Garbage is collected before and after; what the kernel holds is not counted.
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
  const place = (subscribers: number) => placeOf(site.ready, { url, feedPort, topic: 0, subscribers })
  await generator.open('rehearsal', place(REHEARSAL))
  await generator.close('rehearsal')
  const before = (await program.ask('memory')) as MemoryUse
  progress(`idle: opening ${idleSubscribers} subscribers`)
  await generator.open('idle', place(idleSubscribers))
  const after = (await program.ask('memory')) as MemoryUse
  await generator.close('idle')
  const each = (read: (use: MemoryUse) => number) => (read(after) - read(before)) / 1_024 / idleSubscribers
  return {
    subscribers: idleSubscribers,
    rssKib: each(({ rss }) => rss),
    heapKib: each(({ heapUsed }) => heapUsed),
    externalKib: each(({ external }) => external),
  }
}
