import type { types } from 'mediasoup'
import { AppError } from '../subgraphs/shared/errors.ts'
import type { Logger } from '../subgraphs/shared/logger.ts'
import type {
  BroadcastState,
  BroadcastStats,
  BroadcastStatus,
  Ingest,
  IngestProblem,
  IngestRequest,
  MediaJson,
  Sequenced,
  SessionEndReason,
} from '../subgraphs/shared/media-port.ts'
import { CallQueue } from './call-queue.ts'
import { parseKind, parseRtpParameters } from './client-rtp.ts'
import type { TurnConfig } from './ice-servers.ts'
import type { MediaAddress } from './media-address.ts'
import type { MediaLimits } from './media-limits.ts'
import type { MediaMetrics } from './media-metrics.ts'
import type { MediaNews } from './media-news.ts'
import { Peer } from './peer.ts'
import type { PortLeases } from './port-leases.ts'
import { PublishSource } from './publish-source.ts'
import type { RoomBranch } from './room-branch.ts'
import { RoomSeats } from './room-seats.ts'
import type { RoomSource } from './room-source.ts'
import { RtpSource } from './rtp-source.ts'
import { ViewerConsumers } from './viewer-consumers.ts'
import type { WorkerPool } from './worker-pool.ts'

export interface RoomOptions {
  readonly deviceId: string
  readonly pool: WorkerPool
  readonly leases: PortLeases
  /** Where devices send. */
  readonly address: MediaAddress
  readonly turn: TurnConfig | null
  readonly limits: MediaLimits
  readonly news: MediaNews
  readonly metrics: MediaMetrics
  readonly logger: Logger
  /** Told once when it is closed. */
  readonly onClosed: (room: Room) => void
  readonly onPeerClosed: (peer: Peer) => void
}

/**
 * Least time between two requests for key frames. Browsers ignore one that comes within 300 ms of the last, and mediasoup would
 * ask again after 1 s: who joins right behind another would wait that long for the first picture.
 */
const KEY_FRAME_PACE_MS = 320

/** The broadcast of one device: its source and those who watch it. */
export class Room {
  readonly deviceId: string
  readonly #options: RoomOptions
  readonly #seats: RoomSeats
  readonly #queue = new CallQueue(100)
  readonly #viewers = new Map<Peer, ViewerConsumers>()
  #publisher: Peer | undefined
  #source: RoomSource | undefined
  #broadcastId = ''
  #status: BroadcastStatus = 'STARTING'
  #problem: IngestProblem | null = null
  #stats: BroadcastStats | null = null
  #startedAt = 0
  #silentSince = 0
  #sampledAt = 0
  #pollTimer: NodeJS.Timeout | undefined
  #countTimer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: RoomOptions) {
    this.deviceId = options.deviceId
    this.#options = options
    this.#seats = new RoomSeats(options.pool, options.limits, () => this.#moveHome())
    options.metrics.rooms.inc({ status: this.#status })
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  get sessionCount(): number {
    return this.#viewers.size + (this.#publisher === undefined ? 0 : 1)
  }

  get state(): BroadcastState {
    return {
      deviceId: this.deviceId,
      broadcastId: this.#broadcastId,
      status: this.#status,
      problem: this.#problem,
      startedAt: this.#startedAt,
      kind: this.#source?.kind ?? 'RTP',
      videoCodec: this.#source?.videoCodec ?? null,
      audioCodec: this.#source?.audioCodec ?? null,
      viewerCount: this.#viewers.size,
      stats: this.#stats,
    }
  }

  /** Opens the source, or another one in the place of that which is there; viewers stay. */
  open(broadcastId: string, request: IngestRequest): Promise<{ broadcast: BroadcastState; ingest: Ingest }> {
    return this.#queue.run(async () => {
      this.#requireOpen()
      const former = this.#source
      const source = this.#makeSource(request, former)
      const home = await this.#seats.getHome()
      this.#source = source
      try {
        await source.open(home.router)
        if (this.#isClosed) {
          source.close()
          this.#requireOpen()
        }
      } catch (error) {
        former?.close()
        this.close('BROADCAST_ENDED')
        throw error
      }
      if (former !== undefined) {
        this.#options.metrics.replacements.inc()
        this.#publisher?.close('REPLACED')
        former.close()
      }
      this.#broadcastId = broadcastId
      this.#startedAt = Date.now()
      this.#silentSince = Date.now()
      this.#stats = null
      this.#setStatus('STARTING', null)
      this.#announce()
      this.#syncViewers()
      this.#pollTimer ??= setTimeout(() => this.#poll(), this.#options.limits.pollMs)
      return { broadcast: this.state, ingest: source.ingest }
    })
  }

  /** Gives a client its seat; it is a part of the room from now on. Throws RATE_LIMITED when the room is full. */
  admit(sessionId: string, role: 'viewer' | 'publisher'): Peer {
    this.#requireOpen()
    const { limits, turn, news, metrics } = this.#options
    if (role === 'publisher' && this.#source?.kind !== 'WEBRTC')
      throw new AppError('CONFLICT', 'The broadcast of this device is not of the kind WEBRTC.')
    if (this.sessionCount >= limits.maxSessionsPerRoom)
      throw new AppError('RATE_LIMITED', `${limits.maxSessionsPerRoom} are watching already.`)
    const seat = this.#seats.take(role === 'publisher')
    const onClosed = (peer: Peer) => {
      seat.release()
      this.#dismiss(peer)
      this.#options.onPeerClosed(peer)
    }
    const { deviceId } = this
    const { branch } = seat
    const peer = new Peer({ sessionId, deviceId, role, branch, turn, limits, news, metrics, onClosed })
    if (role === 'publisher') {
      this.#publisher?.close('REPLACED')
      this.#publisher = peer
    } else {
      this.#viewers.set(peer, new ViewerConsumers(peer, this))
      this.#announceCount()
    }
    return peer
  }

  /** The consumers of a viewer. Throws CONFLICT for a publisher. */
  consumersOf(peer: Peer): ViewerConsumers {
    const consumers = this.#viewers.get(peer)
    if (consumers === undefined) throw new AppError('CONFLICT', 'Only viewers consume.')
    return consumers
  }

  /** Takes a track of the publisher. */
  produce(
    peer: Peer,
    kind: types.MediaKind,
    parameters: MediaJson,
  ): Promise<Sequenced & { producerId: string }> {
    return peer.call(async transport => {
      if (peer !== this.#publisher || !(this.#source instanceof PublishSource))
        throw new AppError('CONFLICT', 'Only the publisher of a broadcast of the kind WEBRTC produces.')
      const rtpParameters = parseRtpParameters(parameters)
      const producer = await peer.ask('produce', () =>
        transport.produce({ kind: parseKind(kind), rtpParameters, keyFrameRequestDelay: KEY_FRAME_PACE_MS }),
      )
      this.#source.add(producer)
      this.#announce()
      this.#syncViewers()
      return { ...peer.next(), producerId: producer.id }
    })
  }

  listProducers(): readonly types.Producer[] {
    return this.#source?.listProducers() ?? []
  }

  async provide(producer: types.Producer, branch: RoomBranch): Promise<void> {
    await branch.provide(producer, await this.#seats.getHome())
  }

  willReplace(kind: types.MediaKind): boolean {
    return (
      this.#source?.isSelfHealing === true || this.listProducers().some(producer => producer.kind === kind)
    )
  }

  /** Ends the broadcast for all who are in it; again is the same. */
  close(reason: Extract<SessionEndReason, 'BROADCAST_ENDED' | 'CLOSING'>): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearTimeout(this.#pollTimer)
    clearTimeout(this.#countTimer)
    for (const peer of [
      ...this.#viewers.keys(),
      ...(this.#publisher === undefined ? [] : [this.#publisher]),
    ]) {
      if (reason === 'BROADCAST_ENDED') peer.tell({ type: 'BroadcastEnded' })
      peer.close(reason)
    }
    this.#source?.close()
    this.#seats.close()
    this.#setStatus('ENDED', this.#problem)
    this.#options.metrics.rooms.dec({ status: 'ENDED' })
    this.#options.onClosed(this)
    if (this.#broadcastId !== '') this.#publish()
  }

  #makeSource(request: IngestRequest, former: RoomSource | undefined): RoomSource {
    const { leases, address, limits, logger } = this.#options
    if (request.kind === 'WEBRTC') return new PublishSource(limits)
    if (request.kind !== 'RTP')
      throw new AppError('BAD_USER_INPUT', 'This kind of broadcast is not known: RTP or WEBRTC.')
    return new RtpSource({
      request,
      former: former instanceof RtpSource ? former : null,
      leases,
      address,
      limits,
      logger,
      onReplaced: () => {
        this.#options.metrics.replacements.inc()
        this.#syncViewers()
      },
    })
  }

  /** Goes on in another worker after that of the home has died. */
  #moveHome(): void {
    if (this.#isClosed) return
    const kind = this.#source?.videoCodec === null ? 'audio' : 'video'
    this.#setStatus(this.#status === 'STARTING' ? 'STARTING' : 'STALLED', {
      code: 'WORKER_DIED',
      kind,
      message: 'The media worker of this broadcast has died; another one takes over.',
    })
    this.#announce()
    this.#queue
      .run(async () => {
        if (this.#isClosed) return
        const home = await this.#seats.getHome()
        await this.#source?.open(home.router)
        this.#syncViewers()
      })
      .catch(error => {
        this.#options.logger.error({ err: error, deviceId: this.deviceId }, 'media.room_not_moved')
        // Without a home nobody can come in, and nobody sees anything.
        this.close('BROADCAST_ENDED')
      })
  }

  #poll(): void {
    this.#queue
      .run(async () => {
        if (!this.#isClosed) await this.#look()
      })
      .catch(error => {
        this.#options.logger.warn({ err: error, deviceId: this.deviceId }, 'media.poll_failed')
      })
      .finally(() => {
        if (!this.#isClosed) this.#pollTimer = setTimeout(() => this.#poll(), this.#options.limits.pollMs)
      })
  }

  async #look(): Promise<void> {
    const { limits, metrics } = this.#options
    const health = await this.#source?.poll()
    if (health === undefined || this.#isClosed) return
    const now = Date.now()
    const before = { status: this.#status, problem: this.#problem }
    if (health.isFlowing) this.#setStatus(health.isAsAgreed ? 'LIVE' : 'STALLED', health.problem)
    else
      this.#setStatus(this.#status === 'STARTING' ? 'STARTING' : 'STALLED', health.problem ?? this.#problem)
    if (health.isFlowing) this.#silentSince = now
    if (this.#problem !== null && this.#problem.code !== before.problem?.code)
      metrics.problems.inc({ code: this.#problem.code })
    if (this.#status !== before.status || this.#problem !== before.problem) this.#announce()
    if (now - this.#silentSince >= limits.abandonAfterMs) return this.close('BROADCAST_ENDED')
    this.#stats = health.isFlowing ? health.stats : null
    if (health.stats !== null && now - this.#sampledAt >= limits.sampleMs) {
      this.#sampledAt = now
      const { deviceId } = this
      const broadcastId = this.#broadcastId
      this.#options.news.publish({ type: 'BroadcastSampled', deviceId, broadcastId, stats: health.stats })
    }
  }

  /** The first wording of a problem stays while it lasts. */
  #setStatus(status: BroadcastStatus, problem: IngestProblem | null): void {
    if (status !== this.#status) {
      this.#options.metrics.rooms.dec({ status: this.#status })
      this.#options.metrics.rooms.inc({ status })
      this.#status = status
    }
    const isSame = problem?.code === this.#problem?.code && problem?.kind === this.#problem?.kind
    if (!isSame) this.#problem = problem
  }

  #dismiss(peer: Peer): void {
    if (peer === this.#publisher) {
      this.#publisher = undefined
      if (!this.#isClosed) this.#announce()
    }
    if (this.#viewers.delete(peer)) this.#announceCount()
  }

  #syncViewers(): void {
    for (const [peer, consumers] of this.#viewers) {
      consumers.sync().catch(error => {
        if (!peer.isClosed)
          this.#options.logger.warn({ err: error, sessionId: peer.sessionId }, 'media.sync_failed')
      })
    }
  }

  #announce(): void {
    clearTimeout(this.#countTimer)
    this.#countTimer = undefined
    this.#publish()
  }

  #announceCount(): void {
    if (this.#isClosed) return
    this.#countTimer ??= setTimeout(() => this.#announce(), this.#options.limits.countPaceMs)
  }

  #publish(): void {
    this.#options.news.publish({ type: 'BroadcastChanged', broadcast: this.state })
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new AppError('NOT_FOUND', 'The device is not broadcasting.')
  }
}
