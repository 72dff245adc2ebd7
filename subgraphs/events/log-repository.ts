import { type SQL, sql } from 'drizzle-orm'
import type { LogEvent } from '../../schema/live-event.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import type { LogSelection } from './log-selection.ts'

/** Counting stops here: a list says that it has at least so many. */
export const MAX_COUNTED_LOGS = 10_000

/** Which rows of a selection to fetch, in the order of the walk. */
export interface LogWalk {
  /** `forward` from newer to older, as the lists show them. */
  readonly direction: 'forward' | 'backward'
  /** Rows behind this one; null from the end on. */
  readonly afterId: string | null
  readonly limit: number
}

/** The newest logs of one device before an id. */
export interface DeviceLogsRequest {
  readonly spaceId: string
  readonly deviceId: string
  readonly walk: LogWalk
}

/** A row as the driver answers: Drizzle has moments come as text, MariaDB JSON as text and MySQL as a value. */
interface LogRow {
  id: string
  spaceId: string
  deviceId: string
  lineId: string | null
  processId: string | null
  level: LogEvent['level']
  message: string
  attributes: string | Record<string, unknown> | null
  clockReplaced: number
  receivedAt: string
}

const COLUMNS = sql.raw(
  [
    'log.id',
    'log.space_id spaceId',
    'log.device_id deviceId',
    'log.line_id lineId',
    'log.process_id processId',
    'log.level',
    'log.message',
    'log.attributes',
    'log.clock_replaced clockReplaced',
    'log.received_at receivedAt',
  ].join(', '),
)

/**
 * Lists logs of a selection in the order of the walk.
 *
 * Several devices, or several levels, are a branch each: every branch reads its index in order and stops at the
 * limit, the ids are merged, and only the rows of the page are read whole.
 */
export async function listLogs(db: Db, selection: LogSelection, walk: LogWalk): Promise<LogEvent[]> {
  const branches = branchesOf(selection)
  const order = orderOf(walk)
  const [only] = branches
  if (only !== undefined && branches.length === 1) {
    const where = and([...only.conditions, ...residualsOf(selection, only), ...walkConditions(walk)])
    return readLogs(
      db,
      sql`SELECT ${COLUMNS} FROM log FORCE INDEX (${only.index}) WHERE ${where} ${order} LIMIT ${walk.limit}`,
    )
  }
  const ids = branches.map(branch => {
    const where = and([...branch.conditions, ...residualsOf(selection, branch), ...walkConditions(walk)])
    return sql`(SELECT id FROM log FORCE INDEX (${branch.index}) WHERE ${where} ${order} LIMIT ${walk.limit})`
  })
  return readLogs(
    db,
    sql`SELECT ${COLUMNS} FROM (SELECT id FROM (${sql.join(ids, UNION_ALL)}) branch ${order} LIMIT ${walk.limit}) page
      STRAIGHT_JOIN log FORCE INDEX (PRIMARY) ON log.space_id = ${selection.spaceId} AND log.id = page.id
      ORDER BY page.id ${directionOf(walk)}`,
  )
}

/** Lists logs of several devices in one statement: an answer for each request, in their order. */
export async function listLogsOfDevices(
  db: Db,
  requests: readonly DeviceLogsRequest[],
): Promise<LogEvent[][]> {
  const branches = requests.map(({ spaceId, deviceId, walk }, i) => {
    const where = and([sql`device_id = ${deviceId}`, sql`space_id = ${spaceId}`, ...walkConditions(walk)])
    return sql`(SELECT ${sql.raw(String(i))} request, ${COLUMNS} FROM log FORCE INDEX (log_device)
      WHERE ${where} ${orderOf(walk)} LIMIT ${walk.limit})`
  })
  const answers: LogEvent[][] = requests.map(() => [])
  const rows = await execute<LogRow & { request: number }>(db, sql.join(branches, UNION_ALL))
  for (const row of rows) answers[row.request]?.push(toLog(row))
  return answers
}

/** Counts the logs of each selection in one statement, each up to MAX_COUNTED_LOGS + 1. */
export async function countLogs(db: Db, selections: readonly LogSelection[]): Promise<number[]> {
  const counts = selections.map((selection, i) => {
    const { deviceIds, levels } = selection
    const { index, conditions } =
      deviceIds !== null
        ? { index: LOG_DEVICE, conditions: [inList('device_id', deviceIds), ...levelConditions(levels)] }
        : levels !== null
          ? { index: LOG_LEVEL, conditions: levelConditions(levels) }
          : { index: PRIMARY, conditions: [] }
    const where = and([
      sql`space_id = ${selection.spaceId}`,
      ...conditions,
      ...placeConditions(selection),
      ...timeConditions(selection),
    ])
    return sql`(SELECT ${sql.raw(String(i))} request, COUNT(*) total FROM
      (SELECT 1 FROM log FORCE INDEX (${index}) WHERE ${where} LIMIT ${MAX_COUNTED_LOGS + 1}) counted)`
  })
  const totals = selections.map(() => 0)
  const rows = await execute<{ request: number; total: number }>(db, sql.join(counts, UNION_ALL))
  for (const { request, total } of rows) totals[request] = Number(total)
  return totals
}

/** Finds logs by id in the spaces of a user; those that are elsewhere or nowhere are missing from the answer. */
export async function findLogsForUser(db: Db, userId: string, ids: readonly string[]): Promise<LogEvent[]> {
  const wanted = sql.join(
    ids.map(id => sql`SELECT CONVERT(${id} USING ascii) COLLATE ascii_bin id`),
    UNION_ALL,
  )
  // Joined to a list of ids, not with IN: a join's key may take only space_id of the index, and read all of the space.
  return readLogs(
    db,
    sql`SELECT ${COLUMNS} FROM membership STRAIGHT_JOIN (${wanted}) wanted STRAIGHT_JOIN log FORCE INDEX (PRIMARY)
      ON log.space_id = membership.space_id AND log.id = wanted.id WHERE membership.user_id = ${userId}`,
  )
}

/** A part of a selection that one index holds in the order of ids. */
interface Branch {
  readonly index: SQL
  readonly conditions: SQL[]
  /** Whether the levels are among the conditions. */
  readonly hasLevel: boolean
}

const PRIMARY = sql.raw('PRIMARY')
const LOG_DEVICE = sql.raw('log_device')
const LOG_LEVEL = sql.raw('log_level')
const UNION_ALL = sql.raw(' UNION ALL ')

function branchesOf({ spaceId, deviceIds, levels }: LogSelection): Branch[] {
  const space = sql`space_id = ${spaceId}`
  if (deviceIds !== null) {
    return deviceIds.map(id => ({
      index: LOG_DEVICE,
      conditions: [sql`device_id = ${id}`, space],
      hasLevel: false,
    }))
  }
  if (levels !== null) {
    return levels.map(level => ({
      index: LOG_LEVEL,
      conditions: [space, sql`level = ${level}`],
      hasLevel: true,
    }))
  }
  return [{ index: PRIMARY, conditions: [space], hasLevel: false }]
}

/** What a branch's index does not answer. */
function residualsOf(selection: LogSelection, branch: Branch): SQL[] {
  return [
    ...(branch.hasLevel ? [] : levelConditions(selection.levels)),
    ...placeConditions(selection),
    ...timeConditions(selection),
  ]
}

function levelConditions(levels: LogSelection['levels']): SQL[] {
  return levels === null ? [] : [inList('level', levels)]
}

function placeConditions({ lineId, processId }: LogSelection): SQL[] {
  return [
    ...(lineId === null ? [] : [sql`line_id = ${lineId}`]),
    ...(processId === null ? [] : [sql`process_id = ${processId}`]),
  ]
}

function timeConditions({ fromId, toId }: LogSelection): SQL[] {
  return [...(fromId === null ? [] : [sql`id >= ${fromId}`]), ...(toId === null ? [] : [sql`id < ${toId}`])]
}

function walkConditions({ direction, afterId }: LogWalk): SQL[] {
  if (afterId === null) return []
  return [direction === 'forward' ? sql`id < ${afterId}` : sql`id > ${afterId}`]
}

function directionOf({ direction }: LogWalk): SQL {
  return sql.raw(direction === 'forward' ? 'DESC' : 'ASC')
}

function orderOf(walk: LogWalk): SQL {
  return sql`ORDER BY id ${directionOf(walk)}`
}

function inList(column: string, values: readonly string[]): SQL {
  return sql`${sql.raw(column)} IN (${sql.join(
    values.map(value => sql`${value}`),
    sql.raw(', '),
  )})`
}

function and(conditions: SQL[]): SQL {
  return sql.join(conditions, sql.raw(' AND '))
}

async function readLogs(db: Db, statement: SQL): Promise<LogEvent[]> {
  return (await execute<LogRow>(db, statement)).map(toLog)
}

async function execute<Row>(db: Db, statement: SQL): Promise<Row[]> {
  const [rows] = await db.execute(statement)
  return rows as unknown as Row[]
}

function toLog(row: LogRow): LogEvent {
  return {
    id: row.id,
    spaceId: row.spaceId,
    deviceId: row.deviceId,
    lineId: row.lineId,
    processId: row.processId,
    level: row.level,
    message: row.message,
    attributes: typeof row.attributes === 'string' ? JSON.parse(row.attributes) : row.attributes,
    clockReplaced: row.clockReplaced !== 0,
    receivedAt: Date.parse(`${row.receivedAt.replace(' ', 'T')}Z`),
  }
}
