import type { DeviceDirectory, DevicePlace } from '../shared/device-directory.ts'
import { createBatchedCache } from '../shared/loader/batched-cache.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { isUuidV7 } from '../shared/uuid-v7.ts'
import { findDevicePlaces } from './device-repository.ts'

/** The directory of a process, with the way to forget what may have changed. */
export interface CachedDeviceDirectory extends DeviceDirectory {
  /** Forgets a device, all without one. */
  flush(deviceId?: string): void
}

/**
 * Creates the directory of a process: remembers the places of `maxEntries` devices (default 50,000) for `maxAgeMs`
 * (default 30 s), and for 5 s that a device does not exist. Removed devices keep their place.
 */
export function createDeviceDirectory({
  db,
  maxEntries = 50_000,
  maxAgeMs = 30_000,
}: {
  db: Db
  maxEntries?: number
  maxAgeMs?: number
}): CachedDeviceDirectory {
  const places = createBatchedCache<DevicePlace>({
    name: 'The lookup of devices',
    maxEntries,
    maxAgeMs,
    async load(ids) {
      const rows = await findDevicePlaces(db, ids)
      return new Map(rows.map(({ id, ...place }) => [id, place]))
    },
  })
  return {
    async placesOf(deviceIds) {
      const found = await Promise.all(
        deviceIds.map(async id => [id, isUuidV7(id) ? await places.get(id) : null] as const),
      )
      return new Map(found.filter((entry): entry is [string, DevicePlace] => entry[1] !== null))
    },
    flush(deviceId) {
      places.flush(deviceId === undefined ? undefined : key => key === deviceId)
    },
  }
}
