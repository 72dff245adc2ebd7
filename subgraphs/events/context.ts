import type DataLoader from 'dataloader'
import type { Redis } from 'ioredis'
import type { LogEvent } from '../../schema/live-event.ts'
import { requireUser, type Viewer } from '../shared/auth/viewer.ts'
import type { DeviceDirectory } from '../shared/device-directory.ts'
import type { SubgraphRequest } from '../shared/graphql/subgraph.ts'
import type { LivePublisher, LiveReader, StreamStart } from '../shared/live-topic/live-topics.ts'
import type { Logger } from '../shared/logger.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { requireRight } from '../shared/permissions/rights-table.ts'
import { grantedAccess, type SpaceAccess } from '../shared/space-access.ts'
import { isUuidV7 } from '../shared/uuid-v7.ts'
import { type AnomalyChanges, createAnomalyChanges } from './anomaly-changes.ts'
import { type AnomalyLoaders, createAnomalyLoaders } from './anomaly-loaders.ts'
import type { BulkTurns } from './bulk-turns.ts'
import { type ClipContext, type ClipResources, createClipContext } from './clips/clip-context.ts'
import type { Feeds } from './feed/feeds.ts'
import { createLogLoader, createLogLoaders, type LogLoaders } from './log-loaders.ts'

/** What the events subgraph needs of its process. */
export interface EventsResources {
  readonly db: Db
  /** Where new logs are followed. */
  readonly liveReader: Pick<LiveReader, 'subscribe'>
  /** Where is told what people do. */
  readonly livePublisher: LivePublisher
  /** Where feeds are kept. */
  readonly live: Redis
  /** Roles of people. */
  readonly access: SpaceAccess
  /** Spaces of devices. */
  readonly devices: DeviceDirectory
  /** What takes clips of devices, and signs links to them. Default: nothing does. */
  readonly clips?: ClipResources
  /** Whether webhooks may lead to private addresses. Default false. */
  readonly allowsPrivateWebhooks?: boolean
  readonly logger: Logger
}

/** What resolvers get: who asks, and batches of this one request. */
export interface SubgraphContext {
  readonly db: Db
  readonly liveReader: Pick<LiveReader, 'subscribe'>
  readonly viewer: Viewer | null
  /** Where a subscription begins. */
  readonly start: StreamStart | undefined
  /** Roles of people; the request's own grant among them. */
  readonly access: SpaceAccess
  readonly allowsPrivateWebhooks: boolean
  /** For mutations of many rows. */
  readonly bulkTurns: BulkTurns
  readonly logs: LogLoaders
  readonly clips: ClipContext
  /** Remembers what it has read: see renewAnomalies. */
  readonly anomalies: AnomalyLoaders
  /** Tells of what the request has changed. */
  readonly anomalyChanges: AnomalyChanges
  /** Feeds and watches of people. */
  readonly feeds: Feeds
  /** Forgets what the request has read about anomalies, after it has changed some. */
  renewAnomalies(): void
  /** Resolves when the caller may read the space; asks once a space. Rejects as requireRight does. */
  requireReader(spaceId: string): Promise<void>
  /** Finds a log that the caller may see. Rejects with UNAUTHENTICATED without a user. */
  findLog(id: string): Promise<LogEvent | null>
}

/** Creates the context of one request. Loaders are made when they are first asked for. */
export function createEventsContext(
  resources: EventsResources & { readonly bulkTurns: BulkTurns; readonly feeds: Feeds },
  request: SubgraphRequest,
): SubgraphContext {
  const { db, liveReader, livePublisher: publisher, devices, bulkTurns, logger } = resources
  const { viewer, start } = request
  const access = grantedAccess(resources.access, request)
  const roles = new Map<string, ReturnType<typeof requireRight>>()
  let logs: LogLoaders | undefined
  let anomalies: AnomalyLoaders | undefined
  let logById: DataLoader<string, LogEvent | null> | undefined

  async function requireReader(spaceId: string): Promise<void> {
    const role = roles.get(spaceId) ?? requireRight(access, viewer, spaceId, 'space.read')
    roles.set(spaceId, role)
    await role
  }

  return {
    db,
    liveReader,
    viewer,
    start,
    access,
    allowsPrivateWebhooks: resources.allowsPrivateWebhooks ?? false,
    bulkTurns,
    feeds: resources.feeds,
    requireReader,
    clips: createClipContext(db, resources.clips),
    get logs() {
      logs ??= createLogLoaders({ db, devices, requireReader })
      return logs
    },
    get anomalies() {
      anomalies ??= createAnomalyLoaders({ db, devices, requireReader })
      return anomalies
    },
    anomalyChanges: createAnomalyChanges({ publisher, logger }),
    renewAnomalies() {
      anomalies = undefined
    },
    async findLog(id) {
      const { userId } = requireUser(viewer)
      if (!isUuidV7(id)) return null
      logById ??= createLogLoader(db, userId)
      return logById.load(id)
    },
  }
}
