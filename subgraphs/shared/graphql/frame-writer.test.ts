import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Duplex } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createFrameWriters } from './frame-writer.ts'
import { createSharedMessages } from './shared-messages.ts'

/** A connection that keeps what is written, and takes it when told to. */
function createConnection() {
  const writes: Buffer[] = []
  const waiting: (() => void)[] = []
  let isTaking = true
  const connection = new Duplex({
    read() {},
    write(chunk, _, done) {
      writes.push(chunk)
      if (isTaking) done()
      else waiting.push(done)
    },
    writev(chunks, done) {
      writes.push(Buffer.concat(chunks.map(({ chunk }) => chunk)))
      if (isTaking) done()
      else waiting.push(done)
    },
  })
  return {
    connection,
    writes,
    hold() {
      isTaking = false
    },
    take() {
      isTaking = true
      for (const done of waiting.splice(0)) done()
    },
  }
}

function openWriter(connection: Duplex, maxBufferedBytes = 100_000_000) {
  const state = { isOpen: true, overflows: 0 }
  const writer = createFrameWriters().open({
    socket: {
      get readyState() {
        return state.isOpen ? WebSocket.OPEN : WebSocket.CLOSED
      },
    },
    connection,
    maxBufferedBytes,
    onOverflow: () => state.overflows++,
  })
  return { writer, state }
}

/** A server's side of a real socket, and what its client receives. */
async function openPair() {
  const http = createServer()
  const wss = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const upgraded = once(http, 'upgrade') as Promise<[IncomingMessage, Duplex, Buffer]>
  const client = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`)
  const received: string[] = []
  client.on('message', data => received.push(String(data)))
  const [request, connection, head] = await upgraded
  const server = await new Promise<WebSocket>(resolve =>
    wss.handleUpgrade(request, connection, head, resolve),
  )
  return {
    server,
    client,
    connection,
    received,
    [Symbol.dispose]() {
      client.terminate()
      http.close()
    },
  }
}

test('messages of every size arrive whole and in order, with those that ws writes itself', async () => {
  using pair = await openPair()
  const { writer } = openWriter(pair.connection)
  const sizes = [
    0, 1, 2, 100, 123, 124, 125, 126, 127, 128, 1_000, 16_384, 65_530, 65_534, 65_535, 65_536, 65_537,
  ]
  for (let size = 0; size <= 70_000; size += 997) sizes.push(size)
  const expected: string[] = []
  for (const [index, size] of sizes.entries()) {
    const head = 'ü'.repeat(Math.min(size >> 1, 20))
    const tail = 'x'.repeat(size - Buffer.byteLength(head))
    writer.write(Buffer.from(head), Buffer.from(tail))
    expected.push(head + tail)
    if (index % 7 > 0) continue
    writer.flush()
    pair.server.send(`between ${index}`)
    expected.push(`between ${index}`)
  }
  const last = new Promise(resolve =>
    pair.client.on('message', data => String(data) === 'last' && resolve(null)),
  )
  writer.flush()
  pair.server.send('last')
  await last
  expect(pair.received.slice(0, -1)).toEqual(expected)
})

test('what is written in one turn leaves in one write, at its end', async () => {
  const { connection, writes } = createConnection()
  const { writer } = openWriter(connection)
  for (let i = 0; i < 100; i++) writer.write(Buffer.from('{"id":"1'), Buffer.from(`${i}"}`))
  expect(writes).toHaveLength(0)
  await nextTurn()
  expect(writes).toHaveLength(1)
  for (let i = 0; i < 10; i++) writer.write(Buffer.from('a'), Buffer.alloc(20_000))
  await nextTurn()
  // The first chunk of a corked burst may go alone; no system call for each message.
  expect(writes.length).toBeLessThanOrEqual(3)
  await nextTurn()
  expect(writes.length).toBeLessThanOrEqual(3)
})

test('many sockets are flushed together, and each gets its own', async () => {
  const writers = createFrameWriters()
  const connections = Array.from({ length: 50 }, createConnection)
  for (const [index, { connection }] of connections.entries())
    writers
      .open({ socket: { readyState: WebSocket.OPEN }, connection, maxBufferedBytes: 1_000, onOverflow() {} })
      .write(Buffer.from('to '), Buffer.from(String(index)))
  await nextTurn()
  for (const [index, { writes }] of connections.entries())
    expect(writes.map(bytes => String(bytes.subarray(2)))).toEqual([`to ${index}`])
})

test('past the bound messages are dropped and the overflow is told; one alone may be larger', async () => {
  const { connection, writes, hold } = createConnection()
  const { writer, state } = openWriter(connection, 10_000)
  writer.write(Buffer.from(''), Buffer.alloc(50_000))
  await nextTurn()
  expect(writes).toHaveLength(1)
  expect(state.overflows).toBe(0)
  hold()
  writer.write(Buffer.from(''), Buffer.alloc(50_000))
  writer.write(Buffer.from(''), Buffer.from('one too many'))
  expect(state.overflows).toBe(1)
  state.isOpen = false
  writer.write(Buffer.from(''), Buffer.from('late'))
  await nextTurn()
  expect(writes).toHaveLength(1)
})

test('of many who wait for room one at a time is let through, and they leave one listener', async () => {
  const { connection, hold, take } = createConnection()
  const { writer, state } = openWriter(connection, 400_000)
  hold()
  writer.write(Buffer.from(''), Buffer.alloc(300_000))
  writer.flush()
  let sent = 0
  const senders = Array.from({ length: 50 }, async () => {
    await writer.whenWritable()
    writer.write(Buffer.from(''), Buffer.alloc(100_000))
    sent++
  })
  await nextTurn()
  expect(sent).toBe(0)
  expect(connection.listenerCount('drain')).toBe(1)
  while (sent < 50) {
    const before = sent
    hold()
    take()
    hold()
    await nextTurn()
    await nextTurn()
    expect(sent - before).toBeLessThanOrEqual(2)
    take()
    await nextTurn()
  }
  await Promise.all(senders)
  expect(state.overflows).toBe(0)
})

test('who waits for a connection that closes is let go', async () => {
  const { connection, hold } = createConnection()
  const { writer, state } = openWriter(connection)
  hold()
  writer.write(Buffer.from(''), Buffer.alloc(300_000))
  writer.flush()
  const waiting = writer.whenWritable()
  state.isOpen = false
  connection.destroy()
  await waiting
  expect(connection.listenerCount('drain')).toBe(0)
})

test('shared messages of every size leave in one write to each socket, under its own head, behind what is queued', async () => {
  using one = await openPair()
  using other = await openPair()
  const sizes = [0, 1, 117, 118, 119, 1_000, 65_527, 65_528, 65_529, 70_000]
  const messages = createSharedMessages(sizes.map(size => Buffer.alloc(size, 'x')))
  for (const [pair, head] of [
    [one, 'ünique'],
    [other, 'another'],
    [one, 'of another length'],
  ] as const) {
    const { writer } = openWriter(pair.connection)
    writer.write(Buffer.from('queued'), Buffer.from(''))
    writer.writeShared(Buffer.from(head), messages)
    const last = once(pair.client, 'close')
    if (head === 'ünique') continue
    pair.server.close()
    await last
  }
  const expected = (head: string) => ['queued', ...sizes.map(size => head + 'x'.repeat(size))]
  expect(one.received).toEqual([...expected('ünique'), ...expected('of another length')])
  expect(other.received).toEqual(expected('another'))
})

test('shared messages that a connection has not taken yet are not written over by the next', async () => {
  const messages = createSharedMessages([Buffer.alloc(4_000_000, 'x')])
  using slow = await openPair()
  using fast = await openPair()
  slow.client.pause()
  const heads = ['first', 'later']
  const { writer } = openWriter(slow.connection)
  for (const head of heads) writer.writeShared(Buffer.from(head), messages)
  expect(slow.connection.writableLength).toBeGreaterThan(4_000_000)
  openWriter(fast.connection).writer.writeShared(Buffer.from('other'), messages)
  await once(fast.client, 'message')
  slow.client.resume()
  slow.server.close()
  await once(slow.client, 'close')
  expect(slow.received.map(text => text.slice(0, 6))).toEqual(['firstx', 'laterx'])
  expect(fast.received.map(text => text.slice(0, 6))).toEqual(['otherx'])
})

test('shared messages past the bound are dropped and the overflow is told', async () => {
  const { connection, writes, hold } = createConnection()
  const { writer, state } = openWriter(connection, 10_000)
  hold()
  writer.writeShared(Buffer.from(''), createSharedMessages([Buffer.alloc(50_000)]))
  writer.writeShared(Buffer.from(''), createSharedMessages([Buffer.from('one too many')]))
  expect(state.overflows).toBe(1)
  state.isOpen = false
  writer.writeShared(Buffer.from(''), createSharedMessages([Buffer.from('late')]))
  expect(writes).toHaveLength(1)
})
