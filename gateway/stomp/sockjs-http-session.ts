import { HEART_BEAT_FRAME, OPEN_FRAME, serializeClose, serializeMessages } from './sockjs-frame.ts'
import type { SockJsLimits } from './sockjs-limits.ts'
import type { TimerWheel, WheelEntry } from './timer-wheel.ts'
import type { AcceptTransport, Transport, TransportListener } from './transport.ts'

/** A request that waits for frames: polling, or a stream. */
export interface Receiver {
  readonly kind: Exclude<Transport['kind'], 'websocket' | 'sockjs-websocket'>
  /** Bytes written and not taken by the network yet. */
  readonly bufferedAmount: number
  /** Writes a frame; false when this was the last one that the response takes. */
  write(frame: string): boolean
  end(): void
  destroy(): void
}

/**
 * A SockJS session over HTTP: frames leave by one receiving request after the other, messages come by xhr_send
 * (SockJS protocol 0.3.3, "Session life").
 *
 * It is over when the client goes away in the middle of a receiving request, or brings no next one within
 * `disconnectDelayMs`; a receiving request that comes later is told why for the same time.
 */
export class SockJsHttpSession implements Transport, WheelEntry {
  readonly kind: Transport['kind']
  readonly #listener: TransportListener
  readonly #wheel: TimerWheel
  readonly #limits: SockJsLimits
  readonly #forget: () => void
  #receiver: Receiver | undefined
  #queue: string[] = []
  #queuedBytes = 0
  #isOpened = false
  #closeFrame: string | undefined
  #isPaused = false
  /** Lets the xhr_send go on that waits for the end of the pause. */
  #waiting: (() => void) | undefined

  constructor(options: {
    kind: Transport['kind']
    accept: AcceptTransport
    wheel: TimerWheel
    limits: SockJsLimits
    /** Called once, when nothing of the session is needed any more. */
    forget: () => void
  }) {
    this.kind = options.kind
    this.#wheel = options.wheel
    this.#limits = options.limits
    this.#forget = options.forget
    this.#listener = options.accept(this)
    this.#wheel.schedule(this, this.#limits.disconnectDelayMs)
  }

  get bufferedAmount(): number {
    return this.#queuedBytes + (this.#receiver?.bufferedAmount ?? 0)
  }

  get isClosed(): boolean {
    return this.#closeFrame !== undefined
  }

  /** Takes a receiving request; a second one beside the first is sent away. */
  attach(receiver: Receiver): void {
    if (this.#receiver !== undefined) {
      receiver.write(serializeClose(2010, 'Another connection still open'))
      receiver.end()
      return
    }
    this.#receiver = receiver
    if (!this.isClosed) this.#wheel.schedule(this, this.#limits.heartBeatMs)
    if (!this.#isOpened) {
      this.#isOpened = true
      this.#write(OPEN_FRAME)
    }
    this.#flush()
  }

  /** The client has gone away in the middle of the receiving request. */
  interrupted(receiver: Receiver): void {
    if (this.#receiver !== receiver) return
    this.#receiver = undefined
    this.#over(serializeClose(1002, 'Connection interrupted'))
  }

  /** Takes messages of an xhr_send. */
  receive(messages: readonly string[]): void {
    for (const message of messages) this.#listener.receive(Buffer.from(message))
  }

  /** Resolves when the door reads; at once, mostly. False when another request waits already, or at the end. */
  async readable(): Promise<boolean> {
    if (!this.#isPaused) return !this.isClosed
    if (this.#waiting !== undefined) return false
    await new Promise<void>(resolve => {
      this.#waiting = resolve
    })
    return !this.isClosed
  }

  send(text: string): void {
    if (this.isClosed) return
    this.#queue.push(text)
    this.#queuedBytes += text.length
    this.#flush()
  }

  close(code: number, reason: string): void {
    if (!this.isClosed) this.#over(serializeClose(code, reason))
  }

  terminate(): void {
    this.#queue = []
    this.#queuedBytes = 0
    this.#receiver?.destroy()
    this.#receiver = undefined
    this.close(1006, 'Dropped')
  }

  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
    this.#waiting?.()
    this.#waiting = undefined
  }

  /** Looks after the heart-beat while there is a receiver, and the end of the session while there is none. */
  onDue(): number | undefined {
    if (this.#receiver !== undefined && !this.isClosed) {
      this.#write(HEART_BEAT_FRAME)
      return this.#receiver === undefined ? this.#limits.disconnectDelayMs : this.#limits.heartBeatMs
    }
    this.#over(serializeClose(1002, 'Connection interrupted'))
    this.#wheel.cancel(this)
    this.#forget()
    return undefined
  }

  #flush(): void {
    if (this.#receiver !== undefined && this.#queue.length > 0) {
      const frame = serializeMessages(this.#queue)
      this.#queue = []
      this.#queuedBytes = 0
      this.#write(frame)
    }
    if (this.#receiver !== undefined && this.#closeFrame !== undefined) {
      this.#receiver.write(this.#closeFrame)
      this.#receiver.end()
      this.#receiver = undefined
    }
  }

  #write(frame: string): void {
    if (this.#receiver === undefined || this.#receiver.write(frame)) return
    this.#receiver.end()
    this.#receiver = undefined
    this.#wheel.schedule(this, this.#limits.disconnectDelayMs)
  }

  /** The session has ended; what is queued, and the reason, can be asked for a little longer. */
  #over(closeFrame: string): void {
    if (this.isClosed) return
    this.#closeFrame = closeFrame
    this.#wheel.schedule(this, this.#limits.disconnectDelayMs)
    this.#flush()
    this.resume()
    this.#listener.end()
  }
}
