import { batch, type ReadonlySignal, signal } from '@preact/signals'
import type { types } from 'mediasoup-client'
import { followLive } from '../../../graphql/live.ts'
import type { SessionEndReason } from '../../../graphql/schema-types.generated.ts'
import {
  ConnectBroadcastDocument,
  ConsumeBroadcastDocument,
  JoinBroadcastDocument,
  LeaveBroadcastDocument,
  type OfferedConsumerFragment,
  PreferLayersDocument,
  RestartIceDocument,
  ResumeConsumerDocument,
  SignalingDocument,
  type SignalingSubscription,
} from './video.generated.ts'
import { callSignaling, SignalingError } from './viewer-calls.ts'
import { createStatsReader, type ViewerStats } from './viewer-stats.ts'

/** How far a viewer is. `off`: the device does not broadcast. `replaced`: the same person watches elsewhere. */
export type ViewerState =
  | 'joining'
  | 'waiting'
  | 'playing'
  | 'reconnecting'
  | 'off'
  | 'replaced'
  | 'forbidden'
  | 'unsupported'
  | 'closed'

/** Someone who watches a device. */
export interface Viewer {
  readonly state: ReadonlySignal<ViewerState>
  /** Its picture and sound; another one whenever tracks come or go. */
  readonly stream: ReadonlySignal<MediaStream | null>
  readonly stats: ReadonlySignal<ViewerStats | undefined>
  /** Spatial layers to choose from, when there is more than one; and the one that is sent. */
  readonly layers: ReadonlySignal<{ readonly count: number; readonly current: number | null }>
  /** Asks for no more than this spatial layer, counted from 0. */
  preferLayer(spatialLayer: number): Promise<void>
  close(): void
}

interface Session {
  readonly id: string
  readonly device: types.Device
  readonly transport: types.Transport
  readonly consumers: Map<string, types.Consumer>
  unfollow: (() => void) | undefined
  /** Offers are taken one after the other: the same may come by a reply and by news. */
  tail: Promise<void>
}

const STATS_MS = 1_000

/** A network that changes often comes back by itself. */
const RESTART_AFTER_MS = 2_000

/** A transport that is not back by then is given up for a new session. */
const GIVE_UP_MS = 10_000

const MAX_WAIT_MS = 10_000

/** After these a viewer does not come again by itself. */
const FINAL: Partial<Record<SessionEndReason, ViewerState>> = {
  LEFT: 'closed',
  REPLACED: 'replaced',
  RIGHTS_ENDED: 'forbidden',
  BROADCAST_ENDED: 'off',
}

/**
 * Watches a device until it is closed. It survives lost networks (by an ICE restart), dead workers, restarts of the product
 * (by joining again) and cameras that are replaced (by taking their new tracks).
 */
export function openViewer(deviceId: string): Viewer {
  const state = signal<ViewerState>('joining')
  const stream = signal<MediaStream | null>(null)
  const stats = signal<ViewerStats>()
  const layers = signal<{ count: number; current: number | null }>({ count: 1, current: null })
  /** Tells tabs of one person apart: each may watch. */
  const clientId = crypto.randomUUID()
  let session: Session | undefined
  let readStats = createStatsReader()
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let isClosed = false

  async function join(): Promise<void> {
    try {
      const { Device } = await import('mediasoup-client')
      const { joinBroadcast } = await callSignaling(JoinBroadcastDocument, { input: { deviceId, clientId } })
      const joined = joinBroadcast.session
      if (joined === null) throw new SignalingError('UNAVAILABLE', 'No session.')
      if (isClosed) return leave(joined.id)
      const device = new Device()
      await device.load({ routerRtpCapabilities: joined.routerRtpCapabilities as never })
      const { id, iceParameters, iceCandidates, dtlsParameters } = joined.transport
      const transport = device.createRecvTransport({
        ...{ id, iceParameters, iceCandidates, dtlsParameters, iceServers: joined.iceServers },
      } as never)
      const opened: Session = {
        ...{ id: joined.id, device, transport, consumers: new Map() },
        ...{ unfollow: undefined, tail: Promise.resolve() },
      }
      session = opened
      readStats = createStatsReader()
      transport.on('connect', ({ dtlsParameters: own }, done, failed) => {
        callSignaling(ConnectBroadcastDocument, {
          input: { sessionId: opened.id, dtlsParameters: own as never },
        }).then(() => done(), failed)
      })
      transport.on('connectionstatechange', change => onConnection(opened, change))
      opened.unfollow = followLive(
        SignalingDocument,
        { sessionId: opened.id },
        {
          onEvent: ({ signaling }) => void take(opened, signaling).catch(() => again(opened)),
          onLoad: () => {},
          onError: () => again(opened),
        },
      )
      const { consumeBroadcast } = await callSignaling(ConsumeBroadcastDocument, {
        input: { sessionId: opened.id, rtpCapabilities: device.recvRtpCapabilities as never },
      })
      await consume(opened, consumeBroadcast.consumers ?? [])
      failures = 0
    } catch (error) {
      fail(error)
    }
  }

  function fail(error: unknown): void {
    if (isClosed) return
    const code = error instanceof SignalingError ? error.code : undefined
    const isUnsupported =
      code === 'BAD_USER_INPUT' || (error instanceof Error && error.name === 'UnsupportedError')
    if (code === 'CONFLICT') end('off')
    else if (code === 'NOT_FOUND' || code === 'FORBIDDEN') end('forbidden')
    else if (isUnsupported) end('unsupported')
    else again(session)
  }

  function consume(of: Session, offers: readonly OfferedConsumerFragment[]): Promise<void> {
    const taken = of.tail.then(() => consumeNow(of, offers))
    of.tail = taken.catch(() => {})
    return taken
  }

  async function consumeNow(of: Session, offers: readonly OfferedConsumerFragment[]): Promise<void> {
    for (const { id, producerId, kind, rtpParameters, type } of offers) {
      if (of.consumers.has(id) || of !== session) continue
      const consumer = await of.transport.consume({ id, producerId, kind, rtpParameters } as never)
      of.consumers.set(id, consumer)
      if (kind === 'video') layers.value = { count: countLayers(rtpParameters, type), current: null }
    }
    show(of)
    for (const { id } of offers)
      await callSignaling(ResumeConsumerDocument, { input: { sessionId: of.id, consumerId: id } })
  }

  function drop(of: Session, consumerId: string): void {
    of.consumers.get(consumerId)?.close()
    of.consumers.delete(consumerId)
  }

  function show(of: Session): void {
    if (of !== session) return
    const tracks = [...of.consumers.values()].map(({ track }) => track)
    batch(() => {
      stream.value = tracks.length === 0 ? null : new MediaStream(tracks)
      state.value = tracks.length === 0 ? 'waiting' : 'playing'
    })
  }

  async function take(of: Session, news: SignalingSubscription['signaling']): Promise<void> {
    if (of !== session) return
    switch (news.__typename) {
      case 'SignalingSnapshot': {
        const ids = new Set(news.consumers.map(({ consumer }) => consumer.id))
        for (const id of of.consumers.keys()) if (!ids.has(id) && ids.size > 0) drop(of, id)
        return consume(
          of,
          news.consumers.map(({ consumer }) => consumer),
        )
      }
      case 'ConsumerClosed':
        drop(of, news.consumerId)
        return show(of)
      case 'ProducerReplaced':
        for (const id of news.closedConsumerIds) drop(of, id)
        return consume(of, news.consumers)
      case 'LayersChanged':
        layers.value = { ...layers.peek(), current: news.layers?.spatialLayer ?? null }
        return
      case 'SessionEnded': {
        const final = FINAL[news.reason]
        return final === undefined ? again(of) : end(final)
      }
    }
  }

  function onConnection(of: Session, change: string): void {
    if (of !== session) return
    if (change === 'connected') {
      clearTimeout(timer)
      timer = undefined
      show(of)
    } else if (change === 'disconnected' || change === 'failed') {
      if (timer !== undefined) return
      state.value = 'reconnecting'
      timer = setTimeout(() => void restart(of), change === 'failed' ? 0 : RESTART_AFTER_MS)
    }
  }

  async function restart(of: Session): Promise<void> {
    timer = setTimeout(() => again(of), GIVE_UP_MS)
    try {
      const { restartIce } = await callSignaling(RestartIceDocument, { input: { sessionId: of.id } })
      await of.transport.restartIce({ iceParameters: restartIce.iceParameters as never })
    } catch {
      again(of)
    }
  }

  /** Joins anew, after a while that grows. */
  function again(of: Session | undefined): void {
    if (isClosed || of !== session) return
    release()
    state.value = 'reconnecting'
    const most = Math.min(MAX_WAIT_MS, 300 * 2 ** Math.min(failures++, 10))
    clearTimeout(timer)
    timer = setTimeout(
      () => {
        timer = undefined
        void join()
      },
      most / 2 + (Math.random() * most) / 2,
    )
  }

  function release(): void {
    const old = session
    session = undefined
    if (old === undefined) return
    old.unfollow?.()
    old.transport.close()
    leave(old.id)
  }

  function end(as: ViewerState): void {
    release()
    clearTimeout(timer)
    batch(() => {
      stream.value = null
      stats.value = undefined
      state.value = as
    })
  }

  const sampling = setInterval(async () => {
    const of = session
    if (of === undefined || of.transport.closed) return
    const report = await of.transport.getStats().catch(() => undefined)
    if (report !== undefined && of === session) stats.value = readStats(report, performance.now())
  }, STATS_MS)

  void join()
  return {
    ...{ state, stream, stats, layers },
    async preferLayer(spatialLayer) {
      const of = session
      const consumer = [...(of?.consumers.values() ?? [])].find(({ kind }) => kind === 'video')
      if (of === undefined || consumer === undefined) return
      await callSignaling(PreferLayersDocument, {
        input: { sessionId: of.id, consumerId: consumer.id, spatialLayer },
      })
    },
    close() {
      if (isClosed) return
      isClosed = true
      clearInterval(sampling)
      end('closed')
    },
  }
}

/** What has not been left by then ends by itself. */
function leave(sessionId: string): void {
  void callSignaling(LeaveBroadcastDocument, { input: { sessionId } }).catch(() => {})
}

function countLayers(rtpParameters: Readonly<Record<string, unknown>>, type: string): number {
  if (type === 'simple') return 1
  const [encoding] = (rtpParameters.encodings ?? []) as { scalabilityMode?: string }[]
  return Number(/^[LS](\d)/.exec(encoding?.scalabilityMode ?? '')?.[1] ?? 1)
}
