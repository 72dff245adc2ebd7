import { NO_PLACE, ROLLUP_BUCKET_MS } from '../../../schema/mysql/ingest-tables.ts'
import type { RollupTable } from './event-rollups.ts'

/** The rows that a rollup counts. */
export interface RollupSource {
  /** Their table. */
  readonly events: 'log' | 'anomaly_occurrence'
  /** The column that says under which count of the rollup, in capitals, a row falls. */
  readonly grade: 'level' | 'severity'
  /** The condition on which a row is counted, SQL. */
  readonly counted: string
}

/** What the columns of a rollup's key are in the table of its events, where they are not called the same. */
const COLUMN_SOURCES: Readonly<Record<string, string>> = {
  // The quarter of an hour of a row is that of its id.
  bucket: `CONV(CONCAT(LEFT(id, 8), SUBSTR(id, 10, 4)), 16, 10) DIV ${ROLLUP_BUCKET_MS}`,
  line_id: `COALESCE(line_id, '${NO_PLACE}')`,
  process_id: `COALESCE(process_id, '${NO_PLACE}')`,
}

/** Answers what a rollup counts. */
export function sourceOf(rollup: RollupTable): RollupSource {
  return rollup.startsWith('log')
    ? { events: 'log', grade: 'level', counted: 'TRUE' }
    : { events: 'anomaly_occurrence', grade: 'severity', counted: 'cleared = 0' }
}

/** Answers the expression, SQL, that a column of a rollup's key is in the table of its events. */
export function sourceColumn(column: string): string {
  return COLUMN_SOURCES[column] ?? column
}
