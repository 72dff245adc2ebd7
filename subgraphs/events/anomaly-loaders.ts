import DataLoader from 'dataloader'
import type { AnomalyState } from '../../schema/live-event.ts'
import type { DeviceDirectory } from '../shared/device-directory.ts'
import { AppError } from '../shared/errors.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { isUuidV7 } from '../shared/uuid-v7.ts'
import type { AnomalyKey } from './anomaly-branch.ts'
import {
  type AnomalyListRequest,
  countAnomalies,
  findAnomalies,
  findLastAnomalies,
  listAnomaliesOfDevices,
} from './anomaly-repository.ts'
import type { AnomalySelection } from './anomaly-selection.ts'
import { type CommentListRequest, countComments, listComments } from './comment-repository.ts'
import type { CommentParent } from './model.ts'
import { countOpenOfDevices, countOpenOfPlaces } from './open-anomaly-repository.ts'
import { findReadableSpaces, findRefusals } from './readable-devices.ts'

/** Branches of one statement: each opens the table anew, so a server must not be asked for any number of them. */
const MAX_BRANCHES = 500

/** Keys of one statement without branches. */
const MAX_KEYS = 1_000

/** Anomalies of one device. */
export interface DeviceAnomaliesKey {
  readonly deviceId: string
  readonly selection: AnomalySelection
  readonly after: AnomalyKey | null
  readonly limit: number
}

/** What a device has raised, and the space it did so in. */
export interface DeviceAnomalies {
  readonly spaceId: string
  readonly rows: readonly AnomalyState[]
}

/**
 * Batches what one request asks about anomalies: one statement for up to 500 lists, or 1,000 of what is no list.
 *
 * What is of a device, line or process rejects with NOT_FOUND when the caller may not see that. Comments and counts of
 * selections are for those who have been authorised for what they are of.
 */
export interface AnomalyLoaders {
  /** Null for those that the caller may not see. */
  readonly byId: DataLoader<string, AnomalyState | null>
  readonly ofDevice: DataLoader<DeviceAnomaliesKey, DeviceAnomalies, string>
  readonly lastOfDevice: DataLoader<string, AnomalyState | null>
  readonly openOfDevice: DataLoader<string, number>
  readonly openOfLine: DataLoader<string, number>
  readonly openOfProcess: DataLoader<string, number>
  readonly count: DataLoader<Pick<AnomalyListRequest, 'spaceId' | 'selection'>, number>
  readonly comments: DataLoader<CommentListRequest, CommentParent[], string>
  readonly commentCount: DataLoader<string, number>
}

/** Creates the loaders of one request. `requireReader` resolves when the caller may read a space, else rejects. */
export function createAnomalyLoaders({
  db,
  devices,
  requireReader,
}: {
  db: Db
  devices: DeviceDirectory
  requireReader: (spaceId: string) => Promise<void>
}): AnomalyLoaders {
  /** Answers each device of a readable space by what `load` finds for all of those at once. */
  async function ofReadable<V>(
    deviceIds: readonly string[],
    load: (readable: readonly { index: number; deviceId: string; spaceId: string }[]) => Promise<V[]>,
  ): Promise<(V | Error)[]> {
    const spaces = await findReadableSpaces({ devices, requireReader }, deviceIds)
    const readable = deviceIds.flatMap((deviceId, index) => {
      const spaceId = spaces[index]
      return typeof spaceId === 'string' ? [{ index, deviceId, spaceId }] : []
    })
    const found = readable.length === 0 ? [] : await load(readable)
    let next = 0
    return spaces.map(space => (typeof space === 'string' ? (found[next++] as V) : space))
  }

  function openOf(kind: 'line' | 'process'): DataLoader<string, number> {
    return new DataLoader(
      async (ids): Promise<(number | Error)[]> => {
        const counts = await countOpenOfPlaces(db, kind, ids.filter(isUuidV7))
        const refusals = await findRefusals(
          requireReader,
          counts.map(({ spaceId }) => spaceId),
        )
        const byId = new Map(counts.map(count => [count.id, count]))
        return ids.map(id => {
          const count = byId.get(id)
          const refusal = count === undefined ? undefined : refusals.get(count.spaceId)
          if (count === undefined || refusal?.code === 'NOT_FOUND')
            return new AppError('NOT_FOUND', `There is no such ${kind}.`)
          return refusal ?? count.total
        })
      },
      { maxBatchSize: MAX_KEYS },
    )
  }

  return {
    byId: new DataLoader(
      async (ids): Promise<(AnomalyState | null | Error)[]> => {
        const found = await findAnomalies(db, ids.filter(isUuidV7))
        const refusals = await findRefusals(
          requireReader,
          found.map(({ spaceId }) => spaceId),
        )
        const byId = new Map(found.map(anomaly => [anomaly.id, anomaly]))
        return ids.map(id => {
          const anomaly = byId.get(id)
          const refusal = anomaly === undefined ? undefined : refusals.get(anomaly.spaceId)
          if (anomaly === undefined || refusal?.code === 'NOT_FOUND') return null
          return refusal ?? anomaly
        })
      },
      { maxBatchSize: MAX_KEYS },
    ),
    ofDevice: new DataLoader(
      keys =>
        ofReadable(
          keys.map(({ deviceId }) => deviceId),
          async readable => {
            const requests = readable.flatMap(({ index, spaceId }) => {
              const key = keys[index]
              return key === undefined ? [] : [{ ...key, spaceId }]
            })
            const lists = await listAnomaliesOfDevices(db, requests)
            return readable.map(({ spaceId }, i) => ({ spaceId, rows: lists[i] ?? [] }))
          },
        ),
      { maxBatchSize: MAX_BRANCHES, cacheKeyFn: key => JSON.stringify(key) },
    ),
    lastOfDevice: new DataLoader(
      ids =>
        ofReadable(ids, async readable => {
          const found = await findLastAnomalies(
            db,
            readable.map(({ deviceId }) => deviceId),
          )
          const byDevice = new Map(found.map(anomaly => [anomaly.deviceId, anomaly]))
          return readable.map(({ deviceId }) => byDevice.get(deviceId) ?? null)
        }),
      { maxBatchSize: MAX_KEYS },
    ),
    openOfDevice: new DataLoader(
      ids =>
        ofReadable(ids, async readable => {
          const counts = await countOpenOfDevices(
            db,
            readable.map(({ deviceId }) => deviceId),
          )
          return readable.map(({ deviceId }) => counts.get(deviceId) ?? 0)
        }),
      { maxBatchSize: MAX_KEYS },
    ),
    openOfLine: openOf('line'),
    openOfProcess: openOf('process'),
    // Every connection has a selection of its own and remembers its count, so nothing is asked twice.
    count: new DataLoader(requests => countAnomalies(db, requests), {
      maxBatchSize: MAX_BRANCHES,
      cache: false,
    }),
    comments: new DataLoader(requests => listComments(db, requests), {
      maxBatchSize: MAX_BRANCHES,
      cacheKeyFn: key => JSON.stringify(key),
    }),
    commentCount: new DataLoader(ids => countComments(db, ids), { maxBatchSize: MAX_BRANCHES }),
  }
}
