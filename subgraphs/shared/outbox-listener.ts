import type { AnomalyChange, LogEvent, PresenceEvent } from '../../schema/live-event.ts'

/** What a committed batch of ingest has brought, in the order of the log. */
export interface CommittedEvents {
  readonly logs: readonly LogEvent[]
  readonly anomalies: readonly AnomalyChange[]
  readonly presence: readonly PresenceEvent[]
}

/**
 * Someone who is told of what ingest has committed, at least once, in order per device, from a position of its own that
 * outlives the process: the ingest log is kept until it has been told. It never holds up the writer or other listeners,
 * as long as the log has room: one that fails for ever lets it grow to its bound in bytes, and then the doors stop
 * reading devices. So it rejects only what may heal; what it can never deliver it gives up by itself.
 */
export interface OutboxListener {
  /** Names its position; the same for ever. */
  readonly name: string
  /**
   * Takes events, within 30 s; rejecting has them delivered again, later. `isRepeat` says that some of them may have been delivered
   * before. Changes that are delivered again carry the anomaly as it is by then.
   */
  deliver(events: CommittedEvents, options: { readonly isRepeat: boolean }): Promise<void>
}
