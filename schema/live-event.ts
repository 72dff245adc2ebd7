import type { Severity } from './severity.ts'

/** Kinds of live topics; there is one topic per (kind, space), and one per kind for what is the site's. */
export const TOPIC_KINDS = [
  'log',
  'anomaly',
  'state',
  'presence',
  'broadcast',
  'revocation',
  'topology',
  'feed',
] as const

/** Kind of a live topic. */
export type TopicKind = (typeof TOPIC_KINDS)[number]

/** Stands for a space in topics that are the whole site's: those of kinds `revocation`, `topology` and `feed`. */
export const SITE_SCOPE = 'site'

/** A new row of the table `log`, whole. Times are epoch milliseconds. */
export interface LogEvent {
  readonly id: string
  readonly spaceId: string
  readonly deviceId: string
  readonly lineId: string | null
  readonly processId: string | null
  readonly level: 'DEBUG' | 'INFO' | 'WARN' | 'ERROR'
  readonly message: string
  readonly attributes: Record<string, unknown> | null
  readonly clockReplaced: boolean
  readonly receivedAt: number
}

/** A row of the table `anomaly`, whole. Times are epoch milliseconds; occurrences occurred at the times of their ids. */
export interface AnomalyState {
  readonly id: string
  readonly spaceId: string
  readonly deviceId: string
  readonly lineId: string | null
  readonly processId: string | null
  readonly type: string
  readonly severity: Severity
  readonly message: string | null
  readonly score: number | null
  readonly attributes: Record<string, unknown> | null
  readonly clockReplaced: boolean
  readonly receivedAt: number
  readonly firstOccurrenceId: string
  readonly lastOccurrenceId: string
  readonly occurrences: number
  readonly status: 'OPEN' | 'ACKNOWLEDGED' | 'RESOLVED'
  readonly acknowledgedAt: number | null
  readonly acknowledgedBy: string | null
  readonly resolvedAt: number | null
  readonly resolvedBy: string | null
  readonly version: number
}

/**
 * An anomaly was raised or has changed. Changes of one anomaly within a batch of ingest make one event, that of the
 * greatest weight: RAISED, then CLEARED, ESCALATED, REPEATED. `anomaly` is the row after all of them. RAISED comes once
 * on the topic, and a version once but for RAISED; what ingest tells again after a failure has the row as it is by then,
 * and may say REPEATED for what people have done meanwhile.
 */
export interface AnomalyChange {
  readonly change:
    | 'RAISED'
    | 'REPEATED'
    | 'ESCALATED'
    | 'CLEARED'
    | 'ACKNOWLEDGED'
    | 'RESOLVED'
    | 'REOPENED'
    | 'COMMENTED'
    | 'CLIP_ADDED'
  readonly anomaly: AnomalyState
}

/** A device's newest state. `at` is epoch milliseconds. */
export interface StateEvent {
  readonly deviceId: string
  readonly spaceId: string
  readonly at: number
  readonly status: 'RUNNING' | 'IDLE' | 'STOPPED' | 'ERROR' | 'UNKNOWN'
  readonly metrics: Record<string, unknown> | null
}

/** A device went online or offline. `at` is epoch milliseconds. */
export interface PresenceEvent {
  readonly id: string
  readonly deviceId: string
  readonly spaceId: string
  readonly online: boolean
  readonly at: number
}

/** A broadcast has begun, changed or ended. Times are epoch milliseconds. */
export interface BroadcastEvent {
  readonly deviceId: string
  readonly spaceId: string
  readonly at: number
  readonly broadcast: {
    readonly deviceId: string
    readonly broadcastId: string
    readonly status: 'STARTING' | 'LIVE' | 'STALLED' | 'ENDED'
    readonly problem: {
      readonly code: string
      readonly kind: 'video' | 'audio'
      readonly message: string
    } | null
    readonly startedAt: number
    readonly kind: 'RTP' | 'WEBRTC'
    readonly videoCodec: string | null
    readonly audioCodec: string | null
    readonly viewerCount: number
    readonly stats: {
      readonly bitrateKbps: number
      readonly packetLoss: number
      readonly jitterMs: number
      readonly score: number
    } | null
  }
}

/** Rights that have changed: what was decided by them before is to be decided anew. */
export type RevocationEvent =
  /** A sign-in has ended. */
  | { readonly kind: 'session-ended'; readonly userId: string; readonly sessionId: string }
  /** All sign-ins of a user have ended. */
  | { readonly kind: 'sessions-ended'; readonly userId: string }
  /** A user was added to a space, removed from it, or has another role there. */
  | { readonly kind: 'membership-changed'; readonly userId: string; readonly spaceId: string }
  /** A space was deleted or restored: everyone's role there may be another. */
  | { readonly kind: 'space-changed'; readonly spaceId: string }
  /** A device may no longer sign in with what it has. */
  | { readonly kind: 'credential-revoked'; readonly deviceId: string; readonly spaceId: string }

/** Rows of the topology that have changed, are new, or are gone: what was read of them before is to be read anew. */
export interface TopologyEvent {
  readonly kind: 'space' | 'line' | 'process' | 'device'
  readonly spaceId: string
  /** Which; without them any of that kind in the space. */
  readonly ids?: readonly string[]
}

/** What a feed shows, with where its device stood, or that somebody watches others than before. */
export type FeedEvent = FeedNews | { readonly kind: 'watches'; readonly id: string; readonly userId: string }

/** Something new that watchers are told of. `id` is its key (feed-key.ts), `item` the whole row. */
export type FeedNews = {
  readonly id: string
  readonly spaceId: string
  readonly deviceId: string
  readonly lineId: string | null
  readonly processId: string | null
} & (
  | { readonly kind: 'log'; readonly item: LogEvent }
  | { readonly kind: 'anomaly'; readonly item: AnomalyState }
  | { readonly kind: 'presence'; readonly item: PresenceEvent }
)

/** What travels on a topic of each kind. An entry of the stream holds a JSON array of them in its field `v`. */
export interface LiveEventOf {
  readonly log: LogEvent
  readonly anomaly: AnomalyChange
  readonly state: StateEvent
  readonly presence: PresenceEvent
  readonly broadcast: BroadcastEvent
  readonly revocation: RevocationEvent
  readonly topology: TopologyEvent
  readonly feed: FeedEvent
}
