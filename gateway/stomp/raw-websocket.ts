import type { WebSocket } from 'ws'
import type { AcceptTransport } from './transport.ts'

/**
 * Carries STOMP over a WebSocket as it is: text and binary messages are bytes of the one stream, and may hold a part
 * of a frame or several.
 */
export function carryRawWebSocket(socket: WebSocket, accept: AcceptTransport): void {
  const listener = accept({
    kind: 'websocket',
    get bufferedAmount() {
      return socket.bufferedAmount
    },
    send: text => socket.send(text),
    close(code, reason) {
      // A paused socket would never see the answer to its close.
      socket.resume()
      socket.close(code, reason)
    },
    terminate: () => socket.terminate(),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
  })
  socket.on('message', data => {
    if (Buffer.isBuffer(data)) listener.receive(data)
  })
  // What is wrong with the socket ends it too; `close` follows.
  socket.on('error', () => {})
  socket.on('close', () => listener.end())
}
