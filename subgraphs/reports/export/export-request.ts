import type { Interval } from '../calendar-buckets.ts'

/** What an export has rows of. */
export type ExportKind = 'ANOMALIES' | 'LOGS' | 'ANOMALY_REPORT' | 'LOG_REPORT'

/** What an exported report tells apart. */
export type ExportGroup = 'LINE' | 'PROCESS' | 'DEVICE' | 'TYPE' | 'SEVERITY' | 'LEVEL'

/** An export as it was asked for, by whom, and checked. It is JSON: a link carries it. */
export interface ExportRequest {
  readonly kind: ExportKind
  readonly userId: string
  readonly spaceId: string
  /** Epoch milliseconds: events from here on, and before `to`, which is never later than the moment of asking. */
  readonly from: number
  readonly to: number
  /** Conditions hold at once; null is none. */
  readonly deviceIds: readonly string[] | null
  readonly lineId: string | null
  readonly processId: string | null
  readonly levels: readonly string[] | null
  readonly severities: readonly string[] | null
  readonly types: readonly string[] | null
  /** IANA name; null is the space's. */
  readonly timezone: string | null
  /** Whether the file begins with a byte order mark. */
  readonly bom: boolean
  /** Of reports alone. */
  readonly interval: Interval
  readonly groupBy: readonly ExportGroup[]
}

/** Whether nothing can meet the conditions, known without asking. */
export function isEmptyRequest({ from, to, deviceIds, levels, severities, types }: ExportRequest): boolean {
  return from >= to || [deviceIds, levels, severities, types].some(values => values?.length === 0)
}
