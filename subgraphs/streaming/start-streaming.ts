import type { Redis } from 'ioredis'
import type { BroadcastDesk } from '../shared/broadcast-desk.ts'
import type { DeviceDirectory } from '../shared/device-directory.ts'
import { createDeviceMailbox } from '../shared/device-mailbox.ts'
import type { Subgraph } from '../shared/graphql/subgraph.ts'
import { type Closable, createLifecycle } from '../shared/lifecycle.ts'
import { createLivePublisher } from '../shared/live-topic/live-publisher.ts'
import type { LiveReader } from '../shared/live-topic/live-topics.ts'
import type { Logger } from '../shared/logger.ts'
import type { MediaPort } from '../shared/media-port.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import type { RightsWatch } from '../shared/permissions/rights-watch.ts'
import type { SpaceAccess } from '../shared/space-access.ts'
import { startBroadcastEnds } from './broadcast-ends.ts'
import { startBroadcastKeeper } from './broadcast-keeper.ts'
import { createBroadcastSessions } from './broadcast-sessions.ts'
import { createBroadcastStates } from './broadcast-states.ts'
import { createBroadcastDesk, createBroadcasts } from './broadcasts.ts'
import { createMediaFeed } from './media-feed.ts'
import { createSessionDesk } from './session-desk.ts'
import { startSessionGuard } from './session-guard.ts'
import { startSessionKeeper } from './session-keeper.ts'
import { createStreamingSubgraph } from './streaming-subgraph.ts'

/** What streaming needs of its process. */
export interface StreamingResources {
  readonly db: Db
  /** The live Redis. */
  readonly live: Redis
  readonly liveReader: Pick<LiveReader, 'subscribe'>
  readonly access: SpaceAccess
  readonly watch: Pick<RightsWatch, 'onChange'>
  readonly devices: DeviceDirectory
  readonly media: MediaPort
  readonly logger: Logger
  /** Names this process where leases are held. */
  readonly owner: string
  /** How long a session whose signaling nobody follows any more goes on. Default 30 s. */
  readonly graceMs?: number
  /** How often sessions are renewed. Default 10 s. */
  readonly renewMs?: number
}

/** The streaming subgraph at work, and the desk where devices start and stop by messages. Dispose ends what it has started. */
export interface Streaming extends Closable {
  readonly subgraph: Subgraph
  readonly broadcastDesk: BroadcastDesk
}

/** Starts to follow media, and creates the subgraph over it. */
export function startStreaming(resources: StreamingResources): Streaming {
  const { db, live, liveReader, access, watch, devices, media, owner, logger, graceMs, renewMs } = resources
  const lifecycle = createLifecycle({ logger })
  const feed = createMediaFeed(media)
  const states = createBroadcastStates({ redis: live })
  const broadcastKeeper = lifecycle.own(
    'broadcast keeper',
    startBroadcastKeeper({
      ...{ feed, states, devices, db, redis: live, owner, logger },
      publisher: createLivePublisher({ redis: live, deadlineMs: 1_000 }),
      mailbox: createDeviceMailbox({ redis: live, logger }),
    }),
  )
  const sessions = createBroadcastSessions({ redis: live })
  const broadcastEnds = lifecycle.own('broadcast ends', startBroadcastEnds({ media, logger }))
  const guard = lifecycle.own(
    'session guard',
    startSessionGuard({ sessions, states, broadcastEnds, media, db, access, watch, logger }),
  )
  const keeper = lifecycle.own(
    'session keeper',
    startSessionKeeper({ redis: live, sessions, feed, media, guard, logger, graceMs, renewMs }),
  )
  const broadcasts = createBroadcasts({ media, states, ends: broadcastEnds, keeper: broadcastKeeper })
  const desk = createSessionDesk({ media, states, sessions, feed, guard })
  lifecycle.own('media feed', feed)
  feed.start()
  return {
    subgraph: createStreamingSubgraph({
      ...{ access, devices, liveReader, media, feed, states, broadcasts, desk, keeper },
    }),
    broadcastDesk: createBroadcastDesk(broadcasts),
    [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
  }
}
