import { type SQL, sql } from '../../schema/mysql/drizzle.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import type { DeviceParent } from './model.ts'

/** A list of devices that have not been removed, by code. */
export interface DeviceList {
  /** Whose devices. */
  readonly of: 'space' | 'line' | 'process'
  readonly id: string
  /** The space of all of them. */
  readonly spaceId: string
  /** Only those that match; null matches all. */
  readonly lineId: string | null
  readonly processId: string | null
  readonly online: boolean | null
}

/** Whether a list holds the same devices until the topology changes, whatever they report. */
export function dependsOnTopologyAlone({ online }: DeviceList): boolean {
  return online === null
}

/** A piece of a list. */
export interface DeviceListRequest {
  readonly list: DeviceList
  /** Devices behind this code; null from the beginning on. */
  readonly afterCode: string | null
  readonly limit: number
}

/** The columns of a device as a bare statement answers: moments are text, booleans numbers. */
interface DeviceRow extends Omit<DeviceParent, 'createdAt' | 'removed'> {
  createdAt: string
  removed: number
}

interface DeviceCounts {
  readonly total: number
  readonly online: number
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
  ].join(', '),
)

const UNION_ALL = sql.raw(' UNION ALL ')

/**
 * Reads pieces of several lists in one statement: an answer for each request, in their order, each by code.
 *
 * Every piece is a branch that walks its index in the order of codes and stops at its limit, so what it costs does
 * not grow with the lists.
 */
export async function listDevices(db: Db, requests: readonly DeviceListRequest[]): Promise<DeviceParent[][]> {
  const branches = requests.map(({ list, afterCode, limit }, i) => {
    const isBehind = afterCode === null ? sql.empty() : sql` AND device.code > ${afterCode}`
    return sql`(SELECT ${number(i)} request, ${COLUMNS} ${rowsOf(list)}${isBehind}
      ORDER BY device.code LIMIT ${limit})`
  })
  const answers: DeviceParent[][] = requests.map(() => [])
  const rows = await execute<DeviceRow & { request: number }>(db, sql.join(branches, UNION_ALL))
  for (const { request, ...row } of rows) answers[Number(request)]?.push(toDevice(row))
  return answers
}

/** Counts the devices of each list, in one statement. */
export async function countDevices(db: Db, lists: readonly DeviceList[]): Promise<number[]> {
  const branches = lists.map((list, i) => sql`(SELECT ${number(i)} request, COUNT(*) total ${rowsOf(list)})`)
  const totals = lists.map(() => 0)
  const rows = await execute<{ request: number; total: number }>(db, sql.join(branches, UNION_ALL))
  for (const { request, total } of rows) totals[Number(request)] = Number(total)
  return totals
}

/** Counts all devices of spaces and those online, in one statement; a space without devices is left out. */
export async function countDevicesOfSpaces(
  db: Db,
  spaceIds: readonly string[],
): Promise<Map<string, DeviceCounts>> {
  const ids = sql.join(
    spaceIds.map(id => sql`${id}`),
    sql.raw(', '),
  )
  const rows = await execute<DeviceCounts & { spaceId: string }>(
    db,
    sql`SELECT device.space_id spaceId, COUNT(*) total, COUNT(IF(status.online, 1, NULL)) online
      FROM device FORCE INDEX (device_code) LEFT JOIN device_status status ON status.device_id = device.id
      WHERE device.space_id IN (${ids}) AND device.removed = 0 GROUP BY device.space_id`,
  )
  return new Map(
    rows.map(({ spaceId, total, online }) => [spaceId, { total: Number(total), online: Number(online) }]),
  )
}

/** The FROM and WHERE of a list: the index that holds it in the order of codes, then what else must match. */
function rowsOf({ of, id, lineId, processId, online }: DeviceList): SQL {
  const conditions = [sql`device.${sql.raw(of)}_id = ${id}`, sql`device.removed = 0`]
  if (lineId !== null) conditions.push(sql`device.line_id = ${lineId}`)
  if (processId !== null) conditions.push(sql`device.process_id = ${processId}`)
  if (online === true) conditions.push(sql`status.online = 1`)
  if (online === false) conditions.push(sql`(status.online IS NULL OR status.online = 0)`)
  const index =
    of === 'process' || processId !== null
      ? 'device_process'
      : of === 'line' || lineId !== null
        ? 'device_line'
        : 'device_code'
  // Always from the device to its status: the other way round the codes would have to be sorted.
  const status =
    online === null ? sql.empty() : sql` LEFT JOIN device_status status ON status.device_id = device.id`
  return sql`FROM device FORCE INDEX (${sql.raw(index)})${status} WHERE ${sql.join(conditions, sql.raw(' AND '))}`
}

function number(value: number): SQL {
  return sql.raw(String(value))
}

async function execute<Row>(db: Db, statement: SQL): Promise<Row[]> {
  const [rows] = await db.execute(statement)
  return rows as unknown as Row[]
}

function toDevice(row: DeviceRow): DeviceParent {
  return {
    ...row,
    createdAt: new Date(`${row.createdAt.replace(' ', 'T')}Z`),
    removed: Number(row.removed) !== 0,
  }
}
