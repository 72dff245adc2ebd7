import { type BatchedCache, createBatchedCache } from '../shared/loader/batched-cache.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import type { TopologyChange } from '../shared/topology/topology-watch.ts'
import type { DeviceList, DeviceListRequest } from './device-list.ts'
import { countDevices, type ListedDevice, listDevices } from './device-list-repository.ts'
import { findDevices } from './device-repository.ts'
import type { DeviceParent, LineParent, ProcessParent, SpaceParent } from './model.ts'
import {
  findLines,
  findProcesses,
  findSpaces,
  listLinesOfSpaces,
  listProcessesOfSpaces,
} from './space-repository.ts'

/** Rows that one cache of the topology holds at most, and how long they are believed. */
export interface TopologyCacheLimits {
  readonly maxSpaces: number
  readonly maxLines: number
  readonly maxProcesses: number
  readonly maxDevices: number
  /** Rows of all pages of devices together. */
  readonly maxRowsOfPages: number
  readonly maxAgeMs: number
}

/** A device has about 400 bytes: some 40 MB when everything is full. */
const DEFAULT_LIMITS: TopologyCacheLimits = {
  maxSpaces: 10_000,
  maxLines: 20_000,
  maxProcesses: 20_000,
  maxDevices: 50_000,
  maxRowsOfPages: 50_000,
  maxAgeMs: 60_000,
}

/** Keys of one statement at most; of a statement with a branch for each key fewer. */
const MAX_KEYS = 1_000
const MAX_BRANCHES = 500

/** The processes of a space by position: all of them, and those of each line. */
interface SpaceProcesses {
  readonly all: ProcessParent[]
  readonly ofLine: ReadonlyMap<string | null, ProcessParent[]>
}

/** What spaces, lines, processes and devices are, as a process of the site remembers it. */
export interface TopologyCache {
  /** Deleted ones too. */
  readonly spaces: Pick<BatchedCache<SpaceParent>, 'get'>
  readonly lines: Pick<BatchedCache<LineParent>, 'get'>
  readonly processes: Pick<BatchedCache<ProcessParent>, 'get'>
  /** Removed ones too. */
  readonly devices: Pick<BatchedCache<DeviceParent>, 'get'>
  linesOfSpace(spaceId: string): Promise<LineParent[]>
  processesOfSpace(spaceId: string): Promise<ProcessParent[]>
  processesOfLine(line: LineParent): Promise<ProcessParent[]>
  /** A piece of a list that depends on nothing but the topology. */
  pageOf(request: DeviceListRequest): Promise<readonly ListedDevice[]>
  /** How long such a list is. */
  totalOf(list: DeviceList): Promise<number>
  /** Forgets what a change touches. Who asks from now on, or waits, gets what is read from now on. */
  forget(change: TopologyChange): void
}

/**
 * Creates the topology cache of a process. What several requests ask of a table in one tick is one statement.
 *
 * It is as fresh as what it is told by `forget`, and at worst `maxAgeMs` old (default 60 s).
 */
export function createTopologyCache({
  db,
  limits,
}: {
  db: Db
  limits?: Partial<TopologyCacheLimits>
}): TopologyCache {
  const { maxSpaces, maxLines, maxProcesses, maxDevices, maxRowsOfPages, maxAgeMs } = {
    ...DEFAULT_LIMITS,
    ...limits,
  }

  function createRows<Row extends { id: string }>(
    of: string,
    maxEntries: number,
    find: (ids: readonly string[]) => Promise<Row[]>,
  ): BatchedCache<Row> {
    return createBatchedCache({
      name: `The lookup of ${of}`,
      maxEntries,
      maxAgeMs,
      maxBatch: MAX_KEYS,
      load: async ids => new Map((await find(ids)).map(row => [row.id, row])),
    })
  }

  const spaces = createRows('spaces', maxSpaces, ids => findSpaces(db, ids))
  const lines = createRows('lines', maxLines, ids => findLines(db, ids))
  const processes = createRows('processes', maxProcesses, ids => findProcesses(db, ids))
  const devices = createRows('devices', maxDevices, ids => findDevices(db, ids))
  const spaceLines = createBatchedCache<LineParent[]>({
    name: 'The list of lines',
    maxEntries: maxLines,
    sizeOf: ({ length }) => 1 + length,
    maxAgeMs,
    maxAbsentAgeMs: maxAgeMs,
    maxBatch: MAX_KEYS,
    load: async ids => Map.groupBy(await listLinesOfSpaces(db, ids), row => row.spaceId),
  })
  const spaceProcesses = createBatchedCache<SpaceProcesses>({
    name: 'The list of processes',
    maxEntries: maxProcesses,
    sizeOf: ({ all }) => 1 + all.length,
    maxAgeMs,
    maxAbsentAgeMs: maxAgeMs,
    maxBatch: MAX_KEYS,
    async load(ids) {
      const bySpace = Map.groupBy(await listProcessesOfSpaces(db, ids), row => row.spaceId)
      return new Map(
        [...bySpace].map(([id, all]) => [id, { all, ofLine: Map.groupBy(all, row => row.lineId) }]),
      )
    },
  })
  const pages = createBatchedCache<readonly ListedDevice[]>({
    name: 'The list of devices',
    maxEntries: maxRowsOfPages,
    sizeOf: ({ length }) => 1 + length,
    maxAgeMs,
    maxBatch: MAX_BRANCHES,
    load: async keys => zip(keys, await listDevices(db, keys.map(parseKey<DeviceListRequest>))),
  })
  const totals = createBatchedCache<number>({
    name: 'The count of devices',
    maxEntries: maxLines,
    maxAgeMs,
    maxBatch: MAX_BRANCHES,
    load: async keys => zip(keys, await countDevices(db, keys.map(parseKey<DeviceList>))),
  })

  /** Forgets rows, and lists by the key of their space. */
  function forgetRows<Row extends { spaceId: string }>(
    rows: BatchedCache<Row>,
    spaceId: string,
    ids: readonly string[] | undefined,
  ): void {
    if (ids !== undefined) rows.forget(ids)
    // What is being looked up may be of the space.
    else rows.flush((_, row) => row === undefined || row?.spaceId === spaceId)
  }

  return {
    spaces,
    lines,
    processes,
    devices,
    linesOfSpace: async spaceId => (await spaceLines.get(spaceId)) ?? [],
    processesOfSpace: async spaceId => (await spaceProcesses.get(spaceId))?.all ?? [],
    processesOfLine: async ({ id, spaceId }) => (await spaceProcesses.get(spaceId))?.ofLine.get(id) ?? [],
    pageOf: async request => (await pages.get(toKey(request.list.spaceId, request))) ?? [],
    totalOf: async list => (await totals.get(toKey(list.spaceId, list))) ?? 0,
    forget(change) {
      if (change.kind === 'unknown') {
        for (const cache of [spaces, lines, processes, devices, spaceLines, spaceProcesses, pages, totals])
          cache.flush()
        return
      }
      const { kind, spaceId, ids } = change
      if (kind === 'space') spaces.forget([spaceId])
      if (kind === 'line') {
        forgetRows(lines, spaceId, ids)
        spaceLines.forget([spaceId])
      }
      if (kind === 'process') {
        forgetRows(processes, spaceId, ids)
        spaceProcesses.forget([spaceId])
      }
      if (kind === 'device') {
        forgetRows(devices, spaceId, ids)
        for (const lists of [pages, totals]) lists.flush(key => key.startsWith(spaceId))
      }
    },
  }
}

/** A key that begins with the space. */
function toKey(spaceId: string, request: object): string {
  return spaceId + JSON.stringify(request)
}

function parseKey<Request>(key: string): Request {
  return JSON.parse(key.slice(key.indexOf('{')))
}

function zip<V>(keys: readonly string[], values: readonly V[]): Map<string, V> {
  return new Map(values.map((value, i) => [keys[i] ?? '', value]))
}
