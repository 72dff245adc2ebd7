import { requireUser, type Viewer } from '../shared/auth/viewer.ts'
import type { DeviceDirectory } from '../shared/device-directory.ts'
import { AppError } from '../shared/errors.ts'
import type { SubgraphRequest } from '../shared/graphql/subgraph.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { requireRight } from '../shared/permissions/rights-table.ts'
import { grantedAccess, type SpaceAccess } from '../shared/space-access.ts'
import { isUuidV7 } from '../shared/uuid-v7.ts'
import { createEntityLoaders, type EntityLoaders } from './entity-loaders.ts'
import type { PlaceSpaces } from './place-spaces.ts'
import type { ReportLane } from './report-lane.ts'

/** What the reports subgraph needs of its process. */
export interface ReportsResources {
  readonly db: Db
  /** Roles of people. */
  readonly access: SpaceAccess
  /** Spaces of devices. */
  readonly devices: DeviceDirectory
  /** The site's, under which links of exports are sealed. */
  readonly secret: string
}

/** What resolvers get: who asks, and batches of this one request. */
export interface SubgraphContext {
  readonly db: Db
  readonly viewer: Viewer | null
  readonly secret: string
  /** Where reports are read. */
  readonly lane: ReportLane
  readonly loaders: EntityLoaders
  /** The request's moment, epoch milliseconds: one for all, so that all that ask up to now ask for one range. */
  readonly now: number
  /**
   * Resolves when the caller may read the space; asks once a space. Rejects with BAD_USER_INPUT for what is no id, else as
   * requireRight does.
   */
  requireReader(spaceId: string): Promise<void>
}

/** Creates the context of one request. Loaders are made when they are first asked for. */
export function createReportsContext(
  resources: ReportsResources & { readonly places: PlaceSpaces; readonly lane: ReportLane },
  request: SubgraphRequest,
): SubgraphContext {
  const { db, devices, places, secret, lane } = resources
  const { viewer } = request
  const access = grantedAccess(resources.access, request)
  const roles = new Map<string, ReturnType<typeof requireRight>>()

  async function requireReader(spaceId: string): Promise<void> {
    requireUser(viewer)
    if (!isUuidV7(spaceId))
      throw new AppError(
        'BAD_USER_INPUT',
        'spaceId is a UUIDv7 in lower case, such as this API answers with.',
      )
    const role = roles.get(spaceId) ?? requireRight(access, viewer, spaceId, 'space.read')
    roles.set(spaceId, role)
    await role
  }

  let loaders: EntityLoaders | undefined
  return {
    db,
    viewer,
    secret,
    lane,
    now: Date.now(),
    requireReader,
    get loaders() {
      loaders ??= createEntityLoaders({ db, devices, places, lane, requireReader })
      return loaders
    },
  }
}
