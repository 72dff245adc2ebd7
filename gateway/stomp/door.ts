import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { withDeadline } from '../../subgraphs/shared/deadline.ts'
import type { DeviceAuthenticator } from '../../subgraphs/shared/device-directory.ts'
import { AppError } from '../../subgraphs/shared/errors.ts'
import type { Closable } from '../../subgraphs/shared/lifecycle.ts'
import type { Logger } from '../../subgraphs/shared/logger.ts'
import type { Metrics } from '../../subgraphs/shared/metrics.ts'
import type { RightsWatch } from '../../subgraphs/shared/permissions/rights-watch.ts'
import { createConnectAdmission } from './connect-admission.ts'
import { createDeviceCalls, type DeviceCallHandlers } from './device-calls.ts'
import { createDeviceSessions } from './device-sessions.ts'
import { DEFAULT_DOOR_LIMITS, type DoorLimits } from './door-limits.ts'
import { createDoorMetrics } from './door-metrics.ts'
import type { DeviceMailboxReader, IngestAppender, LogPressure, PresenceRegistry } from './door-ports.ts'
import { startLiveRights } from './live-rights.ts'
import { createBoundedLog } from './log-bound.ts'
import { createRisingIds } from './rising-ids.ts'
import { type SessionDoor, type SessionEnd, StompSession } from './session.ts'
import { createStompRoutes } from './stomp-routes.ts'
import { createTimerWheel } from './timer-wheel.ts'
import type { Transport } from './transport.ts'

/** What the door works with. */
export interface StompDoorOptions {
  readonly authenticator: DeviceAuthenticator
  readonly appender: IngestAppender
  /** Who answers what devices ask for. Default: nobody. */
  readonly callHandlers?: DeviceCallHandlers
  readonly presence: PresenceRegistry
  readonly mailbox: DeviceMailboxReader
  readonly pressure: LogPressure
  /** Tells of devices that may be here no more. */
  readonly watch: Pick<RightsWatch, 'onChange'>
  readonly logger: Logger
  readonly metrics: Metrics
  readonly limits?: Partial<DoorLimits>
  /** Which pages may open connections from a browser. Default: all, as no cookie is ever looked at. */
  readonly isOriginAllowed?: (origin: string) => boolean
  readonly now?: () => number
}

/** The door of the devices: everything under `/stomp`, whoever listens. */
export interface StompDoor extends Closable {
  /** Takes a WebSocket upgrade whose path is under `/stomp`; others get 404. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Answers an HTTP request whose path is under `/stomp`; others get 404. */
  handleRequest(request: IncomingMessage, response: ServerResponse): void
  stats(): { readonly connections: number; readonly devices: number; readonly isPaused: boolean }
}

const elapsed = () => performance.now()

/**
 * Creates the STOMP door.
 *
 * While the ingest log is near its bound, or more bodies are in flight than may be, no socket is read and no
 * deadline of a device runs. Disposing takes no new connections, closes those there are with 1001 once what they
 * sent is durable or the deadline has passed, and dates each device's offline at its last life sign.
 */
export function createStompDoor(options: StompDoorOptions): StompDoor {
  const { authenticator, appender, presence, mailbox, pressure, watch, logger, now = Date.now } = options
  const limits: DoorLimits = { ...DEFAULT_DOOR_LIMITS, ...options.limits }
  const metrics = createDoorMetrics(options.metrics)
  const log = createBoundedLog(logger, now, limits.maxErrorLinesPerSecond)
  const wheel = createTimerWheel({ now: elapsed })
  const sessions = new Set<StompSession>()
  const disconnects = new Set<Promise<void>>()
  let toFlush: StompSession[] = []
  let inFlightBytes = 0
  let inFlightItems = 0
  let isOverInFlight = false
  let isPaused = false
  let isClosing = false
  let closing: Promise<void> | undefined
  let noteIdle: (() => void) | undefined

  const rights = startLiveRights({
    ...{ watch, authenticator, sessions, logger, metrics },
    recheckIntervalMs: limits.recheckIntervalMs,
  })
  const devices = createDeviceSessions({ presence, now, disconnect })

  function disconnect(deviceId: string, generation: number, at: number): void {
    const work = presence
      .disconnect(deviceId, generation, at)
      .catch((error: unknown) => log.warn({ deviceId, err: error }, 'stomp.disconnect_failed'))
      .finally(() => disconnects.delete(work))
    disconnects.add(work)
  }

  function updatePause(): void {
    const shouldPause = pressure.isHigh || isOverInFlight
    if (shouldPause === isPaused) return
    isPaused = shouldPause
    metrics.paused.set(isPaused ? 1 : 0)
    if (isPaused) presence.suspend()
    else presence.resume()
    logger.info({ isPaused, logIsHigh: pressure.isHigh, inFlightBytes }, 'stomp.reading_changed')
    for (const session of sessions) session.updateReading()
  }

  function flushAll(): void {
    const turn = toFlush
    toFlush = []
    for (const session of turn) session.flush()
  }

  function ended(session: StompSession, { reason, error }: SessionEnd): void {
    sessions.delete(session)
    metrics.connections.dec({ transport: session.transportKind })
    const claim = devices.remove(session)
    metrics.devices.set(devices.size)
    if (claim !== undefined && reason !== 'taken-over')
      disconnect(claim.deviceId, claim.generation, session.lastSignAt)
    if (error !== undefined) {
      metrics.sessionErrors.inc({ code: error.code })
      const { code, message: detail, cause } = error
      const fields = { deviceId: claim?.deviceId, code, detail, err: cause, transport: session.transportKind }
      log.warn(fields, 'stomp.session_error')
    }
  }

  const sessionDoor: SessionDoor = {
    authenticator,
    appender,
    calls: createDeviceCalls({ handlers: options.callHandlers ?? {}, limits, metrics, log }),
    limits,
    metrics,
    wheel,
    now,
    elapsed,
    admission: createConnectAdmission({
      maxConnecting: limits.maxConnecting,
      maxWaiting: limits.maxWaitingConnects,
      retryAfterMs: limits.retryAfterMs,
      metrics,
      elapsed,
    }),
    get rightsVersion() {
      return rights.version
    },
    ids: createRisingIds(),
    get isPaused() {
      return isPaused || isClosing
    },
    async begin(session, device, toleranceMs) {
      const generation = await devices.begin(session, device, toleranceMs)
      metrics.devices.set(devices.size)
      return generation
    },
    touch: (deviceId, generation, at) => presence.touch(deviceId, generation, at),
    addInFlight(items, bytes) {
      inFlightItems += items
      inFlightBytes += bytes
      metrics.inFlightItems.set(inFlightItems)
      metrics.inFlightBytes.set(inFlightBytes)
      if (inFlightItems === 0) noteIdle?.()
      // Once over, until half of it is durable, so that reading does not flutter.
      const share = isOverInFlight ? 0.5 : 1
      const isOver =
        inFlightBytes > limits.maxInFlightBytes * share || inFlightItems > limits.maxInFlightItems * share
      if (isOver === isOverInFlight) return
      isOverInFlight = isOver
      updatePause()
    },
    flushLater(session) {
      if (toFlush.push(session) === 1) setImmediate(flushAll)
    },
    ended,
  }

  function accept(transport: Transport): StompSession {
    metrics.connections.inc({ transport: transport.kind })
    const session = new StompSession(transport, sessionDoor)
    sessions.add(session)
    return session
  }

  const routes = createStompRoutes({
    accept,
    limits,
    wheel,
    isFull: () => isClosing || sessions.size >= limits.maxSessions,
    isOriginAllowed: options.isOriginAllowed ?? (() => true),
  })

  mailbox.onMessage(message => {
    if (message.kind === 'take-over') devices.takeOver(message.deviceId, message.generation)
    else devices.find(message.deviceId)?.deliver(message.queue, message.body, message.correlationId)
  })
  pressure.onChange(updatePause)
  updatePause()

  async function close(): Promise<void> {
    // What was read is finished and receipted first, so that few devices send anything twice.
    isClosing = true
    const rightsClosed = rights[Symbol.asyncDispose]()
    for (const session of sessions) session.updateReading()
    await settle('Appends in flight', () => (inFlightItems === 0 ? undefined : idle()))
    flushAll()
    for (const session of sessions) session.closeDoor()
    await routes[Symbol.asyncDispose]()
    await settle('Presence and rights', () => Promise.all([...disconnects, rightsClosed]))
    wheel[Symbol.dispose]()
  }

  function idle(): Promise<void> {
    return new Promise(resolve => {
      noteIdle = resolve
    })
  }

  async function settle(what: string, work: () => Promise<unknown> | undefined): Promise<void> {
    try {
      await withDeadline(what, limits.closeDeadlineMs, async () => work())
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      logger.error({ what, inFlightItems, disconnects: disconnects.size }, 'stomp.close_late')
    }
  }

  return {
    handleUpgrade: routes.handleUpgrade,
    handleRequest: routes.handleRequest,
    stats: () => ({ connections: sessions.size, devices: devices.size, isPaused }),
    [Symbol.asyncDispose]() {
      closing ??= close()
      return closing
    },
  }
}
