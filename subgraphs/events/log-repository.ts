import type { LogEvent } from '../../schema/live-event.ts'
import { type SQL, sql } from '../../schema/mysql/drizzle.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { SELECT_WITH_DEADLINE, tellDeadline } from '../shared/mysql/read-deadline.ts'
import { and } from './event-conditions.ts'
import { branchesOf, countBranchOf } from './log-branch.ts'
import type { LogSelection } from './log-selection.ts'

const UNION_ALL = sql.raw(' UNION ALL ')

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
 * limit, the ids are merged, and only the rows of the page are read whole. Rejects with UNAVAILABLE when the server takes
 * longer to find them than read-deadline.ts allows.
 */
export async function listLogs(db: Db, selection: LogSelection, walk: LogWalk): Promise<LogEvent[]> {
  const branches = branchesOf(selection)
  const order = orderOf(walk)
  const [only] = branches
  if (only !== undefined && branches.length === 1) {
    const where = and([...only.conditions, ...walkConditions(walk)])
    return tellDeadline(
      readLogs(
        db,
        sql`${SELECT_WITH_DEADLINE} ${COLUMNS} FROM log FORCE INDEX (${only.index})
          WHERE ${where} ${order} LIMIT ${walk.limit}`,
      ),
    )
  }
  const ids = branches.map(branch => {
    const where = and([...branch.conditions, ...walkConditions(walk)])
    return sql`(SELECT id FROM log FORCE INDEX (${branch.index}) WHERE ${where} ${order} LIMIT ${walk.limit})`
  })
  return tellDeadline(
    readLogs(
      db,
      sql`${SELECT_WITH_DEADLINE} ${COLUMNS} FROM
        (SELECT id FROM (${sql.join(ids, UNION_ALL)}) branch ${order} LIMIT ${walk.limit}) page
        STRAIGHT_JOIN log FORCE INDEX (PRIMARY) ON log.space_id = ${selection.spaceId} AND log.id = page.id
        ORDER BY page.id ${directionOf(walk)}`,
    ),
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

/** Counts the logs of each selection in one statement, each up to MAX_COUNTED_LOGS + 1. Rejects as listLogs does. */
export async function countLogs(db: Db, selections: readonly LogSelection[]): Promise<number[]> {
  const counts = selections.map((selection, i) => {
    const { index, conditions } = countBranchOf(selection)
    return sql`(SELECT ${sql.raw(String(i))} request, COUNT(*) total FROM
      (SELECT 1 FROM log FORCE INDEX (${index}) WHERE ${and(conditions)} LIMIT ${MAX_COUNTED_LOGS + 1}) counted)`
  })
  const totals = selections.map(() => 0)
  const statement = sql`${SELECT_WITH_DEADLINE} request, total FROM (${sql.join(counts, UNION_ALL)}) counts`
  const rows = await tellDeadline(execute<{ request: number; total: number }>(db, statement))
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
    sql`SELECT ${COLUMNS} FROM membership STRAIGHT_JOIN space ON space.id = membership.space_id
      AND space.deleted_at IS NULL STRAIGHT_JOIN (${wanted}) wanted STRAIGHT_JOIN log FORCE INDEX (PRIMARY)
      ON log.space_id = membership.space_id AND log.id = wanted.id WHERE membership.user_id = ${userId}`,
  )
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
