import type { types } from 'mediasoup'
import { AppError } from '../subgraphs/shared/errors.ts'
import type {
  IceServer,
  JoinedSession,
  MediaJson,
  Sequenced,
  SessionEndReason,
} from '../subgraphs/shared/media-port.ts'
import { askWorker } from './ask-worker.ts'
import { CallQueue } from './call-queue.ts'
import { parseDtlsParameters } from './dtls-parameters.ts'
import { makeIceServers, type TurnConfig } from './ice-servers.ts'
import type { MediaLimits } from './media-limits.ts'
import type { MediaMetrics } from './media-metrics.ts'
import type { MediaNews, SessionNews } from './media-news.ts'
import type { RoomBranch } from './room-branch.ts'
import { clientCapabilities } from './router-codecs.ts'

export interface PeerOptions {
  readonly sessionId: string
  readonly deviceId: string
  readonly role: 'viewer' | 'publisher'
  /** Where it sits; told once, when the router is there. */
  readonly branch: Promise<RoomBranch>
  readonly turn: TurnConfig | null
  readonly limits: MediaLimits
  readonly news: MediaNews
  readonly metrics: MediaMetrics
  /** Told once when it is closed, before its last news. */
  readonly onClosed: (peer: Peer) => void
}

/** A client of a room with its one WebRTC transport. Its calls run one after the other. */
export class Peer {
  readonly sessionId: string
  readonly deviceId: string
  readonly role: 'viewer' | 'publisher'
  readonly #options: PeerOptions
  readonly #queue: CallQueue
  readonly #timers = new Set<NodeJS.Timeout>()
  #branch: RoomBranch | undefined
  #transport: types.WebRtcTransport | undefined
  #connected: string | undefined
  #lossTimer: NodeJS.Timeout | undefined
  #seq = 0
  #isClosed = false

  constructor(options: PeerOptions) {
    this.#options = options
    this.sessionId = options.sessionId
    this.deviceId = options.deviceId
    this.role = options.role
    this.#queue = new CallQueue(options.limits.maxQueuedCalls)
    options.metrics.sessions.inc({ role: this.role })
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  get isConnected(): boolean {
    return this.#transport?.dtlsState === 'connected'
  }

  /** Number of the last reply or event. */
  get seq(): number {
    return this.#seq
  }

  /** Makes the transport, and answers what the client needs to make its own. */
  async open(): Promise<JoinedSession> {
    const { limits, turn } = this.#options
    const branch = await this.#options.branch
    this.#requireOpen()
    const transport = await askWorker('Creating a transport', limits.workerDeadlineMs, () =>
      branch.router.createWebRtcTransport({
        webRtcServer: branch.worker.webRtcServer,
        enableUdp: true,
        enableTcp: true,
        preferUdp: true,
        iceConsentTimeout: Math.ceil(limits.consentTimeoutMs / 1000),
        initialAvailableOutgoingBitrate: 1_500_000,
      }),
    )
    if (this.#isClosed) {
      transport.close()
      this.#requireOpen()
    }
    this.#branch = branch
    this.#transport = transport
    this.#follow(transport)
    return {
      ...this.next(),
      sessionId: this.sessionId,
      routerRtpCapabilities: toJson(clientCapabilities(branch.router.rtpCapabilities)),
      transport: {
        id: transport.id,
        iceParameters: toJson(transport.iceParameters),
        iceCandidates: transport.iceCandidates.map(toJson),
        dtlsParameters: toJson(transport.dtlsParameters),
      },
      iceServers: makeIceServers(turn, this.sessionId),
      expiresAt: Date.now() + limits.connectDeadlineMs,
    }
  }

  /** Takes the client's DTLS parameters. CONFLICT when it has given others before. */
  connect(dtlsParameters: MediaJson): Promise<Sequenced> {
    return this.call(async transport => {
      const parsed = parseDtlsParameters(dtlsParameters)
      const text = JSON.stringify(parsed)
      if (this.#connected !== undefined && this.#connected !== text)
        throw new AppError('CONFLICT', 'The session is connected with other DTLS parameters.')
      if (this.#connected === undefined) {
        await this.ask('connect', () => transport.connect({ dtlsParameters: parsed }))
        this.#connected = text
      }
      return this.next()
    })
  }

  /** New ICE parameters; what is lost has its grace anew. */
  restartIce(): Promise<Sequenced & { iceParameters: MediaJson; iceServers: readonly IceServer[] }> {
    return this.call(async transport => {
      const iceParameters = toJson(await this.ask('restartIce', () => transport.restartIce()))
      if (this.#lossTimer !== undefined) this.#startLoss()
      return { ...this.next(), iceParameters, iceServers: makeIceServers(this.#options.turn, this.sessionId) }
    })
  }

  /** Runs a call in its turn. Throws NOT_FOUND when the session has ended, before it or under it. */
  call<T>(work: (transport: types.WebRtcTransport, branch: RoomBranch) => Promise<T>): Promise<T> {
    return this.#queue.run(async () => {
      this.#requireOpen()
      if (this.#transport === undefined || this.#branch === undefined)
        throw new AppError('CONFLICT', 'The session is not there yet.')
      try {
        return await work(this.#transport, this.#branch)
      } catch (error) {
        this.#requireOpen(error)
        throw error
      }
    })
  }

  /** Asks the worker something with parameters of the client. */
  ask<T>(what: string, work: () => Promise<T>): Promise<T> {
    return askWorker(what, this.#options.limits.workerDeadlineMs, work, 'caller')
  }

  /** The number of a reply that is being made. */
  next(): Sequenced {
    return { seq: ++this.#seq }
  }

  /** Tells news of this session. */
  tell(news: SessionNews): void {
    if (this.#isClosed) return
    this.#publish(news)
  }

  /** Ends the session and its transport; again is the same. */
  close(reason: SessionEndReason): void {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const timer of this.#timers) clearTimeout(timer)
    clearTimeout(this.#lossTimer)
    this.#transport?.close()
    const { metrics, onClosed } = this.#options
    metrics.sessions.dec({ role: this.role })
    metrics.sessionEnds.inc({ reason })
    onClosed(this)
    this.#publish({ type: 'SessionEnded', reason })
  }

  #follow(transport: types.WebRtcTransport): void {
    const { limits, metrics } = this.#options
    const stopTimer = metrics.handshakeSeconds.startTimer()
    const deadline = setTimeout(() => this.close('NEVER_CONNECTED'), limits.connectDeadlineMs)
    this.#timers.add(deadline)
    transport.on('dtlsstatechange', state => {
      if (state === 'connected') {
        clearTimeout(deadline)
        stopTimer()
      } else if (state === 'failed' || state === 'closed') this.close('CONNECTION_LOST')
    })
    transport.on('icestatechange', state => {
      if (state === 'disconnected' || state === 'closed') this.#startLoss()
      else {
        clearTimeout(this.#lossTimer)
        this.#lossTimer = undefined
      }
    })
    // Of a router or server that we close, the peers are closed before.
    transport.on('routerclose', () => this.close('WORKER_DIED'))
    transport.on('listenserverclose', () => this.close('WORKER_DIED'))
  }

  #startLoss(): void {
    clearTimeout(this.#lossTimer)
    this.#lossTimer = setTimeout(() => this.close('CONNECTION_LOST'), this.#options.limits.lossGraceMs)
  }

  #publish(news: SessionNews): void {
    const { sessionId, deviceId } = this
    this.#options.news.publish({ ...news, ...this.next(), sessionId, deviceId })
  }

  #requireOpen(cause?: unknown): void {
    if (this.#isClosed) throw new AppError('NOT_FOUND', 'The session has ended.', { cause })
  }
}

/** mediasoup's objects are plain; only their types have no index. */
function toJson(value: object): MediaJson {
  return value as MediaJson
}
