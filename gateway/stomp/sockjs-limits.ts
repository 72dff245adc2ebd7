/** How SockJS sessions behave. */
export interface SockJsLimits {
  /** A session without a receiving request is over after this. Default 5 s, as in the protocol. */
  readonly disconnectDelayMs: number
  /** Interval of `h` frames. Default 25 s, as in the protocol. */
  readonly heartBeatMs: number
  /** A streaming response ends after so many bytes, and the client asks for the next. Default 128 KiB. */
  readonly maxResponseBytes: number
  /** A longer body of xhr_send gets 413. Default 64 frames: a client joins all that it has waiting in one body. */
  readonly maxBodyBytes: number
  /** A body of xhr_send that takes longer gets 408. Default 10 s. */
  readonly bodyDeadlineMs: number
}

/** SockJS limits for a door whose frames measure at most `maxFrameBytes`. */
export function createSockJsLimits(maxFrameBytes: number): SockJsLimits {
  return {
    disconnectDelayMs: 5_000,
    heartBeatMs: 25_000,
    maxResponseBytes: 128 * 1024,
    maxBodyBytes: 64 * maxFrameBytes,
    bodyDeadlineMs: 10_000,
  }
}
