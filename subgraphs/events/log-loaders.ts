import DataLoader from 'dataloader'
import type { LogEvent } from '../../schema/live-event.ts'
import type { DeviceDirectory } from '../shared/device-directory.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { countLogs, findLogsForUser, type LogWalk, listLogsOfDevices } from './log-repository.ts'
import type { LogSelection } from './log-selection.ts'
import { findReadableSpaces } from './readable-devices.ts'

/** Branches of one statement: each opens the table anew, so a server must not be asked for any number of them. */
const MAX_BRANCHES = 500

/** Logs of one device. */
export interface DeviceLogsKey {
  readonly deviceId: string
  readonly walk: LogWalk
}

/** What a device has logged, and the space it did so in. */
export interface DeviceLogs {
  readonly spaceId: string
  readonly rows: readonly LogEvent[]
}

/** Batches what the entities of one request ask of the table `log`: one statement for up to MAX_BRANCHES of them. */
export interface LogLoaders {
  /** Logs of a device in the order of the walk; NOT_FOUND when the caller may not see the device. */
  readonly ofDevice: DataLoader<DeviceLogsKey, DeviceLogs, string>
  /** Number of selected logs, up to MAX_COUNTED_LOGS + 1. The caller has been authorised for the selection. */
  readonly count: DataLoader<LogSelection, number>
}

/**
 * Creates the loaders of one request.
 *
 * `requireReader` resolves when the caller may read a space, else rejects. Devices are authorised inside the batch:
 * before it, those of a space whose role takes longer to learn would miss the statement of the others.
 */
export function createLogLoaders({
  db,
  devices,
  requireReader,
}: {
  db: Db
  devices: DeviceDirectory
  requireReader: (spaceId: string) => Promise<void>
}): LogLoaders {
  async function loadOfDevices(keys: readonly DeviceLogsKey[]): Promise<(DeviceLogs | Error)[]> {
    const spaces = await findReadableSpaces(
      { devices, requireReader },
      keys.map(key => key.deviceId),
    )
    const requests = keys.flatMap(({ deviceId, walk }, i) => {
      const spaceId = spaces[i]
      return typeof spaceId === 'string' ? [{ spaceId, deviceId, walk }] : []
    })
    const lists = (requests.length === 0 ? [] : await listLogsOfDevices(db, requests)).values()
    return spaces.map(space =>
      typeof space === 'string' ? { spaceId: space, rows: lists.next().value ?? [] } : space,
    )
  }

  return {
    ofDevice: new DataLoader(loadOfDevices, {
      maxBatchSize: MAX_BRANCHES,
      cacheKeyFn: ({ deviceId, walk }) => `${deviceId} ${walk.direction} ${walk.afterId ?? ''} ${walk.limit}`,
    }),
    // Every connection has a selection of its own and remembers its count, so nothing is asked twice.
    count: new DataLoader(selections => countLogs(db, selections), {
      maxBatchSize: MAX_BRANCHES,
      cache: false,
    }),
  }
}

/** Creates the loader of logs by id that a user may see; null for all others. */
export function createLogLoader(db: Db, userId: string): DataLoader<string, LogEvent | null> {
  return new DataLoader(
    async ids => {
      const found = new Map((await findLogsForUser(db, userId, ids)).map(log => [log.id, log]))
      return ids.map(id => found.get(id) ?? null)
    },
    { maxBatchSize: MAX_BRANCHES },
  )
}
