/** Bounds and times of media. */
export interface MediaLimits {
  readonly maxRooms: number
  /** Viewers and publishers together: each is one transport. */
  readonly maxSessions: number
  readonly maxSessionsPerRoom: number
  /** Sessions beyond which a worker's room goes on in another worker. */
  readonly workerCapacity: number
  /** Calls of one session that wait for their turn. */
  readonly maxQueuedCalls: number
  /** From joining to the end of the DTLS handshake. */
  readonly connectDeadlineMs: number
  /** Without any sign of the client; browsers give one every 2.5 s. */
  readonly consentTimeoutMs: number
  /** How long a client that is lost may take to restart its ICE. */
  readonly lossGraceMs: number
  /** Longest answer of a worker. */
  readonly workerDeadlineMs: number
  /** How often the sources are looked at. */
  readonly pollMs: number
  /** Without a packet for so long a source is silent. */
  readonly silenceMs: number
  /** A broadcast of which no packet could be taken for so long has ended. */
  readonly abandonAfterMs: number
  /** How often statistics are told. */
  readonly sampleMs: number
  /** How often changes of the number of viewers are told, at most. */
  readonly countPaceMs: number
}

export const DEFAULT_MEDIA_LIMITS: MediaLimits = {
  maxRooms: 500,
  maxSessions: 4_000,
  maxSessionsPerRoom: 1_000,
  workerCapacity: 250,
  maxQueuedCalls: 64,
  connectDeadlineMs: 20_000,
  consentTimeoutMs: 10_000,
  lossGraceMs: 5_000,
  workerDeadlineMs: 5_000,
  pollMs: 500,
  silenceMs: 2_000,
  abandonAfterMs: 120_000,
  sampleMs: 5_000,
  countPaceMs: 1_000,
}
