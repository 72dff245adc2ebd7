import type { Connection, ResultSetHeader, RowDataPacket } from 'mysql2/promise'
import { idLowerBound } from '../../shared/uuid-v7.ts'

/** Finds the spaces that have anomalies, existing or not. */
export async function listSpacesWithAnomalies(connection: Connection): Promise<string[]> {
  const [rows] = await connection.query<RowDataPacket[]>('SELECT DISTINCT space_id FROM anomaly')
  return rows.map(({ space_id }) => space_id)
}

/**
 * Deletes anomalies of a space, resolved or not, that occurred last before a moment (epoch milliseconds), with their
 * comments, `maxRows` anomalies a transaction, and calls `afterBatch` behind each. One that occurs again meanwhile stays,
 * with all of its comments: rows are locked in the order of their ids, as ingest does. Needs READ COMMITTED.
 */
export async function deleteAnomaliesBefore(
  connection: Connection,
  {
    spaceId,
    before,
    maxRows,
    afterBatch,
  }: {
    spaceId: string
    before: number
    maxRows: number
    afterBatch: (rowCounts: { anomaly: number; anomaly_comment: number }, tookMs: number) => Promise<void>
  },
): Promise<void> {
  const end = idLowerBound(before)
  for (let from = ''; ; ) {
    const startedAt = performance.now()
    const [old] = await connection.query<RowDataPacket[]>(
      `SELECT id, last_occurrence_id AS last FROM anomaly FORCE INDEX (anomaly_last)
       WHERE space_id = ? AND last_occurrence_id >= ? AND last_occurrence_id < ? ORDER BY last_occurrence_id LIMIT ?`,
      [spaceId, from, end, maxRows],
    )
    if (old.length === 0) return
    await connection.beginTransaction()
    const counts = { anomaly: 0, anomaly_comment: 0 }
    try {
      const [locked] = await connection.query<RowDataPacket[]>(
        `SELECT id FROM anomaly FORCE INDEX (PRIMARY) WHERE id IN (?) AND last_occurrence_id < ?
         ORDER BY id FOR UPDATE`,
        [old.map(({ id }) => id).toSorted(), end],
      )
      const ids = locked.map(({ id }) => id)
      if (ids.length > 0) {
        const [comments] = await connection.query<ResultSetHeader>(
          'DELETE FROM anomaly_comment WHERE anomaly_id IN (?)',
          [ids],
        )
        const [anomalies] = await connection.query<ResultSetHeader>('DELETE FROM anomaly WHERE id IN (?)', [
          ids,
        ])
        counts.anomaly = anomalies.affectedRows
        counts.anomaly_comment = comments.affectedRows
      }
      await connection.commit()
    } catch (error) {
      await connection.rollback()
      throw error
    }
    await afterBatch(counts, performance.now() - startedAt)
    if (old.length < maxRows) return
    from = old.at(-1)?.last
  }
}
