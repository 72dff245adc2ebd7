import type { BroadcastDesk, BroadcastWish, IngestTarget } from '../shared/broadcast-desk.ts'
import { AppError } from '../shared/errors.ts'
import { refuse } from '../shared/graphql/refusal.ts'
import type { BroadcastState, MediaPort } from '../shared/media-port.ts'
import { newId } from '../shared/uuid-v7.ts'
import type { BroadcastKeeper } from './broadcast-keeper.ts'
import { toNotice } from './broadcast-notice.ts'
import type { BroadcastStates } from './broadcast-states.ts'
import { readIngestWish, toIngestTarget } from './ingest-wish.ts'
import { askMedia } from './media-refusal.ts'
import type { OverdueEnds } from './overdue-ends.ts'

/**
 * Starts and stops broadcasts; whoever calls has looked at the rights. What can be mended is thrown as a Refusal, and
 * UNAVAILABLE while media cannot be reached.
 */
export interface Broadcasts {
  /** `isItself`: the device asks, and so its camera has restarted when it broadcasts already. */
  start(
    deviceId: string,
    wish: BroadcastWish,
    isItself: boolean,
  ): Promise<{ broadcast: BroadcastState; ingest: IngestTarget }>
  /** Answers what has ended; null when there was nothing. */
  stop(deviceId: string): Promise<BroadcastState | null>
}

/** Creates the start and stop of broadcasts. */
export function createBroadcasts({
  media,
  states,
  ends,
  keeper,
}: {
  media: MediaPort
  states: BroadcastStates
  ends: Pick<OverdueEnds, 'settle'>
  keeper: BroadcastKeeper
}): Broadcasts {
  /** Null also where there is no media, and so no broadcast. */
  async function findCurrent(deviceId: string): Promise<BroadcastState | null> {
    const [kept = null] = await states.load([deviceId])
    return kept
  }

  return {
    async start(deviceId, wish, isItself) {
      const ingest = readIngestWish(wish)
      const conflictOf = (state: BroadcastState | null) => findConflict(state, ingest.kind, isItself)
      // What was to have ended is not gone on in.
      const isSettled = await ends.settle(deviceId)
      const noted = isSettled ? null : await findCurrent(deviceId)
      // What is noted outlives a media that is gone: only media can say that a broadcast is in the way.
      const mustAsk = isSettled || conflictOf(noted) !== null
      const current = mustAsk ? await media.findBroadcast({ deviceId }) : noted
      const conflict = conflictOf(current)
      if (conflict !== null) refuse('CONFLICT', conflict.field, conflict.message)
      const broadcastId = current?.broadcastId || newId()
      const opened = await askMedia({ missing: 'deviceId', parameters: 'codec' }, () =>
        media.openBroadcast({ deviceId, broadcastId, ingest }),
      )
      await keeper.settled(deviceId)
      return { broadcast: opened.broadcast, ingest: toIngestTarget(opened.ingest) }
    },
    async stop(deviceId) {
      const current = await findCurrent(deviceId)
      try {
        await media.closeBroadcast({ deviceId })
      } catch (error) {
        if (current === null && error instanceof AppError && error.code === 'UNAVAILABLE') return null
        throw error
      }
      await keeper.settled(deviceId)
      return current && { ...current, status: 'ENDED' }
    },
  }
}

/** What of a start does not go with the broadcast that is there; null when it may go on in its place. */
function findConflict(
  current: BroadcastState | null,
  kind: BroadcastState['kind'],
  isItself: boolean,
): { field: string; message: string } | null {
  if (current === null) return null
  if (current.status !== 'STALLED' && !isItself)
    return { field: 'deviceId', message: 'This device broadcasts already: stop it first.' }
  if (current.status === 'LIVE' && current.kind !== kind)
    return { field: 'kind', message: `This device broadcasts already, by ${current.kind}: stop that first.` }
  return null
}

/** Lets devices start and stop by messages what they may start and stop by mutations. */
export function createBroadcastDesk(broadcasts: Broadcasts): BroadcastDesk {
  return {
    async start({ deviceId }, wish) {
      const { broadcast, ingest } = await broadcasts.start(deviceId, wish, true)
      return { broadcast: toNotice(broadcast), ingest }
    },
    async stop({ deviceId }) {
      const ended = await broadcasts.stop(deviceId)
      return { broadcast: ended && toNotice(ended) }
    },
  }
}
