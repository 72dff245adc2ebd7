import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { startStompGenerator } from './stomp-generator.ts'

const LOGINS = [
  { login: 'a', passcode: 'x' },
  { login: 'b', passcode: 'y' },
]
const FLOOD = { destination: '/app/log', body: '{"é":1}', window: 3, warmUpMs: 20, durationMs: 100 }

/** Starts a server that answers CONNECT, and each other frame as told; disposing ends it. */
async function startServer(answer: (frame: string, receipt: string, socket: WebSocket) => void) {
  const frames: string[] = []
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  server.on('connection', socket =>
    socket.on('message', data => {
      const frame = String(data)
      frames.push(frame)
      if (frame.startsWith('CONNECT')) socket.send('CONNECTED\nversion:1.2\n\n\0')
      else answer(frame, /\nreceipt:(.*)/.exec(frame)?.[1] ?? '', socket)
    }),
  )
  return {
    frames,
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const client of server.clients) client.terminate()
      server.close()
    },
  }
}

const options = (url: string) => ({
  url,
  logins: LOGINS,
  connectHeaders: { host: '/' },
  sendHeaders: { persistent: 'true' },
})

it('keeps a window of each device full and counts the receipts, also several in one message', async () => {
  const open = new Map<WebSocket, number>()
  const pending = new Map<WebSocket, string[]>()
  let most = 0
  await using server = await startServer((_, receipt, socket) => {
    open.set(socket, (open.get(socket) ?? 0) + 1)
    most = Math.max(most, open.get(socket) ?? 0)
    const waiting = pending.get(socket) ?? []
    pending.set(socket, [...waiting, receipt])
    if (waiting.length > 0) return
    setImmediate(() => {
      const receipts = pending.get(socket) ?? []
      pending.delete(socket)
      open.set(socket, (open.get(socket) ?? 0) - receipts.length)
      socket.send(receipts.map(id => `RECEIPT\nreceipt-id:${id}\n\n\0\n`).join(''))
    })
  })
  await using generator = await startStompGenerator({ cpu: null })
  await generator.open('all', options(server.url))
  const { receipts, taken, elapsedMs } = await generator.flood('all', FLOOD)
  const sends = server.frames.filter(frame => frame.startsWith('SEND'))
  expect(most).toBe(3)
  expect(taken).toBe(sends.length)
  expect(receipts).toBeGreaterThan(0)
  expect(receipts).toBeLessThan(taken)
  expect(elapsedMs).toBeGreaterThan(95)
  expect(sends[0]).toBe(
    'SEND\ndestination:/app/log\npersistent:true\ncontent-length:8\nreceipt:0\n\n{"é":1}\0',
  )
  expect(server.frames[0]).toBe('CONNECT\naccept-version:1.2\nhost:/\nlogin:a\npasscode:x\n\n\0')
})

it('fails when the server answers an ERROR', async () => {
  await using server = await startServer((_, _receipt, socket) => socket.send('ERROR\nmessage:no\n\n\0'))
  await using generator = await startStompGenerator({ cpu: null })
  await generator.open('all', options(server.url))
  await expect(generator.flood('all', FLOOD)).rejects.toThrow('Not a RECEIPT: ERROR')
})

it('counts a paced message from when it was due, and an event at each viewer', async () => {
  const holdMs = 40
  const viewers = new Map<WebSocket, string>()
  await using server = await startServer(async (frame, receipt, socket) => {
    if (frame.startsWith('{')) {
      const { type, id } = JSON.parse(frame)
      if (type === 'connection_init') socket.send('{"type":"connection_ack"}')
      else viewers.set(socket, id)
      return
    }
    await sleep(holdMs)
    socket.send(`RECEIPT\nreceipt-id:${receipt}\n\n\0`)
    const text = /"message":"([^"]*)"/.exec(frame)?.[1]
    for (const [viewer, id] of viewers) viewer.send(JSON.stringify({ type: 'next', id, payload: text }))
  })
  await using generator = await startStompGenerator({ cpu: null })
  await generator.open('all', options(server.url))
  const result = await generator.pace('all', {
    devices: 2,
    messages: [{ destination: '/app/log', intervalMs: 100, body: '{"message":"hot #N#"}' }],
    followed: '/app/log',
    viewers: { url: server.url, tokens: ['1', '2', '3'], payload: {} },
    warmUpMs: 100,
    durationMs: 300,
  })
  expect(result).toMatchObject({ sent: 6, eventsDue: 18, eventsReceived: 18, eventsDoubled: 0 })
  expect(result.receiptMs.p50).toBeGreaterThanOrEqual(holdMs - 1)
  expect(result.eventMs.p50).toBeGreaterThanOrEqual(holdMs - 1)
})
