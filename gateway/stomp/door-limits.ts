import { DEFAULT_FRAME_LIMITS, type FrameLimits } from './frame-parser.ts'
import { DEFAULT_HEART_BEAT_LIMITS, type HeartBeatLimits } from './heart-beat.ts'

/** Every bound of the STOMP door; what happens past it is said with each. */
export interface DoorLimits {
  /** ERROR and close past them. */
  readonly frame: FrameLimits
  readonly heartBeat: HeartBeatLimits
  /** Connections, connected or not; past it the door answers 503. Default 10,000. */
  readonly maxSessions: number
  /** From the opening of a connection to CONNECTED; past it ERROR and close. Default 10 s. */
  readonly connectDeadlineMs: number
  /** CONNECTs that are checked and made known at a time; others wait. Default 256. */
  readonly maxConnecting: number
  /** CONNECTs that wait; past it ERROR with `retry-after-ms`, and close. Default 4,000. */
  readonly maxWaitingConnects: number
  /** Frames of a session that are not durable yet; past it ERROR with `retry-after-ms`, and close. Default 1,000. */
  readonly maxUnreceipted: number
  /**
   * The least of the hint that goes with RATE_LIMITED and UNAVAILABLE, and half of its most: by chance, so that not all
   * come again at once. Default 1 s.
   */
  readonly retryAfterMs: number
  /** Bytes that a device has not read; past it its connection is dropped. Default 1 MiB. */
  readonly maxUnsentBytes: number
  /**
   * Bodies that are not durable yet, of all sessions; past it the door does not read. Default 8 MiB: as items of the
   * ingest log they take up to three times that, and must not meet the appender's own bound.
   */
  readonly maxInFlightBytes: number
  /** The same in items. Default 20,000. */
  readonly maxInFlightItems: number
  /** Questions of one device that wait for their answer; past it one is refused. Default 8. */
  readonly maxCallsOfDevice: number
  /** The same of all devices. Default 256. */
  readonly maxCalls: number
  /** From a question to its answer; past it the device is told to try again. Default 30 s. */
  readonly callDeadlineMs: number
  /** Older times are not believed. Default 90 days. */
  readonly retentionMs: number
  /** How much longer than the door the presence registry waits for a life sign. Default 5 s. */
  readonly presenceSlackMs: number
  /** Lines about sessions that ended with ERROR; past it they are only counted. Default 20. */
  readonly maxErrorLinesPerSecond: number
  /** How often all sessions are checked again, for revocations of which no news came. Default 1 min. */
  readonly recheckIntervalMs: number
  /** How long closing waits for what is in flight. Default 5 s. */
  readonly closeDeadlineMs: number
}

/** Limits unless configured otherwise. */
export const DEFAULT_DOOR_LIMITS: DoorLimits = {
  frame: DEFAULT_FRAME_LIMITS,
  heartBeat: DEFAULT_HEART_BEAT_LIMITS,
  maxSessions: 10_000,
  connectDeadlineMs: 10_000,
  maxConnecting: 256,
  maxWaitingConnects: 4_000,
  maxUnreceipted: 1_000,
  retryAfterMs: 1_000,
  maxUnsentBytes: 1024 * 1024,
  maxInFlightBytes: 8 * 1024 * 1024,
  maxInFlightItems: 20_000,
  maxCallsOfDevice: 8,
  maxCalls: 256,
  callDeadlineMs: 30_000,
  retentionMs: 90 * 24 * 60 * 60_000,
  presenceSlackMs: 5_000,
  maxErrorLinesPerSecond: 20,
  recheckIntervalMs: 60_000,
  closeDeadlineMs: 5_000,
}
