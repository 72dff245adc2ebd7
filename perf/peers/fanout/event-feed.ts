import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** Where the generator asks for events. */
export interface EventFeed extends AsyncDisposable {
  readonly port: number
}

/** Bytes of a command: topic, events, milliseconds between two of them. */
const COMMAND_BYTES = 3

/**
 * Starts a TCP port on loopback that takes commands of three bytes: the topic, how many events, and how many
 * milliseconds apart; 0 publishes all of them in one turn. A few microseconds a command, whoever is measured.
 */
export async function startEventFeed(publish: (topic: number, count: number) => void): Promise<EventFeed> {
  const sockets = new Set<Socket>()
  const run = ([topic = 0, count = 0, gapMs = 0]: Uint8Array) => {
    if (gapMs === 0) return publish(topic, count)
    let left = count
    const timer = setInterval(() => {
      publish(topic, 1)
      if (--left === 0) clearInterval(timer)
    }, gapMs)
  }
  const server = createServer({ noDelay: true }, socket => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => sockets.delete(socket))
    let pending = Buffer.alloc(0)
    socket.on('data', chunk => {
      pending = Buffer.concat([pending, chunk])
      for (; pending.length >= COMMAND_BYTES; pending = pending.subarray(COMMAND_BYTES))
        run(pending.subarray(0, COMMAND_BYTES))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
