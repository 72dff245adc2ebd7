import type { Redis } from 'ioredis'
import type { TokenSigner } from '../shared/auth/access-token.ts'
import type { Viewer } from '../shared/auth/viewer.ts'
import { AppError } from '../shared/errors.ts'
import type { RefreshCookie, SubgraphReply, SubgraphRequest } from '../shared/graphql/subgraph.ts'
import type { LiveReader, StreamStart } from '../shared/live-topic/live-topics.ts'
import type { Logger } from '../shared/logger.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import type { CachedSpaceAccess } from '../shared/permissions/space-access.ts'
import { grantedAccess, type SpaceAccess } from '../shared/space-access.ts'
import type { TopologyWatch } from '../shared/topology/topology-watch.ts'
import type { DeviceCredentials } from './device-credentials.ts'
import type { Devices } from './devices.ts'
import type { Invitations } from './invitations.ts'
import type { Lines } from './lines.ts'
import type { LiveValues } from './live-values.ts'
import { createMemberLoaders, type MemberLoaders } from './member-loaders.ts'
import type { Members } from './members.ts'
import type { PasswordChanges } from './password-changes.ts'
import type { Processes } from './processes.ts'
import { createReadings, type Readings } from './readings.ts'
import type { Revocations } from './revocations.ts'
import type { Sessions } from './sessions.ts'
import type { SignUps } from './sign-ups.ts'
import type { SpaceLimits } from './space-limits.ts'
import type { Spaces } from './spaces.ts'
import type { TopologyCache } from './topology-cache.ts'
import type { TopologyChanges } from './topology-changes.ts'
import { createTopologyLoaders, type TopologyLoaders } from './topology-loaders.ts'

/** What the device subgraph needs of its process. */
export interface DeviceResources {
  readonly db: Db
  /** The live Redis, for presence, state and connectivity. */
  readonly live: Redis
  /** Where new states and presences are followed. */
  readonly liveReader: Pick<LiveReader, 'subscribe'>
  /** Roles of people; those that change here are forgotten at once. */
  readonly access: CachedSpaceAccess
  /** Signs the access tokens of signIn and refreshSession. */
  readonly signer: TokenSigner
  /** Secret of the site, 32 characters or more: codes in mails are kept under it. */
  readonly secret: string
  /** Tells the mailer that mail was committed, so that it does not wait for its next look. Default: nobody is told. */
  readonly nudgeMailer?: () => void
  /** How many there may be of what people make; default as DEFAULT_SPACE_LIMITS. */
  readonly spaceLimits?: Partial<SpaceLimits>
  readonly logger: Logger
  /** Tells of what other processes change in the topology. Default: nobody does, and it may be 60 s old. */
  readonly topologyWatch?: Pick<TopologyWatch, 'onChange'>
}

/** What lives as long as the subgraph. */
export interface DeviceServices {
  readonly db: Db
  readonly liveReader: Pick<LiveReader, 'subscribe'>
  readonly access: SpaceAccess
  readonly sessions: Sessions
  readonly signUps: SignUps
  readonly passwordChanges: PasswordChanges
  readonly spaces: Spaces
  readonly members: Members
  readonly invitations: Invitations
  readonly revocations: Revocations
  /** To be called after the commit of an enqueued mail. */
  readonly nudgeMailer: () => void
  readonly liveValues: LiveValues
  readonly topology: TopologyCache
  readonly lines: Lines
  readonly processes: Processes
  readonly devices: Devices
  readonly deviceCredentials: DeviceCredentials
  /** To be told after the commit of a change of spaces, lines, processes or devices. */
  readonly topologyChanges: TopologyChanges
}

/** What resolvers get: who asks, and batches of this one request. */
export interface SubgraphContext extends Omit<DeviceServices, 'liveValues' | 'topology'> {
  readonly viewer: Viewer | null
  /** Where a subscription begins. */
  readonly start: StreamStart | undefined
  /** Undefined where the answer can set no cookie. */
  readonly refreshCookie: RefreshCookie | undefined
  readonly reply: SubgraphReply
  readonly loaders: TopologyLoaders
  readonly memberLoaders: MemberLoaders
  readonly readings: Readings
  /**
   * Whether the caller is a member of the space; a device is a member of none. Rejects with UNAUTHENTICATED when
   * nobody asks.
   */
  canReadSpace(spaceId: string): Promise<boolean>
  /** Whether the caller may see a device: as a member of its space, or because it is that device and its space is not deleted. */
  canReadDevice(device: { id: string; spaceId: string }): Promise<boolean>
}

/** Creates the context of one request. */
export function createDeviceContext(
  services: DeviceServices,
  request: SubgraphRequest,
  reply: SubgraphReply = {},
): SubgraphContext {
  const { liveValues, topology, ...shared } = services
  const { db } = shared
  const { viewer, start, refreshCookie } = request
  const access = grantedAccess(services.access, request)
  const loaders = createTopologyLoaders(db, topology)
  let memberLoaders: MemberLoaders | undefined

  async function canReadSpace(spaceId: string): Promise<boolean> {
    if (viewer === null) throw new AppError('UNAUTHENTICATED', 'Sign in first.')
    return viewer.kind === 'user' && (await access.roleOf(viewer.userId, spaceId)) !== null
  }

  return {
    ...shared,
    access,
    viewer,
    start,
    refreshCookie,
    reply,
    loaders,
    get memberLoaders() {
      memberLoaders ??= createMemberLoaders(db)
      return memberLoaders
    },
    readings: createReadings({ db, liveValues }),
    canReadSpace,
    async canReadDevice({ id, spaceId }) {
      if (viewer?.kind !== 'device') return canReadSpace(spaceId)
      return viewer.deviceId === id && (await loaders.spaceById.load(spaceId))?.deletedAt === null
    },
  }
}
