import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { AppError, toAppError } from '../subgraphs/shared/errors.ts'
import type { Logger } from '../subgraphs/shared/logger.ts'
import type { MediaEvent, MediaPort } from '../subgraphs/shared/media-port.ts'
import type { PortBlock } from '../subgraphs/shared/media-settings.ts'
import type { Metrics } from '../subgraphs/shared/metrics.ts'
import type { TurnConfig } from './ice-servers.ts'
import { type MediaAddress, pairAddresses } from './media-address.ts'
import { DEFAULT_MEDIA_LIMITS, type MediaLimits } from './media-limits.ts'
import { createMediaMetrics } from './media-metrics.ts'
import { MediaNews } from './media-news.ts'
import type { Peer } from './peer.ts'
import { PortLeases } from './port-leases.ts'
import { Room } from './room.ts'
import { startPool } from './start-pool.ts'

export interface MediaOptions {
  /** Workers; one for every two cores when missing, at least one. */
  readonly workerCount?: number
  /** Addresses to listen on; devices send to the first. */
  readonly listen: readonly string[]
  /** What clients are told instead, one for each family of addresses, or a name. */
  readonly announced: readonly string[]
  /** Ports: the first ones are the workers', for viewers; the others for devices. Null takes a free block. */
  readonly ports: PortBlock | null
  readonly turn: TurnConfig | null
  readonly limits?: Partial<MediaLimits>
  readonly logger: Logger
  readonly metrics: Metrics
}

/** What the workers have open. */
export interface MediaCount {
  readonly transports: number
  readonly routers: number
  readonly workers: readonly { readonly pid: number; readonly port: number }[]
}

/** Media of this process. */
export interface Media extends MediaPort {
  /** The ports in use. */
  readonly ports: PortBlock
  /** Whether a worker is there. */
  isReady(): boolean
  /** What the workers themselves have open: for tests, and to find what was left behind. */
  count(): Promise<MediaCount>
  /** Ends all broadcasts and sessions, and the workers. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts media: its workers listen when it resolves. Rejects with an Error that names the setting at fault when they
 * cannot.
 */
export async function createMedia(options: MediaOptions): Promise<Media> {
  const { logger } = options
  const limits = { ...DEFAULT_MEDIA_LIMITS, ...options.limits }
  const metrics = createMediaMetrics(options.metrics)
  const count = options.workerCount ?? Math.max(1, Math.floor(availableParallelism() / 2))
  const addresses = pairAddresses(options.listen, options.announced)
  const { pool, ports } = await startPool({ count, addresses, ports: options.ports, limits, logger, metrics })
  const leases = new PortLeases({ first: ports.first + count, last: ports.last })
  const news = new MediaNews()
  const rooms = new Map<string, Room>()
  const sessions = new Map<string, { readonly peer: Peer; readonly room: Room }>()
  const nodeId = randomUUID()
  let isClosing = false

  function makeRoom(deviceId: string): Room {
    if (rooms.size >= limits.maxRooms)
      throw new AppError('UNAVAILABLE', `${limits.maxRooms} devices are broadcasting already.`)
    const room = new Room({
      deviceId,
      pool,
      leases,
      address: addresses[0] as MediaAddress,
      turn: options.turn,
      limits,
      news,
      metrics,
      logger,
      onClosed: closed => {
        if (rooms.get(deviceId) === closed) rooms.delete(deviceId)
        metrics.ports.set(leases.taken)
      },
      onPeerClosed: peer => sessions.delete(peer.sessionId),
    })
    rooms.set(deviceId, room)
    return room
  }

  function getRoom(deviceId: string): Room {
    const room = rooms.get(deviceId)
    if (room === undefined) throw new AppError('NOT_FOUND', 'The device is not broadcasting.')
    return room
  }

  function getSession(sessionId: string) {
    const session = sessions.get(sessionId)
    if (session === undefined) throw new AppError('NOT_FOUND', 'There is no such session.')
    return session
  }

  async function letIn(deviceId: string, sessionId: string, role: 'viewer' | 'publisher', replaces?: string) {
    requireRunning()
    if (sessions.has(sessionId)) throw new AppError('CONFLICT', 'The session is there already.')
    if (sessions.size >= limits.maxSessions)
      throw new AppError('UNAVAILABLE', `${limits.maxSessions} sessions are open already.`)
    const room = getRoom(deviceId)
    const peer = room.admit(sessionId, role)
    sessions.set(sessionId, { peer, room })
    try {
      const joined = await peer.open()
      if (replaces !== undefined && replaces !== sessionId) sessions.get(replaces)?.peer.close('REPLACED')
      return joined
    } catch (error) {
      peer.close('LEFT')
      throw error
    }
  }

  function requireRunning(): void {
    if (isClosing) throw new AppError('UNAVAILABLE', 'Media is stopping.')
  }

  /** Counts a call's time and its failures. */
  async function counted<T>(call: string, work: () => Promise<T>): Promise<T> {
    const stop = metrics.callSeconds.startTimer({ call })
    try {
      return await work()
    } catch (error) {
      const { code } = toAppError(error)
      metrics.refusals.inc({ call, code })
      throw error
    } finally {
      stop()
    }
  }

  const withSession = <T>(
    call: string,
    sessionId: string,
    work: (session: { peer: Peer; room: Room }) => Promise<T>,
  ) => counted(call, async () => await work(getSession(sessionId)))

  return {
    ports,
    isReady: () => pool.workers.length > 0,
    async count() {
      const { workers } = pool
      const [transports, routers] = await Promise.all([
        Promise.all(workers.map(worker => worker.countTransports())),
        Promise.all(workers.map(worker => worker.countRouters())),
      ])
      return {
        transports: sum(transports),
        routers: sum(routers),
        workers: workers.map(({ pid, port }) => ({ pid, port })),
      }
    },
    openBroadcast: ({ deviceId, broadcastId, ingest }) =>
      counted('openBroadcast', async () => {
        requireRunning()
        const known = rooms.get(deviceId)
        const room = known ?? makeRoom(deviceId)
        try {
          return await room.open(broadcastId, ingest)
        } catch (error) {
          if (known === undefined) room.close('BROADCAST_ENDED')
          throw error
        } finally {
          metrics.ports.set(leases.taken)
        }
      }),
    async closeBroadcast({ deviceId, broadcastId }) {
      const room = rooms.get(deviceId)
      if (broadcastId === undefined || room?.state.broadcastId === broadcastId) room?.close('BROADCAST_ENDED')
    },
    async findBroadcast({ deviceId }) {
      return rooms.get(deviceId)?.state ?? null
    },
    join: ({ deviceId, sessionId, replaces }) =>
      counted('join', () => letIn(deviceId, sessionId, 'viewer', replaces)),
    publish: ({ deviceId, sessionId }) => counted('publish', () => letIn(deviceId, sessionId, 'publisher')),
    connect: ({ sessionId, dtlsParameters }) =>
      withSession('connect', sessionId, ({ peer }) => peer.connect(dtlsParameters)),
    produce: ({ sessionId, kind, rtpParameters }) =>
      withSession('produce', sessionId, ({ peer, room }) => room.produce(peer, kind, rtpParameters)),
    consume: ({ sessionId, rtpCapabilities }) =>
      withSession('consume', sessionId, ({ peer, room }) => room.consumersOf(peer).consume(rtpCapabilities)),
    resumeConsumer: ({ sessionId, consumerId }) =>
      withSession('resumeConsumer', sessionId, ({ peer, room }) => room.consumersOf(peer).resume(consumerId)),
    pauseConsumer: ({ sessionId, consumerId }) =>
      withSession('pauseConsumer', sessionId, ({ peer, room }) => room.consumersOf(peer).pause(consumerId)),
    setPreferredLayers: ({ sessionId, consumerId, spatialLayer, temporalLayer }) =>
      withSession('setPreferredLayers', sessionId, ({ peer, room }) =>
        room.consumersOf(peer).setPreferredLayers(consumerId, spatialLayer, temporalLayer),
      ),
    restartIce: ({ sessionId }) => withSession('restartIce', sessionId, ({ peer }) => peer.restartIce()),
    async leave({ sessionId, reason = 'LEFT' }) {
      sessions.get(sessionId)?.peer.close(reason)
    },
    async snapshotSession({ sessionId }) {
      const { peer, room } = getSession(sessionId)
      const { deviceId, role, isConnected, seq } = peer
      const consumers = role === 'viewer' ? room.consumersOf(peer).list() : []
      return { sessionId, deviceId, role, broadcast: room.state, isConnected, consumers, seq }
    },
    listen(listener) {
      const broadcasts = [...rooms.values()].map(room => room.state).filter(state => state.broadcastId !== '')
      const present = [...sessions].map(([sessionId, { peer }]) => ({ sessionId, deviceId: peer.deviceId }))
      listener({ type: 'Snapshot', nodeId, broadcasts, sessions: present } satisfies MediaEvent)
      return news.add(listener)
    },
    async [Symbol.asyncDispose]() {
      isClosing = true
      for (const room of [...rooms.values()]) room.close('CLOSING')
      await pool.close()
    },
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
