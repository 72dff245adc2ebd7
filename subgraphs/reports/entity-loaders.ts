import DataLoader from 'dataloader'
import type { DeviceDirectory } from '../shared/device-directory.ts'
import { AppError, toAppError } from '../shared/errors.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { isUuidV7 } from '../shared/uuid-v7.ts'
import { type Availability, availabilityOf } from './availability-report.ts'
import { sumPresence } from './availability-repository.ts'
import { type CountedKind, countAnomalies } from './count-repository.ts'
import type { PlaceSpaces } from './place-spaces.ts'
import type { ReportLane } from './report-lane.ts'
import { quartersOf, type TimeRange } from './report-range.ts'

/** Entities that one statement asks about. */
const MAX_BATCH = 500

/** What one entity is asked about a range. */
export interface RangeKey {
  readonly id: string
  readonly range: TimeRange
}

type RangeLoader<T> = DataLoader<RangeKey, T, string>

/**
 * Batches what the entities of one request are asked: one statement for each kind and range, for up to MAX_BATCH of them.
 * NOT_FOUND where the caller may not see the entity.
 */
export interface EntityLoaders {
  readonly anomalyCount: Readonly<Record<CountedKind, RangeLoader<number>>>
  readonly availability: RangeLoader<Availability>
}

/** For each id that may be read its space; else why not. */
type Readable = ReadonlyMap<string, string | AppError>

/** Creates the loaders of one request. `requireReader` resolves when the caller may read a space, else rejects. */
export function createEntityLoaders({
  db,
  devices,
  places,
  lane,
  requireReader,
}: {
  db: Db
  devices: DeviceDirectory
  places: PlaceSpaces
  lane: ReportLane
  requireReader: (spaceId: string) => Promise<void>
}): EntityLoaders {
  const spacesOf: Record<CountedKind, (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>> = {
    async device(ids) {
      return new Map([...(await devices.placesOf(ids))].map(([id, { spaceId }]) => [id, spaceId]))
    },
    line: places.ofLines,
    process: places.ofProcesses,
  }

  async function findReadable(kind: CountedKind, ids: readonly string[]): Promise<Readable> {
    const known = [...new Set(ids.filter(isUuidV7))]
    const spaces = known.length === 0 ? new Map<string, string>() : await spacesOf[kind](known)
    const refusals = new Map<string, AppError>()
    await Promise.all(
      [...new Set(spaces.values())].map(spaceId =>
        requireReader(spaceId).catch(error => refusals.set(spaceId, toAppError(error))),
      ),
    )
    // What does not exist and what is in a space that is none of the caller's get the same answer.
    const absent = new AppError('NOT_FOUND', `There is no such ${kind}.`)
    return new Map(
      ids.map(id => {
        const spaceId = spaces.get(id)
        const refusal = spaceId === undefined ? absent : refusals.get(spaceId)
        return [id, refusal?.code === 'NOT_FOUND' ? absent : (refusal ?? spaceId ?? absent)]
      }),
    )
  }

  /** Makes a loader out of what is read for ids that may be read, with their spaces. */
  function createRangeLoader<T>(
    kind: CountedKind,
    read: (
      ids: readonly string[],
      spaceIds: readonly string[],
      range: TimeRange,
    ) => Promise<(id: string) => T>,
  ): RangeLoader<T> {
    async function load(keys: readonly RangeKey[]): Promise<(T | Error)[]> {
      const readable = await findReadable(
        kind,
        keys.map(key => key.id),
      )
      const byRange = Map.groupBy(keys, ({ range }) => nameOf(range))
      const answers = new Map<string, (id: string) => T>()
      for (const [name, ofRange] of byRange) {
        const ids = [...new Set(ofRange.map(key => key.id))].filter(
          id => typeof readable.get(id) === 'string',
        )
        const spaceIds = [...new Set(ids.map(id => String(readable.get(id))))]
        const range = ofRange[0]?.range
        if (ids.length > 0 && range !== undefined) answers.set(name, await read(ids, spaceIds, range))
      }
      return keys.map(({ id, range }) => {
        const space = readable.get(id)
        const answer = answers.get(nameOf(range))
        if (space instanceof AppError) return space
        return answer === undefined ? new TypeError(`Nothing was read for ${id}`) : answer(id)
      })
    }
    return new DataLoader(load, {
      maxBatchSize: MAX_BATCH,
      cacheKeyFn: ({ id, range }) => `${id} ${nameOf(range)}`,
    })
  }

  const createCountLoader = (kind: CountedKind) =>
    createRangeLoader(kind, async (ids, spaceIds, range) => {
      const counts = await lane(() => countAnomalies(db, kind, { ids, spaceIds, range: quartersOf(range) }))
      return id => counts.get(id) ?? 0
    })

  return {
    anomalyCount: {
      device: createCountLoader('device'),
      line: createCountLoader('line'),
      process: createCountLoader('process'),
    },
    availability: createRangeLoader('device', async (deviceIds, _, range) => {
      const sums = await lane(() =>
        sumPresence(db, { deviceIds }, { range, by: ['device_id'], limit: MAX_BATCH }),
      )
      const byDevice = new Map(sums.map(sum => [sum.deviceId, availabilityOf(sum)]))
      return id => byDevice.get(id) ?? NO_TIME
    }),
  }
}

/** Of a device that was there when it was looked up, and is not any more. */
const NO_TIME: Availability = {
  onlineRatio: null,
  downtimeSeconds: 0,
  outages: 0,
  mtbfSeconds: null,
  mttrSeconds: null,
}

function nameOf({ fromMs, toMs }: TimeRange): string {
  return `${fromMs} ${toMs}`
}
