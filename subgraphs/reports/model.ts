import type { Severity } from '../../schema/severity.ts'
import type { AvailabilityReport, AvailabilityRow } from './availability-report.ts'
import type { EventReport, EventReportRow } from './event-report.ts'
import type { ResponseReport, ResponseRow } from './response-report.ts'

type Level = 'DEBUG' | 'INFO' | 'WARN' | 'ERROR'

/** Anomalies of a range. */
export type AnomalyReportParent = EventReport<Severity>

/** Anomalies of a bucket and group. */
export type AnomalyReportRowParent = EventReportRow<Severity>

/** Logs of a range. */
export type LogReportParent = EventReport<Level>

/** Logs of a bucket and group. */
export type LogReportRowParent = EventReportRow<Level>

/** Availability of a space's devices. */
export type AvailabilityReportParent = AvailabilityReport

/** Availability of one group. */
export type AvailabilityReportRowParent = AvailabilityRow

/** Answers to anomalies. */
export type ResponseReportParent = ResponseReport

/** Answers to the anomalies of one group. */
export type ResponseReportRowParent = ResponseRow

/** A device as this subgraph knows it. */
export interface DeviceParent {
  readonly id: string
}

/** A line as this subgraph knows it. */
export interface LineParent {
  readonly id: string
}

/** A process as this subgraph knows it. */
export interface ProcessParent {
  readonly id: string
}
