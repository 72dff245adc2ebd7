import { type SQL, sql } from '../../schema/mysql/drizzle.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { parseMoment, selectBranches } from '../shared/mysql/select-branches.ts'
import type { DeviceList, DeviceListRequest } from './device-list.ts'
import type { DeviceParent } from './model.ts'

/** A device in a list. `lastSeenMs` is that of device_status when the list is in that order, else 0. */
export interface ListedDevice extends DeviceParent {
  readonly lastSeenMs: number
}

/** The columns of a device as a bare statement answers: moments are text, booleans and big numbers anything. */
interface DeviceRow extends Omit<DeviceParent, 'createdAt' | 'removed'> {
  createdAt: string
  removed: unknown
  lastSeenMs: unknown
}

/** How many devices a space has. */
export interface DeviceCounts {
  readonly total: number
  readonly online: number
  readonly broadcasting: number
}

const COLUMNS = sql.raw(
  [
    'device.id',
    'device.space_id spaceId',
    'device.line_id lineId',
    'device.process_id processId',
    'device.code',
    'device.name',
    'device.model',
    'device.created_at createdAt',
    'device.removed',
    'device.version',
  ].join(', '),
)

/** The index that holds the devices of a space in an order. */
const INDEX_OF_ORDER = { CODE: 'device_code', NAME: 'device_name', CREATED_AT: 'device_created' } as const

/**
 * Reads pieces of several lists in one statement: an answer for each request, in their order.
 *
 * A piece walks an index in its order and stops at its limit; what has no such index (names and registrations of a line
 * or process, and of what a search finds) is sorted. What devices report is looked up in a set made of an index of
 * device_status. So a piece reads index entries of one space at most, 20,000 of them.
 */
export async function listDevices(db: Db, requests: readonly DeviceListRequest[]): Promise<ListedDevice[][]> {
  const pieces = await selectBranches<DeviceRow>(db, requests.map(selectPiece))
  return pieces.map(rows => rows.map(toDevice))
}

/** Counts the devices of each list, in one statement. */
export async function countDevices(db: Db, lists: readonly DeviceList[]): Promise<number[]> {
  const counts = await selectBranches<{ total: unknown }>(
    db,
    lists.map(list => sql`COUNT(*) total ${rowsOf(list, 'CODE')}`),
  )
  return counts.map(([row]) => Number(row?.total ?? 0))
}

/** Counts the devices of spaces, in one statement over indexes; a space without devices is left out. */
export async function countDevicesOfSpaces(
  db: Db,
  spaceIds: readonly string[],
): Promise<Map<string, DeviceCounts>> {
  const ids = sql.join(
    spaceIds.map(id => sql`${id}`),
    sql.raw(', '),
  )
  const ofStatus = (column: 'online' | 'broadcasting') => sql`space_id spaceId, COUNT(*) total
    FROM device_status FORCE INDEX (${sql.raw(`device_status_${column}`)})
    WHERE space_id IN (${ids}) AND ${sql.raw(column)} = 1 GROUP BY space_id`
  // Removed ones are few, so they are looked at one by one and taken from the others.
  const ofRemoved = (column: 'online' | 'broadcasting') => sql`device.space_id spaceId, COUNT(*) total
    FROM device FORCE INDEX (device_code) STRAIGHT_JOIN device_status status FORCE INDEX (PRIMARY)
      ON status.device_id = device.id
    WHERE device.space_id IN (${ids}) AND device.live_code IS NULL AND status.${sql.raw(column)} = 1
    GROUP BY device.space_id`
  const counts = await selectBranches<{ spaceId: string; total: unknown }>(db, [
    sql`space_id spaceId, COUNT(*) total FROM device FORCE INDEX (device_code)
      WHERE space_id IN (${ids}) AND live_code IS NOT NULL GROUP BY space_id`,
    ofStatus('online'),
    ofRemoved('online'),
    ofStatus('broadcasting'),
    ofRemoved('broadcasting'),
  ])
  const [totals, online, removedOnline, broadcasting, removedBroadcasting] = counts.map(
    rows => new Map(rows.map(row => [row.spaceId, Number(row.total)])),
  )
  const subtract = (all: typeof totals, removed: typeof totals, spaceId: string) =>
    Math.max(0, (all?.get(spaceId) ?? 0) - (removed?.get(spaceId) ?? 0))
  return new Map(
    [...(totals ?? [])].map(([spaceId, total]) => [
      spaceId,
      {
        total,
        online: subtract(online, removedOnline, spaceId),
        broadcasting: subtract(broadcasting, removedBroadcasting, spaceId),
      },
    ]),
  )
}

function selectPiece({ list, order, isDescending, after, limit }: DeviceListRequest): SQL {
  const walk = { isDescending, after, limit }
  switch (order) {
    case 'CODE':
      return sql`${COLUMNS}, 0 lastSeenMs ${rowsOf(list, order)}${walkBy(['device.live_code'], walk)}`
    case 'NAME':
      return sql`${COLUMNS}, 0 lastSeenMs ${rowsOf(list, order)}${walkBy(['device.name', 'device.id'], walk)}`
    case 'CREATED_AT':
      return sql`${COLUMNS}, 0 lastSeenMs ${rowsOf(list, order)}${walkBy(['device.id'], walk)}`
    case 'LAST_SEEN_AT':
      return selectByLastSeen(list, walk)
  }
}

/**
 * Devices that have been seen come from the index of last signs, and those that never were, which count as 0, from that
 * of registrations; of both what is first.
 */
function selectByLastSeen(list: DeviceList, walk: Walk): SQL {
  const { spaceId } = list
  const isSeen = sql`FROM device_status seen FORCE INDEX (device_status_seen)
    STRAIGHT_JOIN device FORCE INDEX (PRIMARY) ON device.id = seen.device_id${setsOf(list, 'seen.device_id')}
    WHERE seen.space_id = ${spaceId} AND seen.last_seen_at IS NOT NULL AND ${conditionsOf(list)}`
  const isUnseen = sql`${rowsOf(list, 'CREATED_AT')} AND device.id NOT IN (SELECT device_id
    FROM device_status FORCE INDEX (device_status_seen) WHERE space_id = ${spaceId} AND last_seen_at IS NOT NULL)`
  const [lastSeen, id] = walk.after ?? []
  const seenWalk = lastSeen === 0 ? { ...walk, after: null } : walk
  const unseenWalk = { ...walk, after: lastSeen === 0 && id !== undefined ? [id] : null }
  const seen = sql`(SELECT ${COLUMNS}, seen.last_seen_at lastSeenMs
    ${isSeen}${walkBy(['seen.last_seen_at', 'seen.device_id'], seenWalk)})`
  const unseen = sql`(SELECT ${COLUMNS}, 0 lastSeenMs ${isUnseen}${walkBy(['device.id'], unseenWalk)})`
  // From one that was never seen the walk comes to the others only upwards, and from another to it only downwards.
  const parts: SQL[] = []
  if (lastSeen !== 0 || !walk.isDescending) parts.push(seen)
  if (lastSeen === undefined || lastSeen === 0 || walk.isDescending) parts.push(unseen)
  return sql`piece.* FROM (${sql.join(parts, sql.raw(' UNION ALL '))}) piece
    WHERE TRUE${walkBy(['piece.lastSeenMs', 'piece.id'], { ...walk, after: null })}`
}

type Walk = Pick<DeviceListRequest, 'isDescending' | 'after' | 'limit'>

/** The end of a selection: what is behind the key, in order. One thing that is unique, or one that is not and the id. */
function walkBy(key: readonly [string, string?], { isDescending, after, limit }: Walk): SQL {
  const direction = sql.raw(isDescending ? 'DESC' : 'ASC')
  const [first, second] = key.map(part => sql.raw(part ?? ''))
  const orderBy =
    second === undefined ? sql`${first} ${direction}` : sql`${first} ${direction}, ${second} ${direction}`
  return sql`${after === null ? sql.empty() : sql` AND ${isBehind(key, isDescending, after)}`}
    ORDER BY ${orderBy} LIMIT ${limit}`
}

/** In the form that an index can begin at. */
function isBehind(
  key: readonly [string, string?],
  isDescending: boolean,
  [value, id]: readonly (string | number)[],
): SQL {
  const beyond = sql.raw(isDescending ? '<' : '>')
  const first = sql.raw(key[0])
  if (key[1] === undefined) return sql`${first} ${beyond} ${value}`
  return sql`${first} ${beyond}= ${value} AND (${first} ${beyond} ${value} OR ${sql.raw(key[1])} ${beyond} ${id})`
}

/** The FROM and WHERE of a list: the index that holds it, in its order if one does, then what else must match. */
function rowsOf(list: DeviceList, order: keyof typeof INDEX_OF_ORDER): SQL {
  const { of, lineId, processId, search } = list
  const index =
    of === 'process' || processId !== null
      ? 'device_process'
      : of === 'line' || lineId !== null
        ? 'device_line'
        : search !== null
          ? 'device_search'
          : INDEX_OF_ORDER[order]
  return sql`FROM device FORCE INDEX (${sql.raw(index)})${setsOf(list, 'device.id')} WHERE ${conditionsOf(list)}`
}

function conditionsOf({ of, id, lineId, processId, search, ...list }: DeviceList): SQL {
  const conditions = [sql`device.${sql.raw(of)}_id = ${id}`, sql`device.live_code IS NOT NULL`]
  if (lineId !== null && of !== 'line') conditions.push(sql`device.line_id = ${lineId}`)
  if (processId !== null && of !== 'process') conditions.push(sql`device.process_id = ${processId}`)
  if (search !== null) conditions.push(sql`device.search_text LIKE LOWER(${toPattern(search)})`)
  // One that has never connected has no status.
  for (const column of ['online', 'broadcasting'] as const)
    if (list[column] === false)
      conditions.push(sql`device.id NOT IN (${devicesWith(list.spaceId, column, 1)})`)
  return sql.join(conditions, sql.raw(' AND '))
}

/**
 * Joins to the sets of devices that report what is wanted. DISTINCT makes a set of its own of each, with a key: the walk
 * then asks it about each device, and reads the rows of those alone that are in it.
 */
function setsOf({ spaceId, online, broadcasting, status }: DeviceList, id: string): SQL {
  const joins: SQL[] = []
  const join = (column: 'online' | 'broadcasting' | 'status', value: string | number) => {
    const name = sql.raw(`with_${column}`)
    joins.push(sql` STRAIGHT_JOIN (${devicesWith(spaceId, column, value, true)}) ${name}
      ON ${name}.device_id = ${sql.raw(id)}`)
  }
  if (online === true) join('online', 1)
  if (broadcasting === true) join('broadcasting', 1)
  if (status !== null) join('status', status)
  return sql.join(joins)
}

function devicesWith(
  spaceId: string,
  column: 'online' | 'broadcasting' | 'status',
  value: string | number,
  isDistinct = false,
): SQL {
  return sql`SELECT ${sql.raw(isDistinct ? 'DISTINCT ' : '')}device_id
    FROM device_status FORCE INDEX (${sql.raw(`device_status_${column}`)})
    WHERE space_id = ${spaceId} AND ${sql.raw(column)} = ${value}`
}

function toPattern(search: string): string {
  return `%${search.replace(/[\\%_]/g, '\\$&')}%`
}

function toDevice(row: DeviceRow): ListedDevice {
  return {
    ...row,
    createdAt: parseMoment(row.createdAt),
    removed: Number(row.removed) !== 0,
    lastSeenMs: Number(row.lastSeenMs),
  }
}
