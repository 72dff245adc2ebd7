/** Kinds of live topics; there is one topic per (kind, space). */
export const TOPIC_KINDS = ['log', 'state', 'presence'] as const

/** Kind of a live topic. */
export type TopicKind = (typeof TOPIC_KINDS)[number]

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

/** What travels on a topic of each kind. An entry of the stream holds a JSON array of them in its field `v`. */
export interface LiveEventOf {
  readonly log: LogEvent
  readonly state: StateEvent
  readonly presence: PresenceEvent
}
