import { serializeCsvRow } from './csv-row.ts'
import { readEvents } from './event-reader.ts'
import { createEventWriter, EVENT_TABLES } from './event-table.ts'
import { type ExportRequest, isEmptyRequest } from './export-request.ts'
import type { PlaceNames } from './place-names.ts'
import { type ReportTable, readReportTable } from './report-table.ts'
import type { RowSource } from './row-source.ts'
import { createZonedTime } from './zoned-time.ts'

/** What a file is made of. */
export interface CsvSources {
  readonly names: PlaceNames
  readonly rows: RowSource
}

const BYTE_ORDER_MARK = '\uFEFF'

/** Rows of a report in one piece of text. */
const PIECE_ROWS = 1_000

/** Writes the file of a request in pieces of some 1,000 rows: a header, and what there is, in order. */
export async function* writeCsv(request: ExportRequest, sources: CsvSources): AsyncGenerator<string> {
  const mark = request.bom ? BYTE_ORDER_MARK : ''
  const { kind } = request
  if (kind === 'ANOMALY_REPORT' || kind === 'LOG_REPORT') {
    const { header, rows } = readReportTable(sources.rows, request, sources.names)
    yield mark + serializeCsvRow(header)
    yield* inPieces(rows)
    return
  }
  const { columns, header } = EVENT_TABLES[kind]
  yield mark + serializeCsvRow(header)
  if (isEmptyRequest(request)) return
  const writeTime = createZonedTime(request.timezone ?? sources.names.space.timezone)
  const writeRow = createEventWriter(sources.names, writeTime)
  for await (const rows of readEvents(sources.rows.readRows, request, columns)) {
    let piece = ''
    for (const row of rows) piece += writeRow(row)
    yield piece
  }
}

async function* inPieces(rows: ReportTable['rows']): AsyncGenerator<string> {
  let piece = ''
  let count = 0
  for await (const row of rows) {
    piece += serializeCsvRow(row)
    if (++count % PIECE_ROWS > 0) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}
