import type { QueryKind } from './workload.ts'

/** An operation of a person who looks at the dashboard, and how its answer must look. */
export interface QueryOperation {
  readonly kind: QueryKind
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
  /** Field of the answer that must not be null. */
  readonly field: string
}

const DASHBOARD = `query Dashboard($spaceId: ID!) { space(id: $spaceId) { id name
  deviceCounts { total online broadcasting }
  lines { id name openAnomalyCount }
  devices(first: 50) { pageInfo { hasNextPage endCursor } nodes { id code name online lastSeenAt broadcasting
    state { status metrics reportedAt } connectivity { network signal latencyMs reportedAt }
    line { id name } process { id name } openAnomalyCount lastAnomaly { id type severity occurredAt } } } } }`

const LOGS = `query Logs($spaceId: ID!, $filter: LogFilter) { logs(spaceId: $spaceId, filter: $filter, first: 50) {
  pageInfo { hasNextPage endCursor }
  nodes { id level message attributes occurredAt receivedAt device { id code name } line { id name } process { id name } } } }`

const ANOMALIES = `query Anomalies($spaceId: ID!, $filter: AnomalyFilter, $orderBy: AnomalyOrder) {
  anomalies(spaceId: $spaceId, filter: $filter, orderBy: $orderBy, first: 20) { pageInfo { hasNextPage endCursor }
  nodes { id type severity message score status occurrences occurredAt lastOccurredAt acknowledgedBy { id name }
    device { id code name } line { id name } process { id name } clip { id url urlExpiresAt }
    comments(last: 1) { nodes { id body createdAt } } } } }`

const ANOMALY_REPORT = `query AnomalyReport($spaceId: ID!, $from: DateTime!, $to: DateTime!) {
  anomalyReport(spaceId: $spaceId, from: $from, to: $to, interval: DAY, groupBy: [PROCESS, SEVERITY]) {
  total rows { bucketStart process { id name } severity total } } }`

const LOG_REPORT = `query LogReport($spaceId: ID!, $from: DateTime!, $to: DateTime!) {
  logReport(spaceId: $spaceId, from: $from, to: $to, interval: HOUR, groupBy: [LINE, LEVEL]) {
  total rows { bucketStart line { id name } level total } } }`

const AVAILABILITY = `query Availability($spaceId: ID!, $from: DateTime!, $to: DateTime!) {
  availabilityReport(spaceId: $spaceId, from: $from, to: $to, groupBy: [LINE]) {
  rows { line { id name } onlineRatio downtimeSeconds outages mtbfSeconds mttrSeconds } } }`

/** What operations ask for. */
export interface QueryPlace {
  readonly spaceId: string
  readonly lineIds: readonly string[]
  readonly deviceIds: readonly string[]
}

const DAY_MS = 86_400_000

/** Makes the operations of a kind, which take turns. Reports are of the last week, or of the last day by hours. */
export function makeOperations(kind: QueryKind, place: QueryPlace, nowMs: number): QueryOperation[] {
  const { spaceId, lineIds, deviceIds } = place
  const lastDays = (days: number) => ({
    ...{ spaceId, from: new Date(nowMs - days * DAY_MS).toISOString(), to: new Date(nowMs).toISOString() },
  })
  const operation = (field: string, query: string, variables: Record<string, unknown>): QueryOperation => ({
    ...{ kind, field, query, variables },
  })
  if (kind === 'dashboard') return [operation('space', DASHBOARD, { spaceId })]
  if (kind === 'logs')
    return [
      operation('logs', LOGS, { spaceId, filter: null }),
      ...deviceIds.slice(0, 8).map(id => operation('logs', LOGS, { spaceId, filter: { deviceIds: [id] } })),
      operation('logs', LOGS, { spaceId, filter: { levels: ['WARN', 'ERROR'] } }),
      ...lineIds.map(lineId => operation('logs', LOGS, { spaceId, filter: { lineId } })),
    ]
  if (kind === 'anomalies')
    return [
      operation('anomalies', ANOMALIES, { spaceId, filter: { statuses: ['OPEN'] }, orderBy: 'NEWEST' }),
      operation('anomalies', ANOMALIES, { spaceId, filter: { statuses: ['OPEN'] }, orderBy: 'SEVERITY' }),
      ...lineIds.map(lineId =>
        operation('anomalies', ANOMALIES, { spaceId, filter: { lineId }, orderBy: 'NEWEST' }),
      ),
    ]
  return [
    operation('anomalyReport', ANOMALY_REPORT, lastDays(7)),
    operation('logReport', LOG_REPORT, lastDays(1)),
    operation('availabilityReport', AVAILABILITY, lastDays(7)),
  ]
}
