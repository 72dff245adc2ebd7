import { useMemo } from 'preact/hooks'
import { useUrlState } from '../../app/url-state.ts'
import type {
  AnomalyFilter,
  AnomalyOrder,
  AnomalyStatus,
  Severity,
} from '../../graphql/schema-types.generated.ts'
import { parseTimeRange, resolveTimeRange, serializeTimeRange, type TimeRange } from '../../ui/time-range.ts'

/** What of a space's anomalies is looked at, and in which order. */
export interface AnomalyQuery {
  readonly statuses: readonly AnomalyStatus[]
  /** None is all. */
  readonly severities: readonly Severity[]
  readonly lineId: string
  readonly processId: string
  readonly deviceId: string
  readonly type: string
  readonly text: string
  /** Undefined is all of the time. */
  readonly range: TimeRange | undefined
  readonly order: AnomalyOrder
}

export const STATUSES: readonly AnomalyStatus[] = ['OPEN', 'ACKNOWLEDGED', 'RESOLVED']
export const SEVERITIES: readonly Severity[] = ['CRITICAL', 'MAJOR', 'MINOR', 'INFO']
export const ORDERS: readonly AnomalyOrder[] = ['SEVERITY', 'NEWEST', 'LAST_OCCURRED']
const UNRESOLVED: readonly AnomalyStatus[] = ['OPEN', 'ACKNOWLEDGED']

/** The product searches texts in no more time than this, in milliseconds. */
const TEXT_RANGE_MS = 7 * 86_400_000

/** What is looked at as the address says; the setters change the address. */
export function useAnomalyQuery() {
  const [statuses, setStatuses] = useUrlState('status', text => readSome(text, STATUSES), UNRESOLVED, join)
  const [severities, setSeverities] = useUrlState('severity', text => readSome(text, SEVERITIES), [], join)
  const [lineId, setLineId] = useUrlState('line', text => text, '')
  const [processId, setProcessId] = useUrlState('process', text => text, '')
  const [deviceId, setDeviceId] = useUrlState('device', text => text, '')
  const [type, setType] = useUrlState('type', text => text, '')
  const [text, setText] = useUrlState('q', text => text.slice(0, 128), '')
  const [range, setRange] = useUrlState<TimeRange | undefined>('range', parseTimeRange, undefined, value =>
    value === undefined ? '' : serializeTimeRange(value),
  )
  const [order, setOrder] = useUrlState<AnomalyOrder>(
    'order',
    text => ORDERS.find(one => one === text),
    'SEVERITY',
  )
  const query = useMemo(
    () => ({ statuses, severities, lineId, processId, deviceId, type, text, range, order }),
    [statuses, severities, lineId, processId, deviceId, type, text, range, order],
  )
  return {
    query,
    ...{ setStatuses, setSeverities, setLineId, setProcessId, setDeviceId, setType, setText },
    ...{ setRange, setOrder },
  }
}

/** The query of the address, and what changes it. */
export type AnomalyQueryState = ReturnType<typeof useAnomalyQuery>

/** What a list is asked with at `now` (ms). A search for a text goes back seven days at most. */
export function toFilter(query: AnomalyQuery, now: number): AnomalyFilter {
  return { ...toLiveFilter(query), ...toMoments(query, now), ...toChanging(query) }
}

/** What never changes of an anomaly: events are asked with it, so that one that leaves the list is told too. */
export function toLiveFilter({ deviceId, lineId, processId, type, text }: AnomalyQuery): AnomalyFilter {
  return {
    ...(deviceId === '' ? {} : { deviceIds: [deviceId] }),
    ...(lineId === '' ? {} : { lineId }),
    ...(processId === '' ? {} : { processId }),
    ...(type === '' ? {} : { types: [type] }),
    ...(text.trim() === '' ? {} : { text: text.trim() }),
  }
}

/** Whether an anomaly of which an event has told is one of those that are looked at. */
export function matchesQuery(
  query: AnomalyQuery,
  anomaly: { status: AnomalyStatus; severity: Severity; occurredAt: string },
  now: number,
): boolean {
  const { statuses, severities, range } = query
  if (!statuses.includes(anomaly.status)) return false
  if (severities.length > 0 && !severities.includes(anomaly.severity)) return false
  if (range === undefined) return true
  const { from, to } = resolveTimeRange(range, now)
  const at = Date.parse(anomaly.occurredAt)
  return at >= from.getTime() && ('preset' in range || at < to.getTime())
}

function toChanging({ statuses, severities }: AnomalyQuery): AnomalyFilter {
  return {
    statuses: [...statuses],
    ...(severities.length === 0 ? {} : { severities: [...severities] }),
  }
}

function toMoments({ range, text }: AnomalyQuery, now: number): AnomalyFilter {
  const isSearch = text.trim() !== ''
  if (range === undefined && !isSearch) return {}
  const { from, to } = resolveTimeRange(range ?? { preset: '7d' }, now)
  const earliest = isSearch ? Math.max(from.getTime(), to.getTime() - TEXT_RANGE_MS) : from.getTime()
  const isOpenEnded = range === undefined || 'preset' in range
  return {
    from: new Date(earliest).toISOString(),
    ...(isOpenEnded && !isSearch ? {} : { to: to.toISOString() }),
  }
}

function readSome<T extends string>(text: string, all: readonly T[]): readonly T[] | undefined {
  const asked = text.split(',')
  const found = all.filter(one => asked.includes(one))
  return found.length === 0 ? undefined : found
}

function join(values: readonly string[]): string {
  return values.join(',')
}
