import type { DeviceCall, DeviceErrors, DeviceQueue } from '../../schema/device-message.ts'
import { withDeadline } from '../../subgraphs/shared/deadline.ts'
import type {
  DeviceAuthenticator,
  DeviceIdentity,
  ProvenDevice,
} from '../../subgraphs/shared/device-directory.ts'
import { type AppError, ERROR_CODES, type ErrorCode, toAppError } from '../../subgraphs/shared/errors.ts'
import type { ConnectAdmission } from './connect-admission.ts'
import { type DeviceCalls, isDeviceCall } from './device-calls.ts'
import type { DoorLimits } from './door-limits.ts'
import { commandLabel, type DoorMetrics } from './door-metrics.ts'
import type { IngestAppender } from './door-ports.ts'
import { asWritten, ProtocolError, type StompFrame, type StompVersion, serializeFrame } from './frame.ts'
import { FrameParser } from './frame-parser.ts'
import { authenticate, type Handshake, readHandshake } from './handshake.ts'
import type { HeartBeat } from './heart-beat.ts'
import type { WatchedSession } from './live-rights.ts'
import { isDeviceDestination, takeMessage } from './message-intake.ts'
import { createOutgoingFrames, type OutgoingFrames } from './outgoing-frames.ts'
import { createReceiptOrder, type PendingFrame } from './receipt-order.ts'
import type { RisingIds } from './rising-ids.ts'
import { createSessionDeadlines, type SessionDeadlines } from './session-deadlines.ts'
import { type Correlation, createSubscriptions, type Subscriptions } from './subscriptions.ts'
import type { TimerWheel, WheelEntry } from './timer-wheel.ts'
import type { Transport, TransportListener } from './transport.ts'

/** What a session needs of its door. */
export interface SessionDoor {
  readonly authenticator: DeviceAuthenticator
  readonly appender: IngestAppender
  readonly calls: DeviceCalls
  readonly limits: DoorLimits
  readonly metrics: DoorMetrics
  readonly ids: RisingIds
  readonly wheel: TimerWheel
  readonly now: () => number
  /** Milliseconds that only go forwards, for deadlines: the clock of the wall may be set. */
  readonly elapsed: () => number
  readonly admission: ConnectAdmission
  /** Rises when what was checked before may hold no more. */
  readonly rightsVersion: number
  /** The door does not read now. */
  readonly isPaused: boolean
  /** Makes this the device's session; older ones here and elsewhere end. Rejects UNAVAILABLE. */
  begin(session: StompSession, device: DeviceIdentity, toleranceMs: number): Promise<number>
  /** A life sign of a connected session. */
  touch(deviceId: string, generation: number, at: number): void
  /** Items on their way to the ingest log, and the bytes of their body: more (positive) or fewer. */
  addInFlight(items: number, bytes: number): void
  /** Calls `flush` of the session at the end of this turn of the event loop. */
  flushLater(session: StompSession): void
  /** Called once, when the session is over. */
  ended(session: StompSession, end: SessionEnd): void
}

/** Why a session is over. */
export interface SessionEnd {
  readonly reason:
    | 'disconnect'
    | 'connection-lost'
    | 'error'
    | 'taken-over'
    | 'revoked'
    | 'slow-reader'
    | 'door-closing'
  readonly error?: AppError
}

type State = 'opened' | 'connecting' | 'connected' | 'leaving' | 'closed'

/**
 * A device's session over one transport (STOMP 1.0, 1.1, 1.2).
 *
 * - RECEIPT of a SEND means that the frame was dealt with and everything it held that was acceptable is durable. Bad
 *   items are answered before it on `/user/queue/errors`; a body of which nothing was acceptable still gets RECEIPT.
 * - RECEIPTs leave in the order of their frames.
 * - Whatever breaks the protocol gets one ERROR frame, with `receipt-id` when the frame had a receipt, and the
 *   session ends. So does an append that failed (UNAVAILABLE, with `retry-after-ms`): what has no RECEIPT by then
 *   is to be sent again.
 */
export class StompSession implements TransportListener, WheelEntry, WatchedSession {
  readonly #transport: Transport
  readonly #door: SessionDoor
  readonly #parser: FrameParser
  readonly #deadlines: SessionDeadlines
  readonly #outgoing: OutgoingFrames
  readonly #receipts = createReceiptOrder(id => this.#answerReceipt(id))
  #state: State = 'opened'
  #version: StompVersion = '1.2'
  #heartBeat: HeartBeat | undefined
  /** Found good at CONNECT; from CONNECTED on a life sign is told of it. */
  #device: ProvenDevice | undefined
  #generation = 0
  #subscriptions: Subscriptions | undefined
  /** Frames that came before CONNECTED was answered, with copies of their bodies. */
  #held: StompFrame[] = []
  #heldBytes = 0
  #lastSignAt: number

  constructor(transport: Transport, door: SessionDoor) {
    this.#transport = transport
    this.#door = door
    this.#parser = new FrameParser(door.limits.frame)
    this.#lastSignAt = door.now()
    this.#deadlines = createSessionDeadlines(door.elapsed())
    this.#outgoing = createOutgoingFrames({
      transport,
      maxUnsentBytes: door.limits.maxUnsentBytes,
      elapsed: door.elapsed,
      flushLater: () => door.flushLater(this),
      onOverflow: () => this.#drop(),
    })
    door.wheel.schedule(this, door.limits.connectDeadlineMs)
    this.updateReading()
  }

  get isClosed(): boolean {
    return this.#state === 'closed'
  }

  /** Epoch ms of the last bytes from the device. */
  get lastSignAt(): number {
    return this.#lastSignAt
  }

  get device(): ProvenDevice | undefined {
    return this.#device
  }

  get transportKind(): Transport['kind'] {
    return this.#transport.kind
  }

  /** Takes what the device sent, cut anyhow. Never throws. */
  receive(chunk: Buffer): void {
    if (this.#state === 'closed') return
    this.#lastSignAt = this.#door.now()
    this.#deadlines.heard(this.#door.elapsed())
    if (this.#device !== undefined && this.#heartBeat !== undefined)
      this.#door.touch(this.#device.deviceId, this.#generation, this.#lastSignAt)
    try {
      this.#parser.feed(chunk, frame => this.#take(frame))
    } catch (error) {
      this.fail(toAppError(error))
    }
  }

  /** The connection is gone. */
  end(): void {
    this.#finish({ reason: 'connection-lost' })
  }

  /** Sends a message to the device's subscriptions of a queue; without one it is counted and dropped. */
  deliver(queue: DeviceQueue, body: unknown, correlationId?: string): void {
    this.#deliver(queue, body, { id: correlationId })
  }

  /** Ends this session in favour of a newer one of the same device. */
  takeOver(): void {
    const error = new ProtocolError('A newer session of this device has taken over.', 'CONFLICT')
    this.fail(error, undefined, 'taken-over')
  }

  revoke(): void {
    const error = new ProtocolError('What this device has shown lets it in no more.', 'UNAUTHENTICATED')
    this.fail(error, undefined, 'revoked')
  }

  /** Ends the session with ERROR. */
  fail(error: AppError, receiptId?: string, reason: SessionEnd['reason'] = 'error'): void {
    if (this.#state === 'closed') return
    const { stomp, closeCode } = ERROR_CODES[error.code]
    const headers = {
      message: stomp,
      code: error.code,
      'content-type': 'text/plain',
      'retry-after-ms': isTemporary(error.code) ? this.#retryAfterMs() : undefined,
      ...(error instanceof ProtocolError ? error.headers : {}),
    }
    const echoed = { 'receipt-id': receiptId }
    this.#outgoing.add(serializeFrame('ERROR', headers, error.message, this.#version, echoed))
    this.#close({ reason, error }, closeCode, stomp)
  }

  /** Ends the session because the door closes. */
  closeDoor(): void {
    this.#close({ reason: 'door-closing' }, 1001, 'The door is closing')
  }

  /** Sends what has gathered since the last time. */
  flush(): void {
    if (this.#state !== 'closed') this.#outgoing.flush()
  }

  /** Reads or not, as the door and the state of the session ask for. */
  updateReading(): void {
    if (this.#state === 'closed') return
    if (this.#door.isPaused || this.#state === 'connecting') this.#transport.pause()
    else this.#transport.resume()
    // Both when a pause begins and when it ends, so that no deadline runs over it.
    this.#deadlines.restart(this.#door.elapsed())
  }

  /** Looks after the deadlines; called by the door's timer wheel, `now` being its clock. */
  onDue(now: number): number | undefined {
    if (this.#state === 'closed') return undefined
    const { isPaused, limits } = this.#door
    const heartBeat = this.#heartBeat
    if (heartBeat === undefined) {
      const connect = this.#deadlines.checkConnect(now, limits.connectDeadlineMs, isPaused)
      if (connect !== 'passed') return connect.remainingMs
      return this.#expire(`No session within ${limits.connectDeadlineMs} ms.`, 'UNAUTHENTICATED')
    }
    const expiresInMs = (this.#device?.expiresAt ?? Number.POSITIVE_INFINITY) - this.#door.now()
    if (expiresInMs <= 0) return this.#expire('The token has expired.', 'UNAUTHENTICATED')
    const silence = this.#deadlines.checkSilence(now, heartBeat.silenceMs, isPaused)
    if (silence === 'passed')
      return this.#expire(
        `Nothing was heard from the device for ${heartBeat.silenceMs} ms.`,
        'BAD_USER_INPUT',
      )
    return Math.min(silence.remainingMs, this.#outgoing.beat(now, heartBeat.sendMs), expiresInMs)
  }

  #expire(message: string, code: ErrorCode): undefined {
    this.fail(new ProtocolError(message, code))
    return undefined
  }

  #take(frame: StompFrame): boolean {
    this.#door.metrics.frames.inc({ command: commandLabel(frame.command) })
    try {
      if (this.#state === 'opened') this.#open(frame)
      else if (this.#state === 'connecting') this.#hold(frame)
      else if (this.#state === 'connected') this.#handle(frame)
    } catch (error) {
      this.fail(toAppError(error), asWritten(frame, 'receipt'))
    }
    return this.#state !== 'closed'
  }

  #open(frame: StompFrame): void {
    if (frame.command !== 'CONNECT' && frame.command !== 'STOMP')
      throw new ProtocolError('The first frame must be CONNECT or STOMP.')
    const handshake = readHandshake(frame, this.#door.limits.heartBeat)
    this.#version = this.#parser.version = handshake.version
    this.#state = 'connecting'
    this.updateReading()
    this.#connect(handshake).catch((error: unknown) => this.fail(toAppError(error)))
  }

  async #connect(handshake: Handshake): Promise<void> {
    const leave = await this.#door.admission.enter(() => this.#state === 'connecting')
    try {
      await this.#begin(handshake)
    } finally {
      leave?.()
    }
  }

  async #begin(handshake: Handshake): Promise<void> {
    const { heartBeat } = handshake
    const device = await this.#authenticate(handshake)
    if (device === undefined) return
    this.#device = device
    const { connectDeadlineMs, presenceSlackMs } = this.#door.limits
    const generation = await withDeadline('The presence registry', connectDeadlineMs, () =>
      this.#door.begin(this, device, heartBeat.silenceMs + presenceSlackMs),
    )
    if (this.#state !== 'connecting') return
    this.#generation = generation
    this.#heartBeat = heartBeat
    this.#subscriptions = createSubscriptions(handshake.version)
    this.#state = 'connected'
    const headers = {
      version: handshake.version,
      session: String(generation),
      'heart-beat': heartBeat.header,
      server: 'NUVION',
    }
    this.#outgoing.add(serializeFrame('CONNECTED', headers, '', handshake.version))
    this.updateReading()
    this.#door.wheel.schedule(this, 1)
    const held = this.#held
    this.#held = []
    for (const frame of held) if (!this.#take(frame)) return
  }

  /** The device, checked until no right has changed meanwhile; undefined when the session has ended by then. */
  async #authenticate(handshake: Handshake): Promise<ProvenDevice | undefined> {
    const { authenticator, limits, now } = this.#door
    while (this.#state === 'connecting') {
      const version = this.#door.rightsVersion
      const device = await withDeadline('The check of the credential', limits.connectDeadlineMs, () =>
        authenticate(handshake, authenticator, now),
      )
      if (this.#door.rightsVersion === version) return this.#state === 'connecting' ? device : undefined
    }
    return undefined
  }

  #retryAfterMs(): string {
    return String(Math.round(this.#door.limits.retryAfterMs * (1 + Math.random())))
  }

  #hold(frame: StompFrame): void {
    if (frame.command === 'CONNECT' || frame.command === 'STOMP')
      throw new ProtocolError('CONNECT came twice.')
    this.#heldBytes += frame.body.length + 1_000
    if (this.#heldBytes > this.#door.limits.frame.maxFrameBytes)
      throw new ProtocolError('Too much was sent before CONNECTED.', 'RATE_LIMITED')
    this.#held.push({ ...frame, body: Buffer.from(frame.body) })
  }

  #handle(frame: StompFrame): void {
    const subscriptions = this.#subscriptions
    if (subscriptions === undefined)
      throw new TypeError('Expected subscriptions of a connected session, got none')
    switch (frame.command) {
      case 'SEND':
        this.#send(frame)
        return
      case 'SUBSCRIBE':
        subscriptions.add(frame)
        break
      case 'UNSUBSCRIBE':
        subscriptions.remove(frame)
        break
      case 'ACK':
      case 'NACK':
        refuseTransaction(frame)
        subscriptions.checkAcknowledgement(frame)
        break
      case 'DISCONNECT':
        this.#state = 'leaving'
        break
      case 'BEGIN':
      case 'COMMIT':
      case 'ABORT':
        throw new ProtocolError('Transactions are not supported.')
      case 'CONNECT':
      case 'STOMP':
        throw new ProtocolError('CONNECT came twice.')
      default:
        throw new ProtocolError('There is no such command for a client.')
    }
    this.#finishFrame(this.#beginFrame(frame))
  }

  #send(frame: StompFrame): void {
    const door = this.#door
    const device = this.#device
    if (device === undefined) throw new TypeError('Expected the device of a connected session, got none')
    refuseTransaction(frame)
    const destination = frame.headers.get('destination')
    if (destination === undefined) throw new ProtocolError('SEND needs the header destination.')
    if (isDeviceCall(destination)) {
      this.#call(destination, frame, device)
      return
    }
    if (!isDeviceDestination(destination))
      throw new ProtocolError(
        `A device cannot SEND to ${JSON.stringify(destination.slice(0, 100))}.`,
        'NOT_FOUND',
      )
    const pending = this.#beginFrame(frame)
    const { retentionMs } = door.limits
    const intake = takeMessage(destination, frame.body, {
      device,
      now: door.now(),
      ids: door.ids,
      retentionMs,
    })
    if (intake.reason !== undefined) {
      door.metrics.rejectedItems.inc({ reason: intake.reason }, intake.errors.length)
      const errors: DeviceErrors = { destination, errors: intake.errors }
      this.#deliver('/user/queue/errors', errors, correlationOf(frame))
    }
    if (intake.clocksReplaced > 0) door.metrics.clocksReplaced.inc(intake.clocksReplaced)
    if (intake.items.length === 0) {
      this.#finishFrame(pending)
      return
    }
    door.metrics.items.inc({ destination }, intake.items.length)
    const bytes = frame.body.length
    const count = intake.items.length
    door.addInFlight(count, bytes)
    door.appender.append(intake.items).then(
      () => {
        door.addInFlight(-count, -bytes)
        this.#finishFrame(pending)
      },
      (error: unknown) => {
        door.addInFlight(-count, -bytes)
        door.metrics.unreceipted.dec()
        this.fail(toAppError(error), pending.receiptId)
      },
    )
  }

  /** Its RECEIPT follows the answer. */
  #call(destination: DeviceCall, frame: StompFrame, device: ProvenDevice): void {
    const pending = this.#beginFrame(frame)
    const correlation = correlationOf(frame)
    void this.#door.calls.answer(destination, device, frame.body).then(({ queue, body }) => {
      this.#deliver(queue, body, correlation)
      this.#finishFrame(pending)
    })
  }

  #beginFrame(frame: StompFrame): PendingFrame {
    const { maxUnreceipted } = this.#door.limits
    if (this.#receipts.size >= maxUnreceipted)
      throw new ProtocolError(`More than ${maxUnreceipted} frames wait for their receipt.`, 'RATE_LIMITED')
    this.#door.metrics.unreceipted.inc()
    return this.#receipts.begin(asWritten(frame, 'receipt'))
  }

  #finishFrame(frame: PendingFrame): void {
    this.#door.metrics.unreceipted.dec()
    this.#receipts.finish(frame)
    if (this.#state === 'leaving' && this.#receipts.size === 0)
      this.#close({ reason: 'disconnect' }, 1000, 'DISCONNECT')
  }

  #answerReceipt(receiptId: string): void {
    if (this.#state === 'closed') return
    this.#door.metrics.receipts.inc()
    this.#outgoing.add(serializeFrame('RECEIPT', {}, '', this.#version, { 'receipt-id': receiptId }))
  }

  #deliver(queue: DeviceQueue, body: unknown, correlation: Correlation): void {
    if (this.#state === 'closed') return
    const messages = this.#subscriptions?.messagesTo(queue, body, correlation) ?? []
    if (messages.length === 0) this.#door.metrics.undelivered.inc({ queue })
    for (const message of messages) this.#outgoing.add(message)
  }

  /** Ends the session of a device that does not read; it could not read an ERROR either. */
  #drop(): void {
    if (this.#state === 'closed') return
    this.#door.metrics.slowReaders.inc()
    this.#transport.terminate()
    this.#finish({ reason: 'slow-reader' })
  }

  #close(end: SessionEnd, code: number, reason: string): void {
    if (this.#state === 'closed') return
    this.flush()
    this.#transport.close(code, reason)
    this.#finish(end)
  }

  #finish(end: SessionEnd): void {
    if (this.#state === 'closed') return
    this.#state = 'closed'
    this.#held = []
    this.#door.wheel.cancel(this)
    this.#door.ended(this, end)
    this.#device = undefined
  }
}

function correlationOf(frame: StompFrame): Correlation {
  return { echoed: asWritten(frame, 'receipt') ?? asWritten(frame, 'message-id') }
}

function refuseTransaction(frame: StompFrame): void {
  if (frame.headers.has('transaction')) throw new ProtocolError('Transactions are not supported.')
}

function isTemporary(code: ErrorCode): boolean {
  return code === 'UNAVAILABLE' || code === 'RATE_LIMITED'
}
