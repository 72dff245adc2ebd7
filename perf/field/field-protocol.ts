import type { SparseHistogram } from '../load/histogram.ts'
import type { Workload } from '../load/workload.ts'

/** Who a virtual user is. */
export type Role = 'device' | 'viewer' | 'observer'

/** Who a virtual user becomes: the nth of its role. */
export interface Part {
  readonly role: Role
  readonly index: number
}

/** What the runner knows and everybody in the field needs. */
export interface FieldPlan {
  /** Of the product, http://… */
  readonly url: string
  readonly spaceId: string
  readonly workload: Pick<Workload, 'stages' | 'devices' | 'intervalsMs'>
  /** Part of the types of anomalies, so that each is a new one. */
  readonly runTag: string
  readonly devices: readonly { readonly deviceId: string; readonly credential: string }[]
  /** Sessions of people, as many as there are observers and viewers: first the observers'. */
  readonly sessions: readonly { readonly accessToken: string; readonly refreshToken: string }[]
  readonly observers: number
  /** Devices whose broadcasts viewers join; none without live video. */
  readonly cameras: readonly string[]
  /** How long viewers stay in a broadcast, and how long they are away. */
  readonly stayMs: number
  readonly awayMs: number
}

/** Figures of a second of the run. */
export interface FieldWindow {
  readonly second: number
  /** From when a message was due to its receipt. */
  readonly receipts: SparseHistogram
  /** Calls of signaling. */
  readonly signaling: SparseHistogram
}

/** What happened since the last report. */
export interface FieldReport {
  readonly type: 'report'
  /** Events that have ids, and when they were due on the clock of `Date.now()`. */
  readonly sent: readonly (readonly [id: string, dueAt: number])[]
  readonly receipted: readonly string[]
  /** Which observer, −1 for viewers; which event; when. */
  readonly delivered: readonly (readonly [observer: number, id: string, at: number])[]
  readonly windows: readonly FieldWindow[]
  readonly counts: Readonly<Record<FieldCount, number>>
  readonly failures: readonly string[]
  readonly loopP99Ms: number
  readonly loopMaxMs: number
  readonly cpuMs: number
}

/** What is counted in measured stages, and failures in all of them. */
export const FIELD_COUNTS = [
  'messages',
  'messagesLate',
  'messagesFailed',
  'messagesUnreceipted',
  'signalingCalls',
  'signalingFailed',
  'subscriptionsFailed',
  'stateNews',
  'gaps',
  'reconnects',
] as const
export type FieldCount = (typeof FIELD_COUNTS)[number]

/** What the field says to the runner: a line of JSON each. */
export type FieldMessage =
  | { readonly type: 'claim'; readonly claim: number }
  | { readonly type: 'standing'; readonly role: Role; readonly index: number }
  | { readonly type: 'probed'; readonly observer: number; readonly topic: 'log' | 'anomaly' }
  | FieldReport
  | { readonly type: 'done' }

/** What the runner says to the field. */
export type FieldCommand =
  | { readonly type: 'plan'; readonly plan: FieldPlan }
  | { readonly type: 'part'; readonly claim: number; readonly part: Part }
  /** Device 0 sends an event that nobody accounts for: subscriptions that stand get it. */
  | { readonly type: 'probe' }
  /** The clock starts, on that of `Date.now()`. */
  | { readonly type: 'start'; readonly startAt: number }
  | { readonly type: 'stop' }

/** Marks the texts of probes. */
export const PROBE = 'probe: does the subscription stand?'
