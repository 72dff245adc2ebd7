import type { DeviceStatus, Severity } from '../../graphql/schema-types.generated.ts'
import type { BoardAnomaliesFragment, BoardTileFragment } from './board.generated.ts'

/** A device as a tile shows it. */
export interface BoardDevice {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly lineId: string | null
  readonly processId: string | null
  readonly isOnline: boolean
  readonly lastSeenAt: string | null
  readonly isBroadcasting: boolean
  readonly status: DeviceStatus
  readonly metrics: Readonly<Record<string, unknown>> | null
  readonly reportedAt: string | null
  readonly openAnomalies: number
  /** Of the newest anomaly, while it is not resolved. */
  readonly severity: Severity | null
}

/** What an event changes of a device. */
export type BoardChange = { readonly id: string } & Partial<Omit<BoardDevice, 'id'>>

/** Reads a device of a page. */
export function toBoardDevice(device: BoardTileFragment): BoardDevice {
  const { id, code, name, line, process, online, lastSeenAt, broadcasting, state } = device
  return {
    ...{ id, code, name, lineId: line?.id ?? null, processId: process?.id ?? null },
    ...{ isOnline: online, lastSeenAt, isBroadcasting: broadcasting },
    ...{ status: 'UNKNOWN', metrics: null, reportedAt: null },
    ...toStateChange(state),
    ...toAnomalyChange(device),
  }
}

/** What a reported state changes. */
export function toStateChange(
  state: BoardTileFragment['state'],
): Pick<BoardDevice, 'status' | 'metrics' | 'reportedAt'> {
  return {
    status: state?.status ?? 'UNKNOWN',
    metrics: state?.metrics ?? null,
    reportedAt: state?.reportedAt ?? null,
  }
}

/** What the anomalies of a device change. */
export function toAnomalyChange({
  openAnomalyCount,
  lastAnomaly,
}: BoardAnomaliesFragment): Pick<BoardDevice, 'openAnomalies' | 'severity'> {
  const openAnomalies = openAnomalyCount ?? 0
  const isOpen = lastAnomaly !== null && lastAnomaly.status !== 'RESOLVED'
  return { openAnomalies, severity: openAnomalies > 0 && isOpen ? lastAnomaly.severity : null }
}

/** Applies a change; a state that was reported before the one that is known is left out, whatever way it came. */
export function changeDevice(device: BoardDevice, change: BoardChange): BoardDevice {
  const { reportedAt } = change
  const isOlder =
    reportedAt != null && device.reportedAt !== null && Date.parse(reportedAt) < Date.parse(device.reportedAt)
  if (!isOlder) return { ...device, ...change }
  const { status, metrics, reportedAt: _, ...rest } = change
  return { ...device, ...rest }
}
