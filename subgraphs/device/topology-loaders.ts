import DataLoader from 'dataloader'
import type { Db } from '../shared/mysql/open-mysql.ts'
import {
  countDevices,
  countDevicesOfSpaces,
  type DeviceList,
  type DeviceListRequest,
  listDevices,
} from './device-list-repository.ts'
import { findDevices } from './device-repository.ts'
import type { DeviceParent, LineParent, ProcessParent, SpaceParent, UserParent } from './model.ts'
import {
  findLines,
  findProcesses,
  findSpaces,
  listLinesOfSpaces,
  listProcessesOfLines,
  listProcessesOfSpaces,
} from './space-repository.ts'
import { findUsers } from './user-repository.ts'

/** Batches of one request. */
export interface TopologyLoaders {
  readonly userById: DataLoader<string, UserParent | null>
  readonly spaceById: DataLoader<string, SpaceParent | null>
  readonly lineById: DataLoader<string, LineParent | null>
  readonly processById: DataLoader<string, ProcessParent | null>
  /** Removed ones too. */
  readonly deviceById: DataLoader<string, DeviceParent | null>
  readonly linesOfSpace: DataLoader<string, LineParent[]>
  readonly processesOfSpace: DataLoader<string, ProcessParent[]>
  readonly processesOfLine: DataLoader<string, ProcessParent[]>
  readonly deviceCounts: DataLoader<string, { total: number; online: number }>
  readonly devicePage: DataLoader<DeviceListRequest, DeviceParent[], string>
  readonly deviceTotal: DataLoader<DeviceList, number, string>
}

/** Keys of one statement at most; of a statement with a branch for each key fewer. */
const MAX_KEYS = 1_000
const MAX_BRANCHES = 500

/** Creates the loaders of one request: each answers what is asked of it in one tick with one statement. */
export function createTopologyLoaders(db: Db): TopologyLoaders {
  return {
    userById: createByIdLoader(ids => findUsers(db, ids)),
    spaceById: createByIdLoader(ids => findSpaces(db, ids)),
    lineById: createByIdLoader(ids => findLines(db, ids)),
    processById: createByIdLoader(ids => findProcesses(db, ids)),
    deviceById: createByIdLoader(ids => findDevices(db, ids)),
    linesOfSpace: createGroupLoader(
      ids => listLinesOfSpaces(db, ids),
      row => row.spaceId,
    ),
    processesOfSpace: createGroupLoader(
      ids => listProcessesOfSpaces(db, ids),
      row => row.spaceId,
    ),
    processesOfLine: createGroupLoader(
      ids => listProcessesOfLines(db, ids),
      row => row.lineId,
    ),
    deviceCounts: new DataLoader(
      async ids => {
        const counts = await countDevicesOfSpaces(db, ids)
        return ids.map(id => counts.get(id) ?? { total: 0, online: 0 })
      },
      { maxBatchSize: MAX_KEYS },
    ),
    devicePage: new DataLoader(requests => listDevices(db, requests), {
      maxBatchSize: MAX_BRANCHES,
      cacheKeyFn: ({ list, afterCode, limit }) => JSON.stringify([listKey(list), afterCode, limit]),
    }),
    deviceTotal: new DataLoader(lists => countDevices(db, lists), {
      maxBatchSize: MAX_BRANCHES,
      cacheKeyFn: listKey,
    }),
  }
}

function listKey({ of, id, lineId, processId, online }: DeviceList): string {
  return JSON.stringify([of, id, lineId, processId, online])
}

function createByIdLoader<Row extends { id: string }>(
  find: (ids: readonly string[]) => Promise<Row[]>,
): DataLoader<string, Row | null> {
  return new DataLoader(
    async ids => {
      const rows = new Map((await find(ids)).map(row => [row.id, row]))
      return ids.map(id => rows.get(id) ?? null)
    },
    { maxBatchSize: MAX_KEYS },
  )
}

function createGroupLoader<Row>(
  list: (ownerIds: readonly string[]) => Promise<Row[]>,
  ownerOf: (row: Row) => string | null,
): DataLoader<string, Row[]> {
  return new DataLoader(
    async ids => {
      const groups = Map.groupBy(await list(ids), ownerOf)
      return ids.map(id => groups.get(id) ?? [])
    },
    { maxBatchSize: MAX_KEYS },
  )
}
