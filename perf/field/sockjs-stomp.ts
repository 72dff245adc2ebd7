import { randomBytes } from 'node:crypto'
import { WebSocket } from 'ws'

/** A STOMP session over SockJS's WebSocket transport. */
export interface StompSession {
  /** Sends a body that asks for a receipt. */
  send(destination: string, body: string, receipt: string): void
  close(): void
}

export interface StompOptions {
  /** Of the product, http://… */
  readonly url: string
  readonly login: string
  readonly passcode: string
  readonly onReceipt: (receipt: string) => void
  /** Told of a MESSAGE or an ERROR: whatever else the server says. */
  readonly onMessage: (command: string, text: string) => void
  /** Told once when the session ends that nobody has closed. */
  readonly onEnd: (reason: string) => void
}

const CONNECT_DEADLINE_MS = 20_000

/** What both sides offer; a line feed this often keeps a quiet session alive. */
const HEART_BEAT_MS = 10_000

/** Opens a session: SockJS 0.3 framing (`o`, `a[…]`, `h`, `c[…]`) around STOMP 1.2. Rejects when it is refused. */
export async function openStompSession(options: StompOptions): Promise<StompSession> {
  const { login, passcode, onReceipt, onMessage, onEnd } = options
  const place = `${String(Math.floor(Math.random() * 1_000)).padStart(3, '0')}/${randomBytes(8).toString('hex')}`
  const socket = new WebSocket(`${options.url.replace(/^http/, 'ws')}/stomp/${place}/websocket`, {
    perMessageDeflate: false,
  })
  const connected = Promise.withResolvers<void>()
  let isClosing = false
  let heart: NodeJS.Timeout | undefined
  const push = (frame: string) => socket.send(JSON.stringify([frame]))

  function take(frame: string): void {
    if (frame === '\n' || frame === '\r\n') return
    const command = frame.slice(0, frame.search(/\r?\n/))
    if (command === 'RECEIPT') onReceipt(/\nreceipt-id:(.*)/.exec(frame)?.[1]?.trim() ?? '')
    else if (command === 'CONNECTED') {
      heart = setInterval(() => push('\n'), HEART_BEAT_MS * 0.8)
      connected.resolve()
    } else {
      connected.reject(new Error(frame.slice(0, 300)))
      onMessage(command, frame)
    }
  }

  socket.on('message', data => {
    const text = String(data)
    if (text.startsWith('o'))
      push(
        `CONNECT\naccept-version:1.2\nhost:nuvion\nheart-beat:${HEART_BEAT_MS},${HEART_BEAT_MS}\nlogin:${login}\npasscode:${passcode}\n\n\0`,
      )
    else if (text.startsWith('a'))
      for (const chunk of JSON.parse(text.slice(1)) as string[])
        for (const frame of chunk.split('\0')) if (frame.trim() !== '') take(frame.replace(/^[\r\n]+/, ''))
  })
  socket.on('error', error => connected.reject(error))
  socket.once('close', (code, reason) => {
    clearInterval(heart)
    connected.reject(new Error(`The door closed with ${code} ${reason}.`))
    if (!isClosing) onEnd(`closed with ${code} ${reason}`)
  })
  const deadline = setTimeout(() => connected.reject(new Error('No CONNECTED in time.')), CONNECT_DEADLINE_MS)
  try {
    await connected.promise
  } catch (error) {
    isClosing = true
    socket.terminate()
    throw error
  } finally {
    clearTimeout(deadline)
  }
  return {
    send: (destination, body, receipt) =>
      push(
        `SEND\ndestination:${destination}\ncontent-type:application/json\ncontent-length:${Buffer.byteLength(body)}\nreceipt:${receipt}\n\n${body}\0`,
      ),
    close() {
      isClosing = true
      clearInterval(heart)
      socket.close(1000)
    },
  }
}
