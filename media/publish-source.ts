import type { types } from 'mediasoup'
import type { IngestProblem } from '../subgraphs/shared/media-port.ts'
import { askWorker } from './ask-worker.ts'
import type { MediaLimits } from './media-limits.ts'
import type { RoomSource } from './room-source.ts'
import { countPackets, type SourceHealth, toBroadcastStats } from './source-health.ts'

/** A device that publishes by WebRTC: a browser, later WHIP. Its producers live on the transport of a publisher's session. */
export class PublishSource implements RoomSource {
  readonly kind = 'WEBRTC'
  readonly ingest = { kind: 'WEBRTC' } as const
  readonly isSelfHealing = false
  readonly #limits: Pick<MediaLimits, 'workerDeadlineMs' | 'silenceMs'>
  readonly #producers = new Map<types.MediaKind, types.Producer>()
  #packets = 0
  #flowedAt = 0

  constructor(limits: Pick<MediaLimits, 'workerDeadlineMs' | 'silenceMs'>) {
    this.#limits = limits
  }

  get videoCodec(): string | null {
    return this.#codecOf('video')
  }

  get audioCodec(): string | null {
    return this.#codecOf('audio')
  }

  /** Takes a track in; one of the same kind that is there closes. */
  add(producer: types.Producer): void {
    const former = this.#producers.get(producer.kind)
    this.#producers.set(producer.kind, producer)
    if (producer.kind === 'video' || !this.#producers.has('video')) this.#packets = 0
    producer.observer.once('close', () => {
      if (this.#producers.get(producer.kind) === producer) this.#producers.delete(producer.kind)
    })
    former?.close()
  }

  listProducers(): readonly types.Producer[] {
    return [...this.#producers.values()].filter(producer => !producer.closed)
  }

  /** The publisher comes by itself. */
  async open(): Promise<void> {}

  async poll(now = Date.now()): Promise<SourceHealth> {
    const producer = this.#producers.get('video') ?? this.#producers.get('audio')
    if (producer === undefined) return this.#silent('No one is publishing.')
    const stats = await askWorker('Reading a producer', this.#limits.workerDeadlineMs, () =>
      producer.getStats(),
    )
    const packets = countPackets(stats)
    if (packets !== this.#packets) {
      this.#packets = packets
      this.#flowedAt = now
    }
    if (now - this.#flowedAt >= this.#limits.silenceMs)
      return this.#silent(`The publisher has sent nothing for ${now - this.#flowedAt} ms.`, producer.kind)
    const sample = toBroadcastStats(stats, producer.kind === 'video' ? 90_000 : 48_000)
    return { isFlowing: true, isAsAgreed: true, problem: null, stats: sample }
  }

  close(): void {
    for (const producer of this.#producers.values()) producer.close()
  }

  #silent(message: string, kind: IngestProblem['kind'] = 'video'): SourceHealth {
    return { isFlowing: false, isAsAgreed: true, problem: { code: 'SILENCE', kind, message }, stats: null }
  }

  #codecOf(kind: types.MediaKind): string | null {
    const mimeType = this.#producers.get(kind)?.rtpParameters.codecs[0]?.mimeType
    return mimeType === undefined ? null : mimeType.slice(mimeType.indexOf('/') + 1).toUpperCase()
  }
}
