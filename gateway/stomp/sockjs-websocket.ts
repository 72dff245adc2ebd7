import type { WebSocket } from 'ws'
import {
  HEART_BEAT_FRAME,
  OPEN_FRAME,
  parseMessages,
  serializeClose,
  serializeMessages,
} from './sockjs-frame.ts'
import type { TimerWheel } from './timer-wheel.ts'
import type { AcceptTransport } from './transport.ts'

/** Carries STOMP in SockJS frames over a WebSocket: `/stomp/{server}/{session}/websocket`. */
export function carrySockJsWebSocket(
  socket: WebSocket,
  accept: AcceptTransport,
  { wheel, heartBeatMs }: { wheel: TimerWheel; heartBeatMs: number },
): void {
  socket.send(OPEN_FRAME)
  const listener = accept({
    kind: 'sockjs-websocket',
    get bufferedAmount() {
      return socket.bufferedAmount
    },
    send: text => socket.send(serializeMessages([text])),
    close(code, reason) {
      socket.resume()
      socket.send(serializeClose(code, reason))
      socket.close(1000)
    },
    terminate: () => socket.terminate(),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
  })
  const heartBeat = {
    onDue() {
      socket.send(HEART_BEAT_FRAME)
      return heartBeatMs
    },
  }
  wheel.schedule(heartBeat, heartBeatMs)
  socket.on('message', data => {
    const text = data.toString()
    if (text === '') return
    const messages = parseMessages(text)
    if (messages === undefined) return socket.close(1007, 'Broken JSON encoding')
    for (const message of messages) listener.receive(Buffer.from(message))
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    wheel.cancel(heartBeat)
    listener.end()
  })
}
