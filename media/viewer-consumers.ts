import type { types } from 'mediasoup'
import { AppError } from '../subgraphs/shared/errors.ts'
import type { ConsumerOffer, MediaJson, Sequenced, SessionSnapshot } from '../subgraphs/shared/media-port.ts'
import { parseRtpCapabilities } from './client-rtp.ts'
import type { Peer } from './peer.ts'
import type { RoomBranch } from './room-branch.ts'

/** What a viewer's consumers need of their room. */
export interface ViewedRoom {
  listProducers(): readonly types.Producer[]
  /** Sees that a producer can be consumed in a branch. */
  provide(producer: types.Producer, branch: RoomBranch): Promise<void>
  /** Whether another producer of this kind is there or will come by itself. */
  willReplace(kind: types.MediaKind): boolean
}

/** What one viewer consumes; follows the room's producers. */
export class ViewerConsumers {
  readonly #peer: Peer
  readonly #room: ViewedRoom
  readonly #consumers = new Map<string, types.Consumer>()
  /** Ids of consumers whose producer has gone and will be replaced. */
  #orphans: string[] = []
  #capabilities: types.RtpCapabilities | undefined

  constructor(peer: Peer, room: ViewedRoom) {
    this.#peer = peer
    this.#room = room
  }

  /** Offers what is there to a client with these capabilities; those of the first call stay. */
  consume(capabilities: MediaJson): Promise<Sequenced & { consumers: readonly ConsumerOffer[] }> {
    return this.#peer.call(async (transport, branch) => {
      const isFirst = this.#capabilities === undefined
      this.#capabilities ??= parseRtpCapabilities(capabilities)
      try {
        await this.#sync(transport, branch)
        if (this.#consumers.size === 0 && this.#room.listProducers().length > 0)
          throw new AppError('BAD_USER_INPUT', `The client can decode none of ${this.#describeCodecs()}.`)
      } catch (error) {
        if (isFirst) this.#capabilities = undefined
        throw error
      }
      this.#orphans = []
      return { ...this.#peer.next(), consumers: [...this.#consumers.values()].map(toOffer) }
    })
  }

  /** Follows the room after its producers have changed: news when that changes what is consumed. */
  async sync(): Promise<void> {
    if (this.#capabilities === undefined || this.#peer.isClosed) return
    await this.#peer.call(async (transport, branch) => {
      const offers = await this.#sync(transport, branch)
      if (offers.length === 0) return
      this.#peer.tell({
        type: 'ProducerReplaced',
        closedConsumerIds: this.#orphans.splice(0),
        consumers: offers,
      })
    })
  }

  /** Lets media flow. A consumer that flows already asks for a key frame once more. */
  resume(consumerId: string): Promise<Sequenced> {
    return this.#onConsumer(consumerId, async consumer => {
      if (consumer.paused) await this.#peer.ask('resumeConsumer', () => consumer.resume())
      else if (consumer.kind === 'video')
        await this.#peer.ask('resumeConsumer', () => consumer.requestKeyFrame())
    })
  }

  pause(consumerId: string): Promise<Sequenced> {
    return this.#onConsumer(consumerId, consumer => this.#peer.ask('pauseConsumer', () => consumer.pause()))
  }

  setPreferredLayers(consumerId: string, spatialLayer: number, temporalLayer?: number): Promise<Sequenced> {
    for (const layer of [spatialLayer, temporalLayer ?? 0]) {
      if (!Number.isInteger(layer) || layer < 0 || layer > 7)
        throw new AppError('BAD_USER_INPUT', `The layer ${layer} is not between 0 and 7.`)
    }
    return this.#onConsumer(consumerId, async consumer => {
      if (consumer.type !== 'simulcast' && consumer.type !== 'svc') return
      const layers = { spatialLayer, temporalLayer }
      await this.#peer.ask('setPreferredLayers', () => consumer.setPreferredLayers(layers))
    })
  }

  /** The consumers as they are now. */
  list(): SessionSnapshot['consumers'] {
    return [...this.#consumers.values()].map(consumer => ({
      ...toOffer(consumer),
      isPaused: consumer.paused,
      layers: toLayers(consumer.currentLayers),
      score: consumer.score.score,
    }))
  }

  #onConsumer(consumerId: string, work: (consumer: types.Consumer) => Promise<void>): Promise<Sequenced> {
    return this.#peer.call(async () => {
      const consumer = this.#consumers.get(consumerId)
      if (consumer === undefined) throw new AppError('NOT_FOUND', 'There is no such consumer.')
      try {
        await work(consumer)
      } catch (error) {
        if (consumer.closed) throw new AppError('NOT_FOUND', 'The consumer has closed.', { cause: error })
        throw error
      }
      return this.#peer.next()
    })
  }

  async #sync(transport: types.WebRtcTransport, branch: RoomBranch): Promise<ConsumerOffer[]> {
    const offers: ConsumerOffer[] = []
    for (const producer of this.#room.listProducers()) {
      const has = [...this.#consumers.values()].some(consumer => consumer.producerId === producer.id)
      if (has) continue
      try {
        const consumer = await this.#make(transport, branch, producer)
        if (consumer !== null) offers.push(toOffer(consumer))
      } catch (error) {
        // One that has closed meanwhile has a successor, whose turn comes.
        if (!producer.closed) throw error
      }
    }
    return offers
  }

  /** Null when the client cannot decode it. */
  async #make(
    transport: types.WebRtcTransport,
    branch: RoomBranch,
    producer: types.Producer,
  ): Promise<types.Consumer | null> {
    await this.#room.provide(producer, branch)
    const rtpCapabilities = this.#capabilities as types.RtpCapabilities
    const producerId = producer.id
    if (!branch.router.canConsume({ producerId, rtpCapabilities })) return null
    const consumer = await this.#peer.ask('consume', () =>
      transport.consume({ producerId, rtpCapabilities, paused: true }),
    )
    this.#consumers.set(consumer.id, consumer)
    consumer.observer.once('close', () => this.#consumers.delete(consumer.id))
    consumer.on('producerclose', () => {
      if (this.#room.willReplace(consumer.kind)) this.#orphans.push(consumer.id)
      else this.#peer.tell({ type: 'ConsumerClosed', consumerId: consumer.id })
    })
    consumer.on('layerschange', layers => {
      this.#peer.tell({ type: 'LayersChanged', consumerId: consumer.id, layers: toLayers(layers) })
    })
    consumer.on('score', ({ score, producerScore }) => {
      this.#peer.tell({ type: 'ScoreChanged', consumerId: consumer.id, score, producerScore })
    })
    return consumer
  }

  #describeCodecs(): string {
    const producers = this.#room.listProducers()
    return producers.map(producer => producer.rtpParameters.codecs[0]?.mimeType).join(', ')
  }
}

function toOffer({ id, producerId, kind, type, rtpParameters }: types.Consumer): ConsumerOffer {
  return { id, producerId, kind, type, rtpParameters: rtpParameters as unknown as MediaJson }
}

function toLayers(layers: types.ConsumerLayers | undefined) {
  if (layers === undefined) return null
  return { spatialLayer: layers.spatialLayer, temporalLayer: layers.temporalLayer ?? null }
}
