import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { handleProtocols } from 'graphql-ws'
import { type WebSocket, WebSocketServer } from 'ws'
import { runPeer } from '../peer-program.ts'
import { startEventFeed } from './event-feed.ts'
import { deviceOf, makeLog } from './fanout-rows.ts'
import type { FanoutOptions, FanoutReady } from './ours.ts'

// Its best: nothing but `ws` and a loop. No GraphQL, no tokens, no limits, no pings, deflate off; the event is turned
// into JSON once, each socket's part before it is made once, and the callback of `send` is left out. The bytes are
// ours, the id and the cursor among them.
await runPeer<FanoutOptions, FanoutReady>(async ({ site }) => {
  const spaceId = site.spaceIds[0] ?? ''
  const startedAt = Date.now()
  const heads = new Map<WebSocket, string>()
  let published = 0

  const server = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    perMessageDeflate: false,
    handleProtocols,
  })
  server.on('connection', socket => {
    socket.on('message', data => {
      const { type, id } = JSON.parse(String(data)) as { type: string; id?: string }
      if (type === 'connection_init') socket.send('{"type":"connection_ack"}')
      if (type === 'subscribe') heads.set(socket, `{"id":${JSON.stringify(id)},"type":"next","payload":`)
    })
    socket.once('close', () => heads.delete(socket))
    socket.on('error', () => socket.terminate())
  })
  await once(server, 'listening')

  const feed = await startEventFeed((_topic, count) => {
    for (let i = 0; i < count; i++) {
      const tail = `${makePayload(spaceId, published)}}`
      for (const [socket, head] of heads) socket.send(head + tail)
    }
  })

  function makePayload(space: string, number: number): string {
    const { id, level, message } = makeLog(space, number)
    const device = deviceOf(number)
    published++
    return JSON.stringify({
      data: {
        logAdded: {
          id,
          level,
          message,
          device: {
            id: device.id,
            name: device.name,
            online: device.online,
            line: { name: device.line.name },
          },
        },
      },
      extensions: { cursor: `${startedAt}-${published}.0` },
    })
  }

  return {
    ready: { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, feedPort: feed.port },
    async close() {
      await feed[Symbol.asyncDispose]()
      for (const socket of server.clients) socket.terminate()
      server.close()
    },
  }
})
