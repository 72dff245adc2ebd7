import type { DeviceDirectory, DevicePlace } from '../shared/device-directory.ts'
import { createBatchedCache } from '../shared/loader/batched-cache.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import type { TopologyChange, TopologyWatch } from '../shared/topology/topology-watch.ts'
import { isUuidV7 } from '../shared/uuid-v7.ts'
import { findDevicePlaces } from './device-repository.ts'

/** The directory of a process, with the way to forget what may have changed. */
export interface CachedDeviceDirectory extends DeviceDirectory {
  /** Forgets the places that a change of the topology touches. */
  forget(change: TopologyChange): void
}

/**
 * Creates the directory of a process: remembers the places of `maxEntries` devices (default 50,000) for `maxAgeMs`
 * (default 60 s), and for 5 s that a device does not exist, unless the watch tells of a change. Removed devices
 * keep their place.
 */
export function createDeviceDirectory({
  db,
  topologyWatch,
  maxEntries = 50_000,
  maxAgeMs = 60_000,
}: {
  db: Db
  /** Tells of devices that were moved. Default: nobody does. */
  topologyWatch?: Pick<TopologyWatch, 'onChange'>
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

  function forget(change: TopologyChange): void {
    if (change.kind === 'unknown') places.flush()
    if (change.kind !== 'device') return
    if (change.ids !== undefined) places.forget(change.ids)
    // What is being looked up may be of the space.
    else places.flush((_, place) => place === undefined || place?.spaceId === change.spaceId)
  }

  topologyWatch?.onChange(forget)
  return {
    async placesOf(deviceIds) {
      const found = await Promise.all(
        deviceIds.map(async id => [id, isUuidV7(id) ? await places.get(id) : null] as const),
      )
      return new Map(found.filter((entry): entry is [string, DevicePlace] => entry[1] !== null))
    },
    forget,
  }
}
