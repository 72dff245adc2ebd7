import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import type { Closable } from '../lifecycle.ts'
import { createDoorHandoff } from './door-handoff.ts'

const open: Closable[] = []

afterEach(async () => {
  for (const thing of open.splice(0).reverse()) await thing[Symbol.asyncDispose]()
})

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  open.push({
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  })
  return (server.address() as AddressInfo).port
}

/** A front before a door that notes what it is asked; answers the front's port. */
async function startFront(door: RequestListener): Promise<number> {
  const doorPort = await listen(door)
  const handoff = createDoorHandoff({ tell: () => {}, onDoor: listener => listener(doorPort) })
  open.push(handoff)
  return await listen(handoff.handleRequest)
}

/** Sends bytes and answers what came back until the other side closes. */
async function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(bytes)
  return (await socket.toArray()).join('')
}

const CLOSE = 'Host: x\r\nConnection: close\r\n'

it('passes a request on as one request, also when a GET brings a body', async () => {
  const asked: string[] = []
  const port = await startFront((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    request.resume().on('end', () => response.end('ok'))
  })
  const smuggled = 'GET /stomp/smuggled HTTP/1.1\r\nHost: x\r\n\r\n'
  const body = `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`
  for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS'])
    await exchange(
      port,
      `${method} /stomp/info HTTP/1.1\r\n${CLOSE}Transfer-Encoding: chunked\r\n\r\n${body}`,
    )
  await exchange(port, `GET /stomp/last HTTP/1.1\r\n${CLOSE}\r\n`)
  expect(asked).toEqual([
    'GET /stomp/info',
    'POST /stomp/info',
    'DELETE /stomp/info',
    'OPTIONS /stomp/info',
    'GET /stomp/last',
  ])
})

it('passes on neither the headers of a connection nor those that it names', async () => {
  let seen: NodeJS.Dict<string | string[]> = {}
  const port = await startFront((request, response) => {
    seen = request.headers
    response.setHeader('keep-alive', 'timeout=7').end('ok')
  })
  const answer = await exchange(
    port,
    'GET /stomp/info HTTP/1.1\r\nHost: x\r\nConnection: close, X-Private\r\nX-Private: 1\r\nX-Public: 2\r\n\r\n',
  )
  expect(seen).toMatchObject({ 'x-public': '2', 'x-forwarded-for': expect.stringContaining('127.0.0.1') })
  expect(seen).not.toHaveProperty('x-private')
  expect(answer).toMatch(/^HTTP\/1.1 200/)
  expect(answer).not.toContain('timeout=7')
})

it('passes the answer on before the request has been sent to its end', async () => {
  const port = await startFront((_request, response) => response.writeHead(413).end('too long'))
  const socket = connect(port, '127.0.0.1')
  socket.write('POST /stomp/a/b/xhr_send HTTP/1.1\r\nHost: x\r\nContent-Length: 5000000\r\n\r\n[')
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1.1 413/)
  socket.destroy()
})

it('answers 503 while the door is away', async () => {
  const handoff = createDoorHandoff({ tell: () => {}, onDoor: () => {} })
  open.push(handoff)
  const port = await listen(handoff.handleRequest)
  expect((await fetch(`http://127.0.0.1:${port}/stomp/info`)).status).toBe(503)
})
