import type { AnomalyState } from '../../schema/live-event.ts'
import { type SQL, sql } from '../../schema/mysql/drizzle.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { ANOMALY_COLUMNS, readAnomalies } from './anomaly-row.ts'
import { and, inList } from './event-conditions.ts'

/** Reads anomalies as they are committed and keeps them so until the transaction ends; locks in the order of ids. */
export async function lockAnomalies(tx: Db, ids: readonly string[]): Promise<AnomalyState[]> {
  return readAnomalies(
    tx,
    sql`SELECT ${ANOMALY_COLUMNS} FROM anomaly FORCE INDEX (PRIMARY) WHERE ${and(inList('id', ids))}
      ORDER BY id FOR UPDATE`,
  )
}

/** Makes OPEN anomalies somebody's. Answers how many were OPEN. */
export async function setAcknowledged(
  tx: Db,
  { ids, userId, now }: { ids: readonly string[]; userId: string; now: Date },
): Promise<number> {
  return change(
    tx,
    sql`status = 'ACKNOWLEDGED', acknowledged_at = ${now}, acknowledged_by = ${userId}`,
    sql`${and(inList('id', ids))} AND status = 'OPEN'`,
  )
}

/** Ends an anomaly, unless it is ended, as of `resolvedAt`. */
export async function setResolved(
  tx: Db,
  { id, userId, resolvedAt }: { id: string; userId: string; resolvedAt: Date },
): Promise<number> {
  return change(
    tx,
    sql`status = 'RESOLVED', resolved_at = ${resolvedAt}, resolved_by = ${userId}`,
    sql`id = ${id} AND status <> 'RESOLVED'`,
  )
}

/** Opens a RESOLVED anomaly again. Rejects with a duplicate entry (1062) while another of its device and type is open. */
export async function setReopened(tx: Db, id: string): Promise<number> {
  return change(
    tx,
    sql`status = 'OPEN', acknowledged_at = NULL, acknowledged_by = NULL, resolved_at = NULL, resolved_by = NULL`,
    sql`id = ${id} AND status = 'RESOLVED'`,
  )
}

/** The index is named so that no more rows are looked at, and locked on the way, than those of the ids. */
async function change(tx: Db, assignments: SQL, condition: SQL): Promise<number> {
  const [result] = await tx.execute(
    sql`UPDATE anomaly FORCE INDEX (PRIMARY) SET ${assignments}, version = version + 1 WHERE ${condition}`,
  )
  return (result as unknown as { affectedRows: number }).affectedRows
}
