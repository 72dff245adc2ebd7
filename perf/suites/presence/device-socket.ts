import { WebSocket } from 'ws'

/** How long a device waits for an answer to its CONNECT. */
const ANSWER_DEADLINE_MS = 60_000

/** What a device has in hand. */
export interface DeviceSocket {
  /** From the first attempt to CONNECTED, waits that the door asked for included. */
  readonly connectMs: number
  /** How often the door sent it away before. */
  readonly refusals: number
  /** When CONNECT was sent that was answered by CONNECTED, ms of performance.now(). */
  readonly connectedFrom: number
  /** Drops the connection, as a device does that loses its network. */
  terminate(): void
}

/**
 * Connects a device over a plain WebSocket, and comes again when the door says when. `heartBeat` is the header; the
 * device sends none. Rejects with what else the door answers.
 */
export async function connectDevice(
  url: string,
  headers: Readonly<Record<string, string>>,
  heartBeat = '0,0',
): Promise<DeviceSocket> {
  const startedAt = performance.now()
  for (let refusals = 0; ; refusals++) {
    const attempt = await tryConnect(url, { ...headers, 'heart-beat': heartBeat })
    if (typeof attempt !== 'number') return { ...attempt, connectMs: performance.now() - startedAt, refusals }
    await new Promise(resolve => setTimeout(resolve, attempt))
  }
}

/** The socket, or in how many ms to come again. */
function tryConnect(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<Pick<DeviceSocket, 'connectedFrom' | 'terminate'> | number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, ['v12.stomp'], { perMessageDeflate: false })
    let connectedFrom = 0
    const late = setTimeout(() => {
      socket.terminate()
      reject(new Error('No answer to CONNECT.'))
    }, ANSWER_DEADLINE_MS)
    const done = () => clearTimeout(late)
    socket.on('open', () => {
      const lines = Object.entries({ 'accept-version': '1.2', ...headers }).map(
        ([name, value]) => `${name}:${value}\n`,
      )
      connectedFrom = performance.now()
      socket.send(`CONNECT\n${lines.join('')}\n\0`)
    })
    socket.once('message', data => {
      done()
      const text = String(data)
      if (text.startsWith('CONNECTED')) return resolve({ connectedFrom, terminate: () => socket.terminate() })
      socket.terminate()
      const retryAfter = /^retry-after-ms:(\d+)$/m.exec(text)?.[1]
      if (retryAfter !== undefined) resolve(Number(retryAfter))
      else reject(new Error(`The door answered ${text.slice(0, 200)}`))
    })
    socket.once('error', error => {
      done()
      reject(error)
    })
  })
}
