import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { HttpPath } from '../subgraphs/shared/http/http-handoff.ts'
import { createLogger } from '../subgraphs/shared/logger.ts'
import { waitFor } from '../subgraphs/shared/testkit/wait-for.ts'
import { createHttpPaths } from './http-paths.ts'
import { type HttpRoutes, startHttpServer } from './http-server.ts'

const logger = createLogger({ level: 'silent', role: 'test' })

const start = (routes: Partial<HttpRoutes>, drainDeadlineMs = 2_000) =>
  startHttpServer({
    port: 0,
    host: '127.0.0.1',
    routes: { isReady: () => true, ...routes },
    logger,
    drainDeadlineMs,
  })

/** Answers with its name, the method and the URL. */
const echo = (name: string): HttpPath['handler'] => ({
  handleRequest: (request, response) => response.end(`${name} ${request.method} ${request.url}`),
  handleUpgrade: (request, socket) =>
    socket.end(`HTTP/1.1 400 Bad Request\r\nx-name: ${name} ${request.url}\r\n\r\n`),
})

const ask = async (url: string, init?: RequestInit) => {
  const response = await fetch(url, init)
  return `${response.status} ${await response.text()}`
}

/** What the server answers to an offer of a WebSocket. */
async function upgrade(port: number, path: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)
  return (await socket.setEncoding('utf8').toArray()).join('')
}

describe('paths of the HTTP server', () => {
  test('the longest prefix answers, whatever the order and the method', async () => {
    const paths = ['/', '/clips/live/', '/clips/'].map(prefix => ({ prefix, handler: echo(prefix) }))
    await using server = await start({ paths })
    expect(await ask(`${server.url}/clips/live/a?b=/`)).toBe('200 /clips/live/ GET /clips/live/a?b=/')
    expect(await ask(`${server.url}/clips/liver`)).toBe('200 /clips/ GET /clips/liver')
    expect(await ask(`${server.url}/clips/`, { method: 'DELETE' })).toBe('200 /clips/ DELETE /clips/')
    expect(await ask(`${server.url}/clips`)).toBe('200 / GET /clips')
    expect(await ask(`${server.url}/`, { method: 'POST' })).toBe('200 / POST /')
  })

  test('what is not under a prefix is not found', async () => {
    await using server = await start({ paths: [{ prefix: '/clips/', handler: echo('clips') }] })
    expect(await ask(`${server.url}/clips`)).toBe('404 Not found\n')
    expect(await ask(`${server.url}/clip/s`, { method: 'POST' })).toBe('404 Not found here\n')
  })

  test('the routes that the server has of itself come first', async () => {
    const own = { graphql: { ...echo('graphql'), handleUpgrade: () => {} }, readJwks: () => ({ keys: [] }) }
    await using server = await start({ ...own, paths: [{ prefix: '/', handler: echo('all') }] })
    expect(await ask(`${server.url}/healthz`)).toBe('200 alive\n')
    expect(await ask(`${server.url}/readyz`)).toBe('200 ready\n')
    expect(await ask(`${server.url}/readyz`, { method: 'POST' })).toBe('405 Not found here\n')
    expect(await ask(`${server.url}/.well-known/jwks.json`)).toBe('200 {"keys":[]}')
    expect(await ask(`${server.url}/graphql`)).toBe('200 graphql GET /graphql')
    expect(await ask(`${server.url}/`)).toBe('200 all GET /')
    await using bare = await start(own)
    expect(await ask(`${bare.url}/`)).toBe('404 Not found\n')
  })

  test('an upgrade goes to the same handler, and is not found where that has none', async () => {
    const { handleRequest } = echo('plain')
    const paths = [
      { prefix: '/', handler: { handleRequest } },
      { prefix: '/signaling/', handler: echo('signaling') },
    ]
    await using server = await start({ paths })
    expect(await upgrade(server.port, '/signaling/room')).toContain('x-name: signaling /signaling/room')
    expect(await upgrade(server.port, '/other')).toMatch(/^HTTP\/1.1 404/)
    expect(await upgrade(server.port, '/healthz')).toMatch(/^HTTP\/1.1 404/)
  })

  test('a handler that throws is answered with 500', async () => {
    const handleRequest = () => {
      throw new Error('broken')
    }
    await using server = await start({ paths: [{ prefix: '/', handler: { handleRequest } }] })
    expect(await ask(`${server.url}/`)).toBe('500 Internal error\n')
  })

  test('a stop waits for a request in flight, and breaks off one that takes too long', async () => {
    for (const { deadlineMs, outcome } of [
      { deadlineMs: 5_000, outcome: '200 late' },
      { deadlineMs: 50, outcome: 'broken off' },
    ]) {
      const asked = Promise.withResolvers<() => void>()
      const handler: HttpPath['handler'] = {
        handleRequest: (_, response) => asked.resolve(() => response.end('late')),
      }
      const server = await start({ paths: [{ prefix: '/exports/', handler }] }, deadlineMs)
      const answer = ask(`${server.url}/exports/x`).catch(() => 'broken off')
      const finish = await asked.promise
      const stopped = server[Symbol.asyncDispose]()
      if (outcome === '200 late') finish()
      expect(await answer).toBe(outcome)
      await stopped
    }
  })

  test('a stop does not wait for a response that its handler calls a stream', async () => {
    const opened = Promise.withResolvers<() => void>()
    const handler: HttpPath['handler'] = {
      handleRequest(_, response, onStream) {
        response.write('begun')
        onStream?.()
        opened.resolve(() => response.end())
      },
    }
    const server = await start({ paths: [{ prefix: '/live/', handler }] }, 60_000)
    const answer = ask(`${server.url}/live/x`)
    const end = await opened.promise
    await waitFor(() => server[Symbol.asyncDispose]().then(() => true), { what: 'the stop' })
    end()
    expect(await answer).toBe('200 begun')
  })

  test.each([
    [['clips/'], 'Expected a prefix that begins and ends with a slash, got clips/.'],
    [['/clips'], 'Expected a prefix that begins and ends with a slash, got /clips.'],
    [['/a/', '/b/', '/a/'], 'Expected each prefix once, got /a/ twice.'],
  ])('prefixes %j are refused', (prefixes, message) => {
    const paths = prefixes.map(prefix => ({ prefix, handler: echo(prefix) }))
    expect(() => createHttpPaths(paths)).toThrow(new TypeError(message))
  })

  test('a body that takes too long is answered with 408, unless the handler sees to it', async () => {
    const handleRequest: HttpPath['handler']['handleRequest'] = (request, response) =>
      void request.resume().once('end', () => response.end('whole'))
    const routes = {
      isReady: () => true,
      paths: [
        { prefix: '/', handler: { handleRequest: () => {} } },
        { prefix: '/patient/', handler: { handleRequest }, boundsBodies: true },
      ],
    }
    await using server = await startHttpServer({
      ...{ port: 0, host: '127.0.0.1', routes, logger, bodyDeadlineMs: 100 },
    })
    const begin = (path: string) => {
      const socket = connect(server.port, '127.0.0.1')
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\n1`)
      return socket.setEncoding('utf8')
    }
    const patient = begin('/patient/')
    expect((await begin('/other').toArray()).join('')).toMatch(/^HTTP\/1.1 408/)
    patient.write('2')
    expect((await patient.toArray()).join('')).toMatch(/^HTTP\/1.1 200/)
  })
})
