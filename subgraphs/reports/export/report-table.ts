import { NO_PLACE, ROLLUP_BUCKET_MS } from '../../../schema/mysql/ingest-tables.ts'
import { AppError } from '../../shared/errors.ts'
import { listBucketStarts } from '../calendar-buckets.ts'
import { ANOMALIES, LOGS } from '../event-report.ts'
import { quartersOf } from '../report-range.ts'
import { type KeyColumn, type RollupSum, sumRollup } from '../rollup-repository.ts'
import type { CsvCell } from './csv-row.ts'
import type { ExportGroup, ExportRequest } from './export-request.ts'
import type { PlaceNames } from './place-names.ts'
import type { RowSource } from './row-source.ts'
import { createZonedTime } from './zoned-time.ts'

/** A report as a table. */
export interface ReportTable {
  readonly header: readonly string[]
  readonly rows: AsyncIterable<readonly CsvCell[]>
}

/** Groups of one bucket, which are in memory at once. */
const MAX_GROUPS = 200_000

/** How long the database may read for one bucket. */
const MAX_BUCKET_SECONDS = 25

/** What a report is told apart by, in the order of its columns. */
const GROUP_COLUMNS: readonly {
  readonly group: ExportGroup
  readonly key: KeyColumn
  readonly header: readonly string[]
  readonly toCells: (key: string, names: PlaceNames) => readonly CsvCell[]
}[] = [
  { group: 'LINE', key: 'line_id', header: ['line'], toCells: (id, { lines }) => [nameOf(lines, id)] },
  {
    group: 'PROCESS',
    key: 'process_id',
    header: ['process'],
    toCells: (id, { processes }) => [nameOf(processes, id)],
  },
  {
    group: 'DEVICE',
    key: 'device_id',
    header: ['deviceCode', 'deviceName'],
    toCells: (id, { devices }) => [devices.get(id)?.code ?? id, devices.get(id)?.name ?? null],
  },
  { group: 'TYPE', key: 'type', header: ['type'], toCells: type => [type] },
]

/**
 * Reads a report for a file: a statement a bucket, so that there may be any number of rows, in the order of anomalyReport.
 * A group that has nothing in a bucket has no row there; without groups each bucket has one.
 */
export function readReportTable(source: RowSource, request: ExportRequest, names: PlaceNames): ReportTable {
  const { kind, groupBy } = request
  const isOfLogs = kind === 'LOG_REPORT'
  const severityGroup = isOfLogs ? 'LEVEL' : 'SEVERITY'
  const columns = GROUP_COLUMNS.filter(({ group }) => groupBy.includes(group))
  const isBySeverity = groupBy.includes(severityGroup)
  return {
    header: [
      'bucketStart',
      ...columns.flatMap(({ header }) => header),
      ...(isBySeverity ? [severityGroup.toLowerCase()] : []),
      'total',
    ],
    rows: readRows(source, request, names, { columns, isBySeverity }),
  }
}

async function* readRows(
  source: RowSource,
  { kind, spaceId, from, to, interval, timezone, groupBy }: ExportRequest,
  names: PlaceNames,
  { columns, isBySeverity }: { columns: typeof GROUP_COLUMNS; isBySeverity: boolean },
): AsyncGenerator<readonly CsvCell[]> {
  if (from >= to) return
  const zone = timezone ?? names.space.timezone
  const { fine, coarse, severities } = kind === 'LOG_REPORT' ? LOGS : ANOMALIES
  const range = quartersOf({ fromMs: from, toMs: to })
  const starts = listBucketStarts(interval, zone, range)
  const writeTime = createZonedTime(zone)
  const counted = severities.map(severity => severity.toLowerCase())
  for (const [i, start] of starts.entries()) {
    const query = {
      table: groupBy.includes('DEVICE') || groupBy.includes('TYPE') ? fine : coarse,
      keys: columns.map(({ key }) => key),
      sums: isBySeverity ? counted.map(count => [count]) : [counted],
      spaceId,
      range: {
        fromQuarter: Math.max(start, range.fromQuarter),
        toQuarter: starts[i + 1] ?? range.toQuarter,
      },
      starts: [start],
      limit: MAX_GROUPS + 1,
      maxSeconds: MAX_BUCKET_SECONDS,
    }
    const sums = await source.readSums(db => sumRollup(db, query))
    if (sums.length > MAX_GROUPS)
      throw new AppError('BAD_USER_INPUT', `A bucket has more than ${MAX_GROUPS} groups: take fewer groups.`)
    const bucketStart = writeTime(start * ROLLUP_BUCKET_MS)
    const totals = columns.length === 0 && sums.length === 0 ? [NOTHING] : sums.toSorted(compareKeys)
    for (const { keys, counts } of totals) {
      const cells = [bucketStart, ...columns.flatMap(({ toCells }, i) => toCells(keys[i] ?? '', names))]
      if (!isBySeverity) yield [...cells, counts.reduce((sum, count) => sum + count, 0)]
      else
        for (const [i, count] of counts.entries()) if (count > 0) yield [...cells, severities[i] ?? '', count]
    }
  }
}

/** A bucket without events. */
const NOTHING: Pick<RollupSum, 'keys' | 'counts'> = { keys: [], counts: [] }

function compareKeys(a: RollupSum, b: RollupSum): number {
  const i = a.keys.findIndex((key, i) => key !== b.keys[i])
  return i < 0 ? 0 : (a.keys[i] ?? '') < (b.keys[i] ?? '') ? -1 : 1
}

/** Nothing for a device that had no place, the id where the name is gone. */
function nameOf(names: ReadonlyMap<string, string>, id: string): string | null {
  return id === NO_PLACE ? null : (names.get(id) ?? id)
}
