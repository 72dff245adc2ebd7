/** Names in upper case are the ones that clients see. */
export type BroadcastStatus = 'STARTING' | 'LIVE' | 'STALLED' | 'ENDED'

/**
 * A parameter object of mediasoup's (RTP capabilities and parameters, ICE parameters and candidates, DTLS parameters): JSON
 * that media and the client's library understand and that nobody in between looks into.
 */
export type MediaJson = Readonly<Record<string, unknown>>

/** How a device's media arrives. WHIP and RTSP will be further kinds. */
export type IngestRequest = RtpIngestRequest | { readonly kind: 'WEBRTC' }

/** RTP over UDP; at least one of `video` and `audio` is not null. Each has ports of its own. */
export interface RtpIngestRequest {
  readonly kind: 'RTP'
  readonly video: RtpStreamRequest<'VP8' | 'H264'> | null
  readonly audio: RtpStreamRequest<'OPUS'> | null
  /** RTCP on the port of RTP. Off unless asked for: ffmpeg sends RTCP from another port than RTP. */
  readonly rtcpMux?: boolean
  /** Null or missing is plain RTP. The key is made by media. */
  readonly srtp?: { readonly cryptoSuite: SrtpCryptoSuite } | null
}

export interface RtpStreamRequest<Codec extends string> {
  readonly codec: Codec
  /** 96 to 127; chosen by media when missing. */
  readonly payloadType?: number
  /** Chosen by media when missing; never 1234, which is the probe of the bandwidth estimation. */
  readonly ssrc?: number
  /** RFC 6184, six hexadecimal digits, of H264 alone; constrained baseline 3.1 (`42e01f`) when missing. */
  readonly profileLevelId?: string
}

export type SrtpCryptoSuite =
  | 'AEAD_AES_256_GCM'
  | 'AEAD_AES_128_GCM'
  | 'AES_CM_128_HMAC_SHA1_80'
  | 'AES_CM_128_HMAC_SHA1_32'

/** Where and how a device sends. `ip` is an address or a name, as announced. */
export interface RtpIngest {
  readonly codec: string
  readonly ip: string
  readonly port: number
  /** Null with rtcp-mux. */
  readonly rtcpPort: number | null
  readonly payloadType: number
  readonly ssrc: number
  /** `key` (base64, master key and salt) is what the device encrypts with, `ourKey` what our RTCP is encrypted with. */
  readonly srtp: {
    readonly cryptoSuite: SrtpCryptoSuite
    readonly key: string
    readonly ourKey: string
  } | null
}

export type Ingest =
  | { readonly kind: 'RTP'; readonly video: RtpIngest | null; readonly audio: RtpIngest | null }
  /** The device goes on with `publish`. */
  | { readonly kind: 'WEBRTC' }

/** Why a broadcast is not live, in words for the device's maker. Null once media flows as agreed. */
export interface IngestProblem {
  readonly code:
    | 'SILENCE'
    | 'SSRC_MISMATCH'
    | 'PAYLOAD_TYPE_MISMATCH'
    | 'PROFILE_MISMATCH'
    | 'SRTP_MISMATCH'
    | 'NOT_RTP'
    | 'WORKER_DIED'
  /** Which of the streams. */
  readonly kind: 'video' | 'audio'
  /** Says what was expected and what came. */
  readonly message: string
}

/** Of what arrives at media, over the last sample. */
export interface BroadcastStats {
  readonly bitrateKbps: number
  /** 0 to 1. */
  readonly packetLoss: number
  readonly jitterMs: number
  /** 0 (worst) to 10. */
  readonly score: number
}

export interface BroadcastState {
  readonly deviceId: string
  /** As given to `openBroadcast` last. */
  readonly broadcastId: string
  readonly status: BroadcastStatus
  readonly problem: IngestProblem | null
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly kind: Ingest['kind']
  readonly videoCodec: string | null
  readonly audioCodec: string | null
  readonly viewerCount: number
  /** Null until the first sample. */
  readonly stats: BroadcastStats | null
}

/**
 * Replies and events of a session carry one rising number without gaps, so that who gets them over two ways can order
 * them and sees what is missing.
 */
export interface Sequenced {
  readonly seq: number
}

/** What a client needs to create its transport. */
export interface JoinedSession extends Sequenced {
  readonly sessionId: string
  readonly routerRtpCapabilities: MediaJson
  readonly transport: {
    readonly id: string
    readonly iceParameters: MediaJson
    readonly iceCandidates: readonly MediaJson[]
    readonly dtlsParameters: MediaJson
  }
  readonly iceServers: readonly IceServer[]
  /** Epoch milliseconds; the session is closed unless `connect` has come and media's handshake has ended by then. */
  readonly expiresAt: number
}

/** As RTCIceServer of the browsers. */
export interface IceServer {
  readonly urls: readonly string[]
  readonly username?: string
  readonly credential?: string
}

export interface ConsumerOffer {
  readonly id: string
  readonly producerId: string
  readonly kind: 'audio' | 'video'
  readonly rtpParameters: MediaJson
  /** Simulcast or SVC is what has layers to prefer. */
  readonly type: 'simple' | 'simulcast' | 'svc' | 'pipe'
}

/** A session as it is now; `seq` is that of the last reply or event. */
export interface SessionSnapshot extends Sequenced {
  readonly sessionId: string
  readonly deviceId: string
  readonly role: 'viewer' | 'publisher'
  readonly broadcast: BroadcastState
  readonly isConnected: boolean
  readonly consumers: readonly (ConsumerOffer & {
    readonly isPaused: boolean
    readonly layers: { readonly spatialLayer: number; readonly temporalLayer: number | null } | null
    readonly score: number
  })[]
}

/** Why a session has ended. After all but LEFT, REPLACED and RIGHTS_ENDED a client joins again by itself. */
export type SessionEndReason =
  | 'LEFT'
  | 'REPLACED'
  | 'RIGHTS_ENDED'
  | 'BROADCAST_ENDED'
  | 'WORKER_DIED'
  | 'CONNECTION_LOST'
  | 'NEVER_CONNECTED'
  | 'CLOSING'

/** News of one session. */
export type SessionEvent = Sequenced & {
  readonly sessionId: string
  readonly deviceId: string
} & (
    | { readonly type: 'ConsumerClosed'; readonly consumerId: string }
    /**
     * What a viewer consumes comes from another source now: the old consumers are closed, those in `consumers` take their
     * place on the same transport and wait for `resumeConsumer`. Also when a stream is added.
     */
    | {
        readonly type: 'ProducerReplaced'
        readonly closedConsumerIds: readonly string[]
        readonly consumers: readonly ConsumerOffer[]
      }
    | {
        readonly type: 'LayersChanged'
        readonly consumerId: string
        /** Null while nothing is sent. */
        readonly layers: { readonly spatialLayer: number; readonly temporalLayer: number | null } | null
      }
    /** 0 (worst) to 10, of the way to the viewer and of the way from the device. */
    | {
        readonly type: 'ScoreChanged'
        readonly consumerId: string
        readonly score: number
        readonly producerScore: number
      }
    /** Followed by SessionEnded. */
    | { readonly type: 'BroadcastEnded' }
    | { readonly type: 'SessionEnded'; readonly reason: SessionEndReason }
  )

/** News of media. */
export type MediaEvent =
  /** First of all, and again after a gap: what is there. What is not in it has ended. */
  | {
      readonly type: 'Snapshot'
      /** Differs after a restart of media. */
      readonly nodeId: string
      readonly broadcasts: readonly BroadcastState[]
      readonly sessions: readonly { readonly sessionId: string; readonly deviceId: string }[]
    }
  /** Status, problem, codecs or viewers have changed; viewers alone at most once a second. */
  | { readonly type: 'BroadcastChanged'; readonly broadcast: BroadcastState }
  /** A sample of the statistics, every few seconds while live. */
  | {
      readonly type: 'BroadcastSampled'
      readonly deviceId: string
      readonly broadcastId: string
      readonly stats: BroadcastStats
    }
  | SessionEvent

/**
 * What streaming needs of media. Arguments, answers and events are JSON, so that it works within a process and over
 * HTTP alike. Nothing is asked about rights here: who calls has.
 *
 * Failures are AppErrors: NOT_FOUND for a device without a broadcast, a session or consumer that is not (or no more) there,
 * BAD_USER_INPUT for parameters that cannot be used (DTLS fingerprints, RTP capabilities, codecs), CONFLICT for a call that
 * does not fit the state, RATE_LIMITED when a bound of a room is reached, UNAVAILABLE when media is full, has no port left, or
 * is late.
 */
export interface MediaPort {
  /**
   * Opens the room of a device, STARTING, and says where to send. When the room is there (a restarted camera), its source
   * is replaced and its viewers stay; the answer then has the same ports and SSRCs where the request allows.
   */
  openBroadcast(input: {
    readonly deviceId: string
    readonly broadcastId: string
    readonly ingest: IngestRequest
  }): Promise<{ readonly broadcast: BroadcastState; readonly ingest: Ingest }>

  /** Ends a broadcast: its sessions get BroadcastEnded. With `broadcastId`, only that one. Does nothing when there is none. */
  closeBroadcast(input: { readonly deviceId: string; readonly broadcastId?: string }): Promise<void>

  /** The broadcast of a device, null when it has none. */
  findBroadcast(input: { readonly deviceId: string }): Promise<BroadcastState | null>

  /**
   * Lets a viewer in under a session id that the caller made. `replaces` is a session of the same viewer that ends
   * (REPLACED) when the new one is there. CONFLICT when the session id is taken.
   */
  join(input: {
    readonly deviceId: string
    readonly sessionId: string
    readonly replaces?: string
  }): Promise<JoinedSession>

  /**
   * Lets the device itself in, to send by WebRTC into its broadcast of kind WEBRTC (`connect`, then `produce`). One publisher
   * at a time: a newer one replaces the older, and its viewers go on with what it produces.
   */
  publish(input: { readonly deviceId: string; readonly sessionId: string }): Promise<JoinedSession>

  /** Takes the client's DTLS parameters. Again with the same: the same answer. */
  connect(input: { readonly sessionId: string; readonly dtlsParameters: MediaJson }): Promise<Sequenced>

  /** Starts to take a publisher's track; a second one of the same kind replaces the first. */
  produce(input: {
    readonly sessionId: string
    readonly kind: 'audio' | 'video'
    readonly rtpParameters: MediaJson
  }): Promise<Sequenced & { readonly producerId: string }>

  /**
   * Offers a viewer what its device sends, paused. Called again it answers the consumers that are there. An empty list
   * while the device has not begun to send by WebRTC: ProducerReplaced brings what comes later. BAD_USER_INPUT when the
   * client can decode none of it.
   */
  consume(input: {
    readonly sessionId: string
    readonly rtpCapabilities: MediaJson
  }): Promise<Sequenced & { readonly consumers: readonly ConsumerOffer[] }>

  /** Lets media flow, and asks the source for a key frame. */
  resumeConsumer(input: { readonly sessionId: string; readonly consumerId: string }): Promise<Sequenced>

  pauseConsumer(input: { readonly sessionId: string; readonly consumerId: string }): Promise<Sequenced>

  /** Layers beyond those there are mean the highest. Without effect on a simple consumer. */
  setPreferredLayers(input: {
    readonly sessionId: string
    readonly consumerId: string
    readonly spatialLayer: number
    readonly temporalLayer?: number
  }): Promise<Sequenced>

  /** New ICE parameters for a client whose network has changed, and fresh TURN credentials. */
  restartIce(input: {
    readonly sessionId: string
  }): Promise<Sequenced & { readonly iceParameters: MediaJson; readonly iceServers: readonly IceServer[] }>

  /** Ends a session and all that belongs to it before it answers. Does nothing when it has ended. */
  leave(input: {
    readonly sessionId: string
    /** LEFT unless said otherwise. */
    readonly reason?: 'LEFT' | 'REPLACED' | 'RIGHTS_ENDED'
  }): Promise<void>

  /** A session as it is now: what a subscription to its events begins with. */
  snapshotSession(input: { readonly sessionId: string }): Promise<SessionSnapshot>

  /**
   * Tells `listener` a Snapshot and then all that happens, in order, until the returned function is called. A listener
   * must not throw.
   */
  listen(listener: (event: MediaEvent) => void): () => void
}
