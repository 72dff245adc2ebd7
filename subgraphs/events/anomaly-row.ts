import type { AnomalyState } from '../../schema/live-event.ts'
import { type SQL, sql } from '../../schema/mysql/drizzle.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { parseMoment } from '../shared/mysql/select-branches.ts'

type Moments = 'receivedAt' | 'acknowledgedAt' | 'resolvedAt'

/** A row as the driver answers: Drizzle has moments come as text, MariaDB JSON as text and MySQL as a value. */
export interface AnomalyRow extends Omit<AnomalyState, Moments | 'attributes' | 'clockReplaced'> {
  readonly attributes: string | Record<string, unknown> | null
  readonly clockReplaced: number
  readonly receivedAt: string
  readonly acknowledgedAt: string | null
  readonly resolvedAt: string | null
}

/** The columns of AnomalyRow. */
export const ANOMALY_COLUMNS = sql.raw(
  [
    'id',
    'space_id spaceId',
    'device_id deviceId',
    'line_id lineId',
    'process_id processId',
    'type',
    'severity',
    'message',
    'score',
    'attributes',
    'clock_replaced clockReplaced',
    'received_at receivedAt',
    'first_occurrence_id firstOccurrenceId',
    'last_occurrence_id lastOccurrenceId',
    'occurrences',
    'status',
    'acknowledged_at acknowledgedAt',
    'acknowledged_by acknowledgedBy',
    'resolved_at resolvedAt',
    'resolved_by resolvedBy',
    'version',
  ]
    .map(column => `anomaly.${column}`)
    .join(', '),
)

/** Reads a row. */
export function toAnomaly(row: AnomalyRow): AnomalyState {
  const { attributes, clockReplaced, receivedAt, acknowledgedAt, resolvedAt, ...rest } = row
  const moment = (text: string | null) => (text === null ? null : parseMoment(text).getTime())
  return {
    ...rest,
    attributes: typeof attributes === 'string' ? JSON.parse(attributes) : attributes,
    clockReplaced: clockReplaced !== 0,
    receivedAt: parseMoment(receivedAt).getTime(),
    acknowledgedAt: moment(acknowledgedAt),
    resolvedAt: moment(resolvedAt),
  }
}

/** Runs a statement that answers ANOMALY_COLUMNS. */
export async function readAnomalies(db: Db, statement: SQL): Promise<AnomalyState[]> {
  const [rows] = await db.execute(statement)
  return (rows as unknown as AnomalyRow[]).map(toAnomaly)
}
