import { timeOfId } from '../../shared/uuid-v7.ts'
import { type CsvCell, ROW_END, serializeCsvCell } from './csv-row.ts'
import type { EventRow } from './event-reader.ts'
import type { PlaceNames } from './place-names.ts'
import { createUtcReader } from './utc-reader.ts'

/** What the events of a kind are in a file. */
export interface EventTable {
  /** Columns to select, the id first. */
  readonly columns: readonly string[]
  /** Names of the file's columns. */
  readonly header: readonly string[]
}

const COMMON_COLUMNS = ['id', 'received_at', 'device_id', 'line_id', 'process_id', 'clock_replaced'] as const
const COMMON_HEADER = [
  'id',
  'occurredAt',
  'receivedAt',
  'deviceCode',
  'deviceName',
  'line',
  'process',
] as const

/** By the kind of the request. */
export const EVENT_TABLES: Readonly<Record<'ANOMALIES' | 'LOGS', EventTable>> = {
  LOGS: {
    columns: [...COMMON_COLUMNS, 'level', 'message', 'attributes'],
    header: [...COMMON_HEADER, 'level', 'message', 'attributes', 'clockReplaced'],
  },
  ANOMALIES: {
    columns: [...COMMON_COLUMNS, 'type', 'severity', 'message', 'score', 'attributes'],
    header: [...COMMON_HEADER, ...['type', 'severity', 'message', 'score', 'attributes', 'clockReplaced']],
  },
}

/**
 * Creates the writing of rows as an EventTable has them: the columns that are common, those of the kind as they are, and
 * `clockReplaced`. What is called by name is serialized once a file; ids and times have nothing to quote.
 */
export function createEventWriter(
  { devices, lines, processes }: PlaceNames,
  writeTime: (epochMs: number) => string,
): (row: EventRow) => string {
  const readUtc = createUtcReader()
  const deviceCells = new Map(
    [...devices].map(([id, { code, name }]) => [id, `${serializeCsvCell(code)},${serializeCsvCell(name)}`]),
  )
  const cellsOf = (names: ReadonlyMap<string, string>) =>
    new Map([...names].map(([id, name]) => [id, serializeCsvCell(name)]))
  const [lineCells, processCells] = [cellsOf(lines), cellsOf(processes)]
  /** A place that is not known any more is told by its id. */
  const nameOf = (cells: ReadonlyMap<string, string>, id: unknown) =>
    id === null ? '' : (cells.get(id as string) ?? (id as string))

  return row => {
    const [id, receivedAt, deviceId, lineId, processId, clockReplaced] = row
    let text = `${id},${writeTime(timeOfId(id))},${writeTime(readUtc(receivedAt as string))},`
    text += deviceCells.get(deviceId as string) ?? `${deviceId},`
    text += `,${nameOf(lineCells, lineId)},${nameOf(processCells, processId)}`
    for (let i = COMMON_COLUMNS.length; i < row.length; i++) text += `,${serializeCsvCell(toCell(row[i]))}`
    return `${text},${clockReplaced === 0 ? 'false' : 'true'}${ROW_END}`
  }
}

/** MariaDB answers JSON as text, MySQL as a value. */
function toCell(value: unknown): CsvCell {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as CsvCell)
}
