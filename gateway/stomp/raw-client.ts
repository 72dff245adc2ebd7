import { WebSocket } from 'ws'
import type { FixtureDevice } from './door-fixture.ts'
import type { StompFrame } from './frame.ts'
import { FrameParser } from './frame-parser.ts'

/** A frame that the door sent. */
export interface ReceivedFrame {
  readonly command: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** How the door closed a socket. */
export interface SocketClose {
  readonly code: number
  readonly reason: string
}

/** Opens a socket on which a test writes bytes as it likes, also wrong ones. */
export async function openRawClient(wsUrl: string, options: { binary?: boolean; origin?: string } = {}) {
  const socket = new WebSocket(wsUrl, ['v12.stomp'], { origin: options.origin })
  const parser = new FrameParser({ maxFrameBytes: 1024 * 1024, maxHeaderBytes: 16 * 1024, maxHeaders: 64 })
  const frames: ReceivedFrame[] = []
  const waiting: ((frame: ReceivedFrame) => void)[] = []
  let messages = 0
  const take = ({ command, headers, body }: StompFrame) => {
    const frame = { command, headers: Object.fromEntries(headers), body: body.toString() }
    const next = waiting.shift()
    if (next === undefined) frames.push(frame)
    else next(frame)
    return true
  }
  socket.on('message', data => {
    messages++
    if (Buffer.isBuffer(data)) parser.feed(data, take)
  })
  const closed = new Promise<SocketClose>(resolve => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }))
  })
  socket.on('error', () => {})
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })

  const client = {
    socket,
    closed,
    /** WebSocket messages that came, whatever they held. */
    get messages() {
      return messages
    },
    write(text: string | Buffer) {
      socket.send(text, { binary: options.binary ?? typeof text !== 'string' })
    },
    /** The next frame that the door sends; rejects after 8 s. */
    async next(): Promise<ReceivedFrame> {
      const frame = frames.shift()
      if (frame !== undefined) return frame
      return new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error('no frame came')), 8_000)
        waiting.push(received => {
          clearTimeout(late)
          resolve(received)
        })
      })
    },
    /** Sends a frame as it is, without any escapes. */
    frame(command: string, headers: Record<string, string> = {}, body = '') {
      const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`)
      client.write(`${command}\n${lines.join('')}\n${body}\0`)
    },
    send(destination: string, body: unknown, headers: Record<string, string> = {}) {
      client.frame(
        'SEND',
        { destination, ...headers },
        typeof body === 'string' ? body : JSON.stringify(body),
      )
    },
    /** Sends CONNECT as the device and answers the CONNECTED frame, or the ERROR. */
    async connect(device: FixtureDevice, headers: Record<string, string> = {}): Promise<ReceivedFrame> {
      client.frame('CONNECT', {
        'accept-version': '1.2',
        login: device.deviceId,
        passcode: device.credential,
        ...headers,
      })
      return client.next()
    },
    [Symbol.dispose]() {
      socket.terminate()
    },
  }
  return client
}
