import type { types } from 'mediasoup'
import { AppError } from '../subgraphs/shared/errors.ts'
import type { Logger } from '../subgraphs/shared/logger.ts'
import type { Ingest, RtpIngestRequest } from '../subgraphs/shared/media-port.ts'
import type { MediaAddress } from './media-address.ts'
import type { MediaLimits } from './media-limits.ts'
import type { PortLeases } from './port-leases.ts'
import type { RoomSource } from './room-source.ts'
import { RtpStream } from './rtp-stream.ts'
import { planRtpStreams, type RtpStreamPlan } from './rtp-stream-plan.ts'
import { RtpStreamPorts } from './rtp-stream-ports.ts'
import type { SourceHealth } from './source-health.ts'

/** Tries at ports that other programs of the machine may have. */
const PORT_TRIES = 8

export interface RtpSourceOptions {
  readonly request: RtpIngestRequest
  /** What it replaces: its ports and SSRCs are kept where the request allows. */
  readonly former: RtpSource | null
  readonly leases: PortLeases
  readonly address: MediaAddress
  readonly limits: MediaLimits
  readonly logger: Logger
  readonly onReplaced: () => void
}

/** A device that sends plain RTP: a stream or two. */
export class RtpSource implements RoomSource {
  readonly kind = 'RTP'
  readonly isSelfHealing = true
  readonly #options: RtpSourceOptions
  readonly #plans: readonly RtpStreamPlan[]
  #streams: RtpStream[] = []
  readonly #kept: RtpStreamPorts[] = []
  #isClosed = false

  /** Throws BAD_USER_INPUT for a request that cannot be met; the former source is as it was then. */
  constructor(options: RtpSourceOptions) {
    this.#options = options
    this.#plans = planRtpStreams(options.request, options.former?.plans)
  }

  get plans(): readonly RtpStreamPlan[] {
    return this.#plans
  }

  get videoCodec(): string | null {
    return this.#plans.find(plan => plan.kind === 'video')?.codec ?? null
  }

  get audioCodec(): string | null {
    return this.#plans.find(plan => plan.kind === 'audio')?.codec ?? null
  }

  get ingest(): Ingest {
    const find = (kind: 'video' | 'audio') => this.#streams.find(stream => stream.plan.kind === kind)
    return { kind: 'RTP', video: find('video')?.ingest ?? null, audio: find('audio')?.ingest ?? null }
  }

  listProducers(): readonly types.Producer[] {
    return this.#streams.flatMap(stream => stream.producer ?? [])
  }

  /** Closes the former source and takes its place. */
  async open(router: types.Router): Promise<void> {
    if (this.#streams.length > 0) {
      for (const stream of this.#streams) await stream.open(router)
      return
    }
    const ports = this.#options.former?.handOver() ?? new Map<'video' | 'audio', RtpStreamPorts>()
    try {
      for (const plan of this.#plans) {
        const given = ports.get(plan.kind)
        ports.delete(plan.kind)
        const stream = await this.#openStream(plan, router, given)
        if (this.#isClosed) {
          stream.close()
          stream.ports.release()
          throw new AppError('NOT_FOUND', 'The broadcast has ended.')
        }
        this.#streams.push(stream)
      }
    } catch (error) {
      this.close()
      throw error
    } finally {
      for (const unused of [...ports.values(), ...this.#kept.splice(0)]) unused.release()
    }
  }

  /** The video speaks for both; what is wrong with the audio is told when the video is well. */
  async poll(): Promise<SourceHealth> {
    const healths = await Promise.all(this.#streams.map(stream => stream.poll()))
    const [first] = healths
    if (first === undefined) return { isFlowing: false, isAsAgreed: true, problem: null, stats: null }
    return { ...first, problem: healths.find(health => health.problem !== null)?.problem ?? null }
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const stream of this.#streams) {
      stream.close()
      stream.ports.release()
    }
  }

  /** Ends it and passes its ports on, by the kind of their stream. */
  handOver(): Map<'video' | 'audio', RtpStreamPorts> {
    if (this.#isClosed) return new Map()
    this.#isClosed = true
    for (const stream of this.#streams) stream.close()
    return new Map(this.#streams.map(stream => [stream.plan.kind, stream.ports]))
  }

  async #openStream(
    plan: RtpStreamPlan,
    router: types.Router,
    given: RtpStreamPorts | undefined,
  ): Promise<RtpStream> {
    const { leases } = this.#options
    let ports = given
    if (ports !== undefined && (ports.rtcp === null) !== plan.rtcpMux) {
      ports.release()
      ports = undefined
    }
    for (let attempt = 1; ; attempt++) {
      ports ??= new RtpStreamPorts(leases, plan.rtcpMux)
      const stream = new RtpStream({ ...this.#options, plan, ports })
      try {
        await stream.open(router)
        return stream
      } catch (error) {
        stream.close()
        this.#kept.push(ports)
        ports = undefined
        const isPortTaken = error instanceof AppError && error.code === 'UNAVAILABLE' && !router.closed
        if (!isPortTaken || attempt === PORT_TRIES) throw error
      }
    }
  }
}
