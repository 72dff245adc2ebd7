import type { types } from 'mediasoup'
import type { Logger } from '../subgraphs/shared/logger.ts'
import type { BroadcastStats, IngestProblem, RtpIngest } from '../subgraphs/shared/media-port.ts'
import { askWorker } from './ask-worker.ts'
import { isProfileWithin, profileOf } from './h264-profile.ts'
import { type ProbeReport, probeIngest } from './ingest-probe.ts'
import type { MediaAddress } from './media-address.ts'
import type { MediaLimits } from './media-limits.ts'
import { inspectProfile } from './profile-inspector.ts'
import { type RtpStreamPlan, rtpParametersOf } from './rtp-stream-plan.ts'
import type { RtpStreamPorts } from './rtp-stream-ports.ts'
import { countPackets, type SourceHealth, toBroadcastStats } from './source-health.ts'

/** Bytes between two looks that are more than RTCP alone. */
const MEDIA_BYTES = 600

/** A probe looks for so long before it says what it saw first, and then again and again. */
const FIRST_PROBE_MS = 250
const PROBE_MS = 1_000

/** After a probe that found all well, though nothing flows, the next waits so long. */
const PROBE_PAUSE_MS = 5_000

export interface RtpStreamOptions {
  readonly plan: RtpStreamPlan
  readonly ports: RtpStreamPorts
  readonly address: MediaAddress
  readonly limits: Pick<MediaLimits, 'workerDeadlineMs' | 'silenceMs'>
  readonly logger: Logger
  /** Told of each producer that takes the place of the one before; not of the first. */
  readonly onReplaced: () => void
}

/**
 * One stream of a device over plain RTP: its ports, the transport on them and the producer.
 *
 * A worker takes the first address that sends as the source (comedia) and drops what else comes without a word. So a
 * device that sends from another port after a restart would never be heard again, nor one whose RTCP came first with
 * rtcp-mux, and a wrong SSRC looks like silence. When bytes come and none is taken, a probe stands in for the transport
 * and reads what they are; then the transport is made anew, with another producer.
 */
export class RtpStream {
  readonly plan: RtpStreamPlan
  readonly ports: RtpStreamPorts
  readonly #options: RtpStreamOptions
  readonly #closing = new AbortController()
  #router: types.Router | undefined
  #transport: types.PlainTransport | undefined
  #producer: types.Producer | undefined
  #ourKey = ''
  #problem: IngestProblem | null = null
  #profileProblem: IngestProblem | null = null
  #stats: BroadcastStats | null = null
  #packets = 0
  #bytes = 0
  #flowedAt = 0
  #hasFlowed = false
  #probe: Promise<void> | undefined
  #probing: AbortController | undefined
  #nextProbeAt = 0
  #matchesInVain = 0

  constructor(options: RtpStreamOptions) {
    this.#options = options
    this.plan = options.plan
    this.ports = options.ports
  }

  /** The producer of now; undefined while a probe stands in. */
  get producer(): types.Producer | undefined {
    return this.#producer?.closed === false ? this.#producer : undefined
  }

  get ingest(): RtpIngest {
    const { plan, ports } = this
    const { ip, announced } = this.#options.address
    const { srtp } = plan
    return {
      codec: plan.codec,
      ip: announced ?? ip,
      port: ports.rtp,
      rtcpPort: ports.rtcp,
      payloadType: plan.payloadType,
      ssrc: plan.ssrc,
      srtp: srtp === null ? null : { ...srtp, ourKey: this.#ourKey },
    }
  }

  /** Begins to listen in a room's router; in another one after the worker of the last has died. */
  async open(router: types.Router): Promise<void> {
    this.#router = router
    this.#probing?.abort()
    await this.#probe
    await this.#arm(router, null)
  }

  /** Looks at what has come since the last look. */
  async poll(now = Date.now()): Promise<SourceHealth> {
    const { silenceMs } = this.#options.limits
    if (this.#probe === undefined) {
      // After a probe or a change that failed.
      if (this.producer === undefined) await this.#rearm(null)
      else await this.#look(now)
    }
    const isFlowing = now - this.#flowedAt < silenceMs && this.#hasFlowed
    return {
      isFlowing,
      isAsAgreed: this.#profileProblem === null,
      problem: this.#problem ?? this.#profileProblem,
      stats: isFlowing ? this.#stats : null,
    }
  }

  /** Stops to listen; the ports stay taken. Again is the same. */
  close(): void {
    this.#closing.abort()
    this.#transport?.close()
  }

  async #look(now: number): Promise<void> {
    const { workerDeadlineMs: deadlineMs, silenceMs } = this.#options.limits
    const [transport, producer] = [this.#transport, this.#producer]
    if (transport === undefined || producer === undefined) return
    const [stats, transportStats] = await Promise.all([
      askWorker('Reading a producer', deadlineMs, () => producer.getStats()),
      askWorker('Reading a transport', deadlineMs, () => transport.getStats()),
    ])
    if (transport !== this.#transport) return
    const packets = countPackets(stats)
    const bytes = transportStats[0]?.bytesReceived ?? 0
    const newBytes = bytes - this.#bytes
    this.#bytes = bytes
    if (packets > this.#packets) {
      this.#packets = packets
      this.#flowedAt = now
      this.#hasFlowed = true
      this.#matchesInVain = 0
      this.#problem = null
      this.#stats = toBroadcastStats(stats, this.plan.kind === 'video' ? 90_000 : 48_000)
      return
    }
    const silentMs = now - this.#flowedAt
    if (newBytes > MEDIA_BYTES && now >= this.#nextProbeAt) this.#startProbe()
    else if (silentMs >= silenceMs && this.#problem?.code !== 'SRTP_MISMATCH') {
      this.#problem = this.#say('SILENCE', `Nothing has come to port ${this.ports.rtp} for ${silentMs} ms.`)
      // Whoever was heard here may come back from another port.
      if (transport.tuple.remotePort !== undefined && newBytes === 0) await this.#rearm(null)
    }
  }

  #startProbe(): void {
    this.#probing = new AbortController()
    this.#probe = this.#runProbe(AbortSignal.any([this.#closing.signal, this.#probing.signal]))
      .catch(error => this.#options.logger.warn({ err: error, port: this.ports.rtp }, 'media.probe_failed'))
      .finally(() => {
        this.#probe = undefined
      })
  }

  async #runProbe(signal: AbortSignal): Promise<void> {
    const { ip } = this.#options.address
    const { ssrc, payloadType } = this.plan
    this.#transport?.close()
    let report: ProbeReport | undefined
    while (!signal.aborted) {
      const forMs = report === undefined ? FIRST_PROBE_MS : PROBE_MS
      report = await probeIngest({ ip, port: this.ports.rtp, ssrc, payloadType, forMs, signal })
      if (report.match !== null || report.packets === 0) break
      this.#problem = this.#explain(report)
    }
    if (signal.aborted) return
    const match = report?.match ?? null
    if (match !== null && ++this.#matchesInVain > 1) {
      this.#nextProbeAt = Date.now() + PROBE_PAUSE_MS
      if (this.plan.srtp !== null)
        this.#problem = this.#say('SRTP_MISMATCH', 'RTP comes that cannot be decrypted.')
    }
    await this.#rearm(match)
  }

  #explain({ other, strange }: ProbeReport): IngestProblem | null {
    const { ssrc, payloadType } = this.plan
    if (other === null)
      return strange === 0 ? this.#problem : this.#say('NOT_RTP', `${strange} packets are no RTP.`)
    if (other.ssrc !== ssrc) {
      return this.#say('SSRC_MISMATCH', `SSRC ${ssrc} was expected, ${other.ssrc} came.`)
    }
    const text = `Payload type ${payloadType} was expected, ${other.payloadType} came.`
    return this.#say('PAYLOAD_TYPE_MISMATCH', text)
  }

  #say(code: IngestProblem['code'], message: string): IngestProblem {
    return { code, kind: this.plan.kind, message }
  }

  async #rearm(from: ProbeReport['match']): Promise<void> {
    if (this.#router === undefined || this.#router.closed) return
    this.#transport?.close()
    await this.#arm(this.#router, from)
    this.#options.onReplaced()
  }

  /** Makes transport and producer. With rtcp-mux the source is given when it is known: its RTCP may come from elsewhere. */
  async #arm(router: types.Router, from: ProbeReport['match']): Promise<void> {
    const { plan, ports } = this
    const { address, limits, logger } = this.#options
    const listen = (port: number) =>
      ({ protocol: 'udp', ip: address.ip, announcedAddress: address.announced, port }) as const
    const isConnected = plan.rtcpMux && from !== null
    const ask = <T>(what: string, work: () => Promise<T>) => askWorker(what, limits.workerDeadlineMs, work)
    const transport = await ask(`Listening on port ${ports.rtp}`, () =>
      router.createPlainTransport({
        listenInfo: listen(ports.rtp),
        ...(ports.rtcp === null ? {} : { rtcpListenInfo: listen(ports.rtcp) }),
        rtcpMux: plan.rtcpMux,
        comedia: !isConnected,
        ...(plan.srtp === null ? {} : { enableSrtp: true, srtpCryptoSuite: plan.srtp.cryptoSuite }),
      }),
    )
    try {
      const srtpParameters =
        plan.srtp === null ? undefined : { cryptoSuite: plan.srtp.cryptoSuite, keyBase64: plan.srtp.key }
      if (isConnected || srtpParameters !== undefined) {
        const source = isConnected ? { ip: from?.ip, port: from?.port } : {}
        await ask('Connecting a source', () => transport.connect({ ...source, srtpParameters }))
      }
      const producer = await askWorker(
        `Producing ${plan.codec}`,
        limits.workerDeadlineMs,
        () => transport.produce({ kind: plan.kind, rtpParameters: rtpParametersOf(plan) }),
        'caller',
      )
      if (this.#closing.signal.aborted) return transport.close()
      this.#transport = transport
      this.#producer = producer
      this.#ourKey = transport.srtpParameters?.keyBase64 ?? ''
      this.#packets = 0
      this.#bytes = 0
      if (!this.#hasFlowed || this.#flowedAt === 0) this.#flowedAt = Date.now()
      if (plan.profileLevelId !== null) {
        inspectProfile(router, producer, found => this.#judgeProfile(plan.profileLevelId ?? '', found)).catch(
          error => logger.warn({ err: error }, 'media.profile_not_inspected'),
        )
      }
    } catch (error) {
      transport.close()
      throw error
    }
  }

  /** Answers whether what comes is as agreed. */
  #judgeProfile(promised: string, found: string): boolean {
    const [expected, actual] = [profileOf(promised), profileOf(found)]
    this.#profileProblem = isProfileWithin(actual, expected)
      ? null
      : this.#say(
          'PROFILE_MISMATCH',
          `H264 ${expected} (${promised}) was agreed, ${actual} (${found}) comes: not every viewer can decode it.`,
        )
    return this.#profileProblem === null
  }
}
