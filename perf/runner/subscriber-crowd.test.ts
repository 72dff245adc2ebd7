import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { openCrowd } from './subscriber-crowd.ts'

const TOKENS = ['a', 'b', 'c']

/** A server of subscriptions with a feed; `alter` may change what a subscriber is sent for an event, or leave it out. */
async function startFeedServer(alter: (number: number, subscriber: number) => number | null = n => n) {
  const seen: string[] = []
  const ids = new Map<WebSocket, string>()
  let published = 0
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  server.on('connection', socket =>
    socket.on('message', data => {
      const { type, id, payload } = JSON.parse(String(data))
      if (type === 'connection_init') {
        seen.push(payload.authorization)
        socket.send('{"type":"connection_ack"}')
      } else ids.set(socket, id)
    }),
  )
  const feed = createServer(socket =>
    socket.on('data', commands => {
      for (let at = 0; at < commands.length; at += 3) {
        for (let left = commands[at + 1] ?? 0; left > 0; left--) {
          for (const [index, [subscriber, id]] of [...ids].entries()) {
            const number = alter(published, index)
            const logAdded = { id: 'e', message: `event ${number}`, device: { line: { name: 'l' } } }
            if (number !== null)
              subscriber.send(JSON.stringify({ id, type: 'next', payload: { data: { logAdded } } }))
          }
          published++
        }
      }
    }),
  )
  feed.listen(0, '127.0.0.1')
  await Promise.all([once(server, 'listening'), once(feed, 'listening')])
  return {
    seen,
    place: {
      url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
      feedPort: (feed.address() as AddressInfo).port,
      topic: 0,
      tokens: TOKENS,
      payload: { query: 'subscription { logAdded { id } }' },
    },
    [Symbol.dispose]() {
      for (const client of server.clients) client.terminate()
      server.close()
      feed.close()
    },
  }
}

const PACE = { durationMs: 100, gapMs: 0 }

it('follows with a socket and a token for each subscriber, and counts what all of them receive', async () => {
  using server = await startFeedServer()
  const crowd = await openCrowd(server.place)
  expect([...server.seen].sort()).toEqual(['Bearer a', 'Bearer b', 'Bearer c'])
  expect(crowd.sample).toContain('event 0')
  const single = await crowd.run({ ...PACE, events: 1 })
  expect(single).toMatchObject({ messages: single.events * 3, failed: 0, firstFailure: null })
  expect(single.latencyMs?.p95).toBeGreaterThan(0)
  const burst = await crowd.run({ ...PACE, events: 10 })
  expect(burst).toMatchObject({ messages: burst.events * 3, failed: 0, latencyMs: null })
  crowd.close()
})

it('notices an event that is not the next one', async () => {
  using server = await startFeedServer((number, subscriber) =>
    number > 0 && subscriber === 1 ? number + 1 : number,
  )
  const crowd = await openCrowd(server.place)
  const { failed, firstFailure } = await crowd.run({ ...PACE, durationMs: 500, events: 10 })
  expect(failed).toBeGreaterThan(0)
  expect(firstFailure).toMatch(/^Event \d+ was expected/)
  crowd.close()
})

it('notices a subscriber that is cut', async () => {
  using server = await startFeedServer()
  const crowd = await openCrowd(server.place)
  const running = crowd.run({ ...PACE, durationMs: 60_000, events: 1 })
  server[Symbol.dispose]()
  expect((await running).firstFailure).toMatch(/^A socket was closed with 1006/)
  crowd.close()
})
