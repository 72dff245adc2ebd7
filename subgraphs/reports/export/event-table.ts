import { timeOfId } from '../../shared/uuid-v7.ts'
import type { CsvCell } from './csv-row.ts'
import type { EventRow } from './event-reader.ts'
import type { PlaceNames } from './place-names.ts'

/** What the events of a kind are in a file. */
export interface EventTable {
  /** Columns to select, the id first. */
  readonly columns: readonly string[]
  /** Names of the file's columns. */
  readonly header: readonly string[]
  toCells(row: EventRow, names: PlaceNames, writeTime: (epochMs: number) => string): CsvCell[]
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
    toCells(row, names, writeTime) {
      const [level, message, attributes] = row.slice(COMMON_COLUMNS.length)
      return [
        ...toCommonCells(row, names, writeTime),
        level as string,
        message as string,
        toText(attributes),
        row[5] !== 0,
      ]
    },
  },
  ANOMALIES: {
    columns: [...COMMON_COLUMNS, 'type', 'severity', 'message', 'score', 'attributes'],
    header: [...COMMON_HEADER, ...['type', 'severity', 'message', 'score', 'attributes', 'clockReplaced']],
    toCells(row, names, writeTime) {
      const [type, severity, message, score, attributes] = row.slice(COMMON_COLUMNS.length)
      return [
        ...toCommonCells(row, names, writeTime),
        type as string,
        severity as string,
        message as string | null,
        score as number | null,
        toText(attributes),
        row[5] !== 0,
      ]
    },
  },
}

function toCommonCells(
  [id, receivedAt, deviceId, lineId, processId]: EventRow,
  { devices, lines, processes }: PlaceNames,
  writeTime: (epochMs: number) => string,
): CsvCell[] {
  const device = devices.get(deviceId as string)
  return [
    id,
    writeTime(timeOfId(id)),
    writeTime(Date.parse(`${(receivedAt as string).replace(' ', 'T')}Z`)),
    device?.code ?? (deviceId as string),
    device?.name ?? null,
    nameOf(lines, lineId as string | null),
    nameOf(processes, processId as string | null),
  ]
}

/** A place that is not known any more is told by its id. */
function nameOf(names: ReadonlyMap<string, string>, id: string | null): string | null {
  return id === null ? null : (names.get(id) ?? id)
}

/** MariaDB answers JSON as text, MySQL as a value. */
function toText(json: unknown): string | null {
  return json === null || typeof json === 'string' ? json : JSON.stringify(json)
}
