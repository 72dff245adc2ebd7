import type { LogEvent } from '../../schema/live-event.ts'
import type { Connection } from '../shared/graphql/connection.ts'

/** A log as resolvers get it: a row of the table, or the event of a live topic. Both say the same. */
export type LogParent = LogEvent

/** A page of logs; what it counts is asked for only when a client does. */
export interface LogConnectionParent extends Connection<LogParent> {
  /** Logs of the whole list, up to MAX_COUNTED_LOGS + 1. One statement, however often it is called. */
  count(): Promise<number>
}

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
