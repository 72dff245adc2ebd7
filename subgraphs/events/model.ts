import type { AnomalyState, LogEvent, PresenceEvent } from '../../schema/live-event.ts'
import type { anomalyComment } from '../../schema/mysql/anomaly-tables.ts'
import type { ClipRecord } from '../shared/clip-desk.ts'
import type { Connection } from '../shared/graphql/connection.ts'
import type { ToldAlert } from './alerts/alert-history.ts'
import type { NotificationSettings } from './alerts/notification-settings.ts'
import type { Watch } from './feed/watch-repository.ts'

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

/** An anomaly as resolvers get it: a row of the table, or what a live topic tells of it. Both say the same. */
export type AnomalyParent = AnomalyState

/** A page of anomalies; what it counts is asked for only when a client does. */
export interface AnomalyConnectionParent extends Connection<AnomalyParent> {
  /** Anomalies of the whole list, up to MAX_COUNTED_ANOMALIES + 1. One statement, however often it is called. */
  count(): Promise<number>
}

/** A row of the table `anomaly_comment`. */
export type CommentParent = typeof anomalyComment.$inferSelect

/** A page of comments; what it counts is asked for only when a client does. */
export interface CommentConnectionParent extends Connection<CommentParent> {
  count(): Promise<number>
}

/** Why a step could not be taken. */
export interface AnomalyConflictParent {
  readonly anomalyId: string
  /** What is in the way, as it is now. */
  readonly anomaly: AnomalyState
  /** Who was first; null when it was the device. */
  readonly userId: string | null
  readonly at: Date
}

/** A clip as resolvers get it: a row of the table. */
export type ClipParent = ClipRecord

/** What a member is told of a space. */
export type NotificationSettingsParent = NotificationSettings

/** A row of the table `alert`, with what the mailer knows of it. */
export type AlertParent = ToldAlert

/** A watch of the caller. */
export type WatchParent = Watch

/** What is watched. */
export interface WatchTargetParent {
  readonly __typename: 'Device' | 'Line' | 'Process' | 'Space'
  readonly id: string
}

/** A device went online or offline: a row of the table, or the event of a live topic. Both say the same. */
export type PresenceEventParent = PresenceEvent

/** A page of presence events. */
export type PresenceEventConnectionParent = Connection<PresenceEventParent>

/** An item of a feed. */
export type FeedItemParent = AnomalyParent | LogParent | PresenceEventParent

/** A page of a feed. */
export type FeedConnectionParent = Connection<FeedItemParent>
