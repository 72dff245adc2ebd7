import DataLoader from 'dataloader'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { type DeviceList, type DeviceListRequest, dependsOnTopologyAlone } from './device-list.ts'
import {
  countDevices,
  countDevicesOfSpaces,
  type DeviceCounts,
  type ListedDevice,
  listDevices,
} from './device-list-repository.ts'
import type { DeviceParent, LineParent, ProcessParent, SpaceParent, UserParent } from './model.ts'
import type { TopologyCache } from './topology-cache.ts'
import { findUsers } from './user-repository.ts'

/** Answers what is asked for in one tick together. */
interface Loader<K, V> {
  load(key: K): Promise<V>
}

/** Batches of one request. The topology comes out of the cache of the process. */
export interface TopologyLoaders {
  readonly userById: Loader<string, UserParent | null>
  /** Deleted ones too. */
  readonly spaceById: Loader<string, SpaceParent | null>
  readonly lineById: Loader<string, LineParent | null>
  readonly processById: Loader<string, ProcessParent | null>
  /** Removed ones too. */
  readonly deviceById: Loader<string, DeviceParent | null>
  readonly linesOfSpace: Loader<string, LineParent[]>
  readonly processesOfSpace: Loader<string, ProcessParent[]>
  readonly processesOfLine: Loader<LineParent, ProcessParent[]>
  readonly deviceCounts: Loader<string, DeviceCounts>
  readonly devicePage: Loader<DeviceListRequest, readonly ListedDevice[]>
  readonly deviceTotal: Loader<DeviceList, number>
}

/** Keys of one statement at most; of a statement with a branch for each key fewer. */
const MAX_KEYS = 1_000
const MAX_BRANCHES = 500

/** Creates the loaders of one request: each answers what is asked of it in one tick with one statement at most. */
export function createTopologyLoaders(db: Db, topology: TopologyCache): TopologyLoaders {
  const livePages = new DataLoader<DeviceListRequest, ListedDevice[], string>(
    requests => listDevices(db, requests),
    { maxBatchSize: MAX_BRANCHES, cacheKeyFn: key => JSON.stringify(key) },
  )
  const liveTotals = new DataLoader<DeviceList, number, string>(lists => countDevices(db, lists), {
    maxBatchSize: MAX_BRANCHES,
    cacheKeyFn: key => JSON.stringify(key),
  })
  return {
    userById: new DataLoader(
      async ids => {
        const rows = new Map((await findUsers(db, ids)).map(row => [row.id, row]))
        return ids.map(id => rows.get(id) ?? null)
      },
      { maxBatchSize: MAX_KEYS },
    ),
    spaceById: { load: topology.spaces.get },
    lineById: { load: topology.lines.get },
    processById: { load: topology.processes.get },
    deviceById: { load: topology.devices.get },
    linesOfSpace: { load: topology.linesOfSpace },
    processesOfSpace: { load: topology.processesOfSpace },
    processesOfLine: { load: topology.processesOfLine },
    deviceCounts: new DataLoader(
      async ids => {
        const counts = await countDevicesOfSpaces(db, ids)
        return ids.map(id => counts.get(id) ?? { total: 0, online: 0, broadcasting: 0 })
      },
      { maxBatchSize: MAX_KEYS },
    ),
    devicePage: {
      load: request =>
        request.order !== 'LAST_SEEN_AT' && dependsOnTopologyAlone(request.list)
          ? topology.pageOf(request)
          : livePages.load(request),
    },
    deviceTotal: {
      load: list => (dependsOnTopologyAlone(list) ? topology.totalOf(list) : liveTotals.load(list)),
    },
  }
}
