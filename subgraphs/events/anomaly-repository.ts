import type { AnomalyState } from '../../schema/live-event.ts'
import { type SQL, sql } from '../../schema/mysql/drizzle.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { SELECT_WITH_DEADLINE, tellDeadline } from '../shared/mysql/read-deadline.ts'
import { selectBranches } from '../shared/mysql/select-branches.ts'
import { type AnomalyKey, type AnomalyOrder, branchesOf, countBranchOf } from './anomaly-branch.ts'
import { ANOMALY_COLUMNS, type AnomalyRow, readAnomalies, toAnomaly } from './anomaly-row.ts'
import type { AnomalySelection } from './anomaly-selection.ts'
import { and, inList } from './event-conditions.ts'

const UNION_ALL = sql.raw(' UNION ALL ')

/** Counting stops here: a list says that it has at least so many. */
export const MAX_COUNTED_ANOMALIES = 10_000

/** A piece of a list. */
export interface AnomalyListRequest {
  readonly spaceId: string
  readonly selection: AnomalySelection
  readonly order: AnomalyOrder
  /** Anomalies behind this one; null from the first on. */
  readonly after: AnomalyKey | null
  readonly limit: number
}

/** The columns that each order goes by; within a branch of SEVERITY by several all are of one rank. */
const ORDERS = {
  NEWEST: [],
  LAST_OCCURRED: ['last_occurrence_id'],
  SEVERITY: ['severity_rank'],
} as const satisfies Record<AnomalyOrder, readonly string[]>

/**
 * Lists anomalies of a selection: every branch stops at the limit, their ids are merged, and only the rows of the page
 * are read whole. Rejects with UNAVAILABLE when the server takes longer to find them than read-deadline.ts allows.
 */
export async function listAnomalies(db: Db, request: AnomalyListRequest): Promise<AnomalyState[]> {
  const { spaceId, selection, order, after, limit } = request
  const branches = branchesOf(spaceId, selection, order, after)
  const [only] = branches
  if (only === undefined) return []
  if (branches.length === 1) {
    return tellDeadline(
      readAnomalies(
        db,
        sql`${SELECT_WITH_DEADLINE} ${ANOMALY_COLUMNS} FROM anomaly FORCE INDEX (${only.index})
          WHERE ${and(only.conditions)} ${orderBy(order)} LIMIT ${limit}`,
      ),
    )
  }
  const keys = sql.raw(['id', ...ORDERS[order]].join(', '))
  const ids = branches.map(
    ({ index, conditions }) => sql`(SELECT ${keys} FROM anomaly FORCE INDEX (${index})
      WHERE ${and(conditions)} ${orderBy(order)} LIMIT ${limit})`,
  )
  return tellDeadline(
    readAnomalies(
      db,
      sql`${SELECT_WITH_DEADLINE} ${ANOMALY_COLUMNS} FROM
        (SELECT ${keys} FROM (${sql.join(ids, UNION_ALL)}) branch ${orderBy(order)} LIMIT ${limit}) page
        STRAIGHT_JOIN anomaly FORCE INDEX (PRIMARY) ON anomaly.id = page.id ${orderBy(order, 'page.')}`,
    ),
  )
}

/** Lists anomalies of several devices, newest first, in one statement: an answer for each request, in their order. */
export async function listAnomaliesOfDevices(
  db: Db,
  requests: readonly (Omit<AnomalyListRequest, 'order'> & { readonly deviceId: string })[],
): Promise<AnomalyState[][]> {
  const pieces = await selectBranches<AnomalyRow>(
    db,
    requests.flatMap(({ spaceId, deviceId, selection, after, limit }) => {
      const ofDevice = { ...selection, deviceIds: [deviceId] }
      return branchesOf(spaceId, ofDevice, 'NEWEST', after).map(
        ({ index, conditions }) => sql`${ANOMALY_COLUMNS} FROM anomaly FORCE INDEX (${index})
          WHERE ${and(conditions)} ${orderBy('NEWEST')} LIMIT ${limit}`,
      )
    }),
  )
  return pieces.map(rows => rows.map(toAnomaly))
}

/** Counts the anomalies of each selection in one statement, each up to MAX_COUNTED_ANOMALIES + 1. Rejects as listAnomalies. */
export async function countAnomalies(
  db: Db,
  requests: readonly Pick<AnomalyListRequest, 'spaceId' | 'selection'>[],
): Promise<number[]> {
  const counts = requests.map(({ spaceId, selection }, i) => {
    const { index, conditions } = countBranchOf(spaceId, selection)
    return sql`(SELECT ${sql.raw(String(i))} request, COUNT(*) total FROM (SELECT 1 FROM anomaly
      FORCE INDEX (${index}) WHERE ${and(conditions)} LIMIT ${MAX_COUNTED_ANOMALIES + 1}) counted)`
  })
  const totals = requests.map(() => 0)
  const statement = sql`${SELECT_WITH_DEADLINE} request, total FROM (${sql.join(counts, UNION_ALL)}) counts`
  const [rows] = await tellDeadline(db.execute(statement))
  for (const { request, total } of rows as unknown as { request: number; total: number }[])
    totals[request] = Number(total)
  return totals
}

/** Finds anomalies by id, wherever they are. */
export async function findAnomalies(db: Db, ids: readonly string[]): Promise<AnomalyState[]> {
  if (ids.length === 0) return []
  return readAnomalies(
    db,
    sql`SELECT ${ANOMALY_COLUMNS} FROM anomaly FORCE INDEX (PRIMARY) WHERE ${and(inList('id', ids))}`,
  )
}

/** Finds the anomaly of a device and type that is not resolved. */
export async function findUnresolvedAnomaly(
  db: Db,
  { deviceId, type }: { deviceId: string; type: string },
): Promise<AnomalyState | undefined> {
  const [found] = await readAnomalies(
    db,
    sql`SELECT ${ANOMALY_COLUMNS} FROM anomaly FORCE INDEX (anomaly_open)
      WHERE device_id = ${deviceId} AND open_type = ${type}`,
  )
  return found
}

/** Finds the newest anomaly of each device; those without any are missing from the answer. */
export async function findLastAnomalies(db: Db, deviceIds: readonly string[]): Promise<AnomalyState[]> {
  return readAnomalies(
    db,
    sql`SELECT ${ANOMALY_COLUMNS} FROM (SELECT device_id, MAX(id) id FROM anomaly FORCE INDEX (anomaly_device)
      WHERE ${and(inList('device_id', deviceIds))} GROUP BY device_id) newest
      STRAIGHT_JOIN anomaly FORCE INDEX (PRIMARY) ON anomaly.id = newest.id`,
  )
}

function orderBy(order: AnomalyOrder, of = ''): SQL {
  return sql.raw(`ORDER BY ${[...ORDERS[order], 'id'].map(column => `${of}${column} DESC`).join(', ')}`)
}
