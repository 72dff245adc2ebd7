import { isDeepStrictEqual } from 'node:util'
import type { Redis } from 'ioredis'
import type { DeviceDirectory } from '../shared/device-directory.ts'
import type { DeviceMailbox } from '../shared/device-mailbox.ts'
import type { Closable } from '../shared/lifecycle.ts'
import type { LivePublisher } from '../shared/live-topic/live-topics.ts'
import type { Logger } from '../shared/logger.ts'
import type { BroadcastState } from '../shared/media-port.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { runShortTransaction } from '../shared/mysql/short-transaction.ts'
import { toNotice } from './broadcast-notice.ts'
import type { BroadcastStates } from './broadcast-states.ts'
import { startKeeperLease } from './keeper-lease.ts'
import type { MediaFeed } from './media-feed.ts'
import { listBroadcasting, writeBroadcasting } from './status-repository.ts'

/** How often what is there is noted anew; well below the life of what is noted. */
const RENEW_MS = 10_000

/** Keeps what others read of broadcasts as media tells it. */
export interface BroadcastKeeper extends Closable {
  /** Resolves when what media has told of a device so far is noted. Never rejects. */
  settled(deviceId: string): Promise<void>
}

/** What is known of a device's broadcast, and what of it has been told. */
interface Kept {
  newest: BroadcastState
  told: BroadcastState | undefined
  written: boolean | undefined
  running: Promise<void> | undefined
  isStale: boolean
}

/**
 * Starts to keep states: each in Redis for 30 s, and renewed. The one process that holds the lease also notes in
 * `device_status.broadcasting` when a picture begins or ceases to be live, and then tells the topic and the device itself. What
 * cannot be noted is tried again every 10 s. `owner` names this process where leases are held.
 */
export function startBroadcastKeeper({
  feed,
  states,
  devices,
  db,
  redis,
  owner,
  publisher,
  mailbox,
  logger,
}: {
  feed: MediaFeed
  states: BroadcastStates
  devices: DeviceDirectory
  db: Db
  redis: Redis
  owner: string
  publisher: LivePublisher
  mailbox: DeviceMailbox
  logger: Logger
}): BroadcastKeeper {
  const kept = new Map<string, Kept>()
  let hasHeard = false

  function take(newest: BroadcastState): void {
    // A source that could not be opened never was a broadcast.
    if (newest.broadcastId === '') return
    const entry = kept.get(newest.deviceId)
    if (entry === undefined && newest.status === 'ENDED') return
    if (entry === undefined)
      kept.set(newest.deviceId, {
        ...{ newest, told: undefined, written: undefined, running: undefined, isStale: false },
      })
    else entry.newest = newest
    void note(newest.deviceId)
  }

  /** Notes the newest state; of many that come meanwhile, the last one after it. */
  function note(deviceId: string): Promise<void> {
    const entry = kept.get(deviceId)
    if (entry === undefined) return Promise.resolve()
    if (entry.running !== undefined) {
      entry.isStale = true
      return entry.running
    }
    entry.running = (async () => {
      do {
        entry.isStale = false
        try {
          await write(entry, entry.newest)
        } catch (error) {
          logger.warn({ err: error, deviceId }, 'streaming.state_not_kept')
        }
      } while (entry.isStale)
      entry.running = undefined
    })()
    return entry.running
  }

  async function write(entry: Kept, state: BroadcastState): Promise<void> {
    const { deviceId, status } = state
    const place = (await devices.placesOf([deviceId])).get(deviceId)
    if (place === undefined) return void kept.delete(deviceId)
    const { spaceId } = place
    if (status === 'ENDED') await states.forget({ deviceId, spaceId })
    else await states.keep([{ ...state, spaceId }])
    if (lease.isHeld) await tell(entry, state, spaceId)
    if (status === 'ENDED' && entry.newest === state) kept.delete(deviceId)
  }

  async function tell(entry: Kept, state: BroadcastState, spaceId: string): Promise<void> {
    const { deviceId, status } = state
    const isLive = status === 'LIVE'
    if (entry.written !== isLive) {
      await runShortTransaction(db, tx => writeBroadcasting(tx, { deviceId, spaceId }, isLive))
      entry.written = isLive
    }
    const { told } = entry
    if (told !== undefined && isDeepStrictEqual(visible(told), visible(state))) return
    await publisher.publish('broadcast', [{ deviceId, spaceId, at: Date.now(), broadcast: state }])
    entry.told = state
    if (isDeepStrictEqual(told && toNotice(told), toNotice(state))) return
    await mailbox.send([{ deviceId, queue: '/user/queue/broadcast', body: { broadcast: toNotice(state) } }])
  }

  /** What is not there has ended, also what only the table still has for live. */
  async function repair(): Promise<void> {
    if (!lease.isHeld || !hasHeard) return
    for (const { deviceId, spaceId } of await listBroadcasting(db)) {
      if (kept.has(deviceId)) continue
      await runShortTransaction(db, tx => writeBroadcasting(tx, { deviceId, spaceId }, false))
      await states.forget({ deviceId, spaceId })
    }
  }

  function repairSoon(): void {
    repair().catch(error => logger.warn({ err: error }, 'streaming.repair_failed'))
  }

  feed.onBroadcast(event => {
    if (!('type' in event)) return take(event)
    hasHeard = true
    const present = new Set(event.broadcasts.map(({ deviceId }) => deviceId))
    for (const { newest } of [...kept.values()])
      if (!present.has(newest.deviceId)) take({ ...newest, status: 'ENDED' })
    for (const broadcast of event.broadcasts) take(broadcast)
    repairSoon()
  })
  const lease = startKeeperLease({
    ...{ redis, owner, logger },
    onGained() {
      for (const deviceId of kept.keys()) void note(deviceId)
      repairSoon()
    },
  })
  const timer = setInterval(() => {
    for (const deviceId of kept.keys()) void note(deviceId)
  }, RENEW_MS).unref()

  return {
    settled: deviceId => note(deviceId),
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await Promise.all([...kept.values()].map(({ running }) => running))
      await lease[Symbol.asyncDispose]()
    },
  }
}

/** What a change of is news: samples come too often. */
function visible({ stats: _, ...state }: BroadcastState): object {
  return state
}
