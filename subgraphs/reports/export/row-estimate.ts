import type { Pool, RowDataPacket } from 'mysql2/promise'
import { ROLLUP_BUCKET_MS } from '../../../schema/mysql/ingest-tables.ts'
import { type ExportRequest, isEmptyRequest } from './export-request.ts'

/**
 * Estimates how many events a request has, from the counts per quarter of an hour: exact when its range is whole quarters
 * that lie in the past, else what the quarters hold that it touches.
 */
export async function estimateRows(pool: Pool, request: ExportRequest): Promise<number> {
  const { kind, spaceId, from, to, deviceIds, lineId, processId, types } = request
  if (isEmptyRequest(request)) return 0
  const isLogs = kind === 'LOGS'
  const counts = isLogs
    ? (request.levels ?? ['debug', 'info', 'warn', 'error'])
    : (request.severities ?? ['info', 'minor', 'major', 'critical'])
  const isFine = deviceIds !== null || types !== null
  const conditions: [string, unknown][] = [
    ['space_id = ?', spaceId],
    ['bucket >= ?', Math.floor(from / ROLLUP_BUCKET_MS)],
    ['bucket < ?', Math.ceil(to / ROLLUP_BUCKET_MS)],
  ]
  if (deviceIds !== null) conditions.push(['device_id IN (?)', [...deviceIds]])
  if (types !== null && !isLogs) conditions.push(['type IN (?)', [...types]])
  if (lineId !== null) conditions.push(['line_id = ?', lineId])
  if (processId !== null) conditions.push(['process_id = ?', processId])
  const sum = counts.map(count => `\`${count.toLowerCase()}\``).join(' + ')
  const [[row]] = await pool.query<RowDataPacket[]>(
    `SELECT SUM(${sum}) AS total FROM ${isLogs ? 'log' : 'anomaly'}_rollup_${isFine ? 'fine' : 'coarse'}
     WHERE ${conditions.map(([sql]) => sql).join(' AND ')}`,
    conditions.map(([, value]) => value),
  )
  return Number(row?.total ?? 0)
}
