import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { promisify } from 'node:util'
import type { FormattedExecutionResult } from 'graphql'
import { createClient, NetworkError } from 'graphql-sse'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createMetrics } from '../../subgraphs/shared/metrics.ts'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import { openEventSource, type SseMessage } from '../testing/event-source.ts'
import { type Shape, startTestGateway, type TestGateway, testToken } from '../testing/start-test-gateway.ts'

const CHANGED = 'subscription { productChanged { id name reviewer } }'
const PRESS = { id: '1', name: 'Press', reviewer: 'r1' }
const COMPLETE: SseMessage = { event: 'complete', id: '', data: '' }

/** Subscribes with the client of graphql-sse; `ended` settles with the error that ended it, or undefined. */
function collect(
  gateway: TestGateway,
  request: { query: string; variables?: Record<string, unknown>; extensions?: Record<string, unknown> },
  headers: Record<string, string> = {},
) {
  const client = createClient({ url: gateway.url, headers, retryAttempts: 0 })
  const results: FormattedExecutionResult[] = []
  const ended = Promise.withResolvers<unknown>()
  const unsubscribe = client.subscribe(request, {
    next: result => results.push(result as FormattedExecutionResult),
    error: ended.resolve,
    complete: () => ended.resolve(undefined),
  })
  const next = async (count: number) => {
    await waitFor(() => results.length >= count, { what: `${count} results` })
    return results
  }
  return { results, next, ended: ended.promise, unsubscribe }
}

function post(gateway: TestGateway, body: object, headers: Record<string, string> = {}) {
  return openEventSource(gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

function get(gateway: TestGateway, parameters: Record<string, string>, headers: Record<string, string> = {}) {
  return openEventSource(`${gateway.url}?${new URLSearchParams(parameters)}`, {
    headers: { 'apollo-require-preflight': '1', ...headers },
  })
}

/** Asks for a stream on a bare connection, and resolves when its head has come. */
async function openRaw(gateway: TestGateway, query: string, token?: string): Promise<Socket> {
  const body = JSON.stringify({ query })
  const socket = connect(gateway.server.port, '127.0.0.1').on('error', () => {})
  const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`
  socket.write(
    `POST /graphql HTTP/1.1\r\nHost: x\r\n${authorization}Content-Type: application/json\r\nAccept: text/event-stream\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  await once(socket, 'data')
  return socket
}

/** What a gauge without labels stands at. */
async function readGauge(metrics: ReturnType<typeof createMetrics>, name: string): Promise<number> {
  const found = await metrics.getSingleMetric(name)?.get()
  return found?.values[0]?.value ?? Number.NaN
}

describe.each<Shape>(['in-process', 'remote'])('event streams with subgraphs %s', shape => {
  let gateway: TestGateway

  beforeAll(async () => {
    gateway = await startTestGateway({ shape })
  })

  afterAll(async () => {
    await gateway[Symbol.asyncDispose]()
  })

  afterEach(async () => {
    await gateway.fixture.topic.waitForFollowers(0)
  })

  test('the client of graphql-sse follows, with fields of both subgraphs and the cursor', async () => {
    const { topic } = gateway.fixture
    const { next, unsubscribe, ended } = collect(gateway, { query: CHANGED })
    await topic.waitForFollowers(1)
    topic.push({ id: '1', cursor: '7-0.0' })
    topic.push({ id: '2' })
    expect(await next(2)).toEqual([
      { data: { productChanged: PRESS }, extensions: { cursor: '7-0.0' } },
      { data: { productChanged: { id: '2', name: 'Oven', reviewer: 'r2' } } },
    ])
    unsubscribe()
    expect(await ended).toBeUndefined()
  })

  test('the head and a comment come before the first event, and each event has its cursor as id', async () => {
    const { topic } = gateway.fixture
    const source = await post(gateway, { query: CHANGED })
    expect(source.response.status).toBe(200)
    expect(Object.fromEntries(source.response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(source.response.headers.get('content-encoding')).toBeNull()
    await waitFor(() => source.comments === 1, { what: 'the first comment' })
    await topic.waitForFollowers(1)
    topic.push({ id: '1', cursor: '7-0.0' })
    const data = JSON.stringify({ data: { productChanged: PRESS }, extensions: { cursor: '7-0.0' } })
    expect(await source.next(1)).toEqual([{ event: 'next', id: '7-0.0', data }])
    source.close()
  })

  test('a GET with the CSRF header follows too, with variables; without it it is refused', async () => {
    const { topic } = gateway.fixture
    const query = 'subscription W($kind: String) { productChanged(kind: $kind) { id } }'
    const source = await get(gateway, { query, operationName: 'W', variables: '{"kind":"x"}' })
    await topic.waitForFollowers(1)
    topic.push({ id: '1' })
    expect((await source.next(1))[0]?.data).toBe('{"data":{"productChanged":{"id":"1"}}}')
    source.close()
    const bare = await openEventSource(`${gateway.url}?${new URLSearchParams({ query })}`)
    expect(bare.response.status).toBe(400)
    expect(bare.response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  test('curl follows, as a person does', async () => {
    const { topic } = gateway.fixture
    const curl = promisify(execFile)('curl', [
      ...['-sN', '--max-time', '20', gateway.url, '-H', 'content-type: application/json'],
      ...['-H', 'accept: text/event-stream', '-d', JSON.stringify({ query: CHANGED })],
    ])
    await topic.waitForFollowers(1)
    topic.push({ id: '1', cursor: '7-0.0' })
    topic.fail(new Error('secret'))
    expect((await curl).stdout.split('\n')).toEqual([
      ...[':', '', 'event: next', 'id: 7-0.0'],
      ...[`data: {"data":{"productChanged":${JSON.stringify(PRESS)}},"extensions":{"cursor":"7-0.0"}}`, ''],
      ...['event: next', expect.stringMatching(/^data: {"errors":\[.*INTERNAL_SERVER_ERROR/), ''],
      ...['event: complete', 'data:', '', ''],
    ])
  })

  test('queries and mutations answer one event, as over HTTP, and the connection is used again', async () => {
    const token = { authorization: `Bearer ${testToken({ userId: 'cem' })}` }
    const query = collect(gateway, { query: '{ whoAmI forbidden }' }, token)
    expect(await query.ended).toBeUndefined()
    expect(query.results).toEqual([
      {
        data: { whoAmI: 'cem', forbidden: null },
        errors: [{ message: 'Not for you.', path: ['forbidden'], extensions: { code: 'FORBIDDEN' } }],
      },
    ])
    const rename = 'mutation { rename(id: "2", name: "Oven") { name } }'
    const { messages, ended, response } = await post(gateway, { query: rename })
    await ended
    expect(response.headers.get('cache-control')).toBe('no-cache, no-transform')
    expect(response.headers.get('connection')).toBe('keep-alive')
    expect(messages).toEqual([
      { event: 'next', id: '', data: '{"data":{"rename":{"name":"Oven"}}}' },
      COMPLETE,
    ])
  })

  test('a WebSocket and event streams of the same document share one stream and one execution', async () => {
    const { topic, contexts } = gateway.fixture
    const results: unknown[] = []
    const unsubscribe = gateway
      .connect()
      .subscribe({ query: CHANGED }, { next: result => results.push(result), error() {}, complete() {} })
    await topic.waitForFollowers(1)
    const sources = [await post(gateway, { query: CHANGED }), await get(gateway, { query: CHANGED })]
    const subscription = collect(gateway, { query: CHANGED })
    // Who joins a stream that is open shows only by getting an event.
    let pushed = 0
    await waitFor(
      () => {
        topic.push({ id: '1' })
        pushed++
        return sources.every(source => source.messages.length > 0) && subscription.results.length > 0
      },
      { what: 'an event at each' },
    )
    await waitFor(() => results.length === pushed, { what: 'all events so far' })
    const before = contexts.reviews ?? 0
    topic.push({ id: '1', cursor: '9-0.0' })
    for (const source of sources)
      await waitFor(() => source.messages.at(-1)?.id === '9-0.0', { what: 'the last event' })
    await waitFor(() => subscription.results.at(-1)?.extensions?.cursor === '9-0.0')
    expect((contexts.reviews ?? 0) - before).toBe(1)
    expect(topic.followers).toBe(1)
    unsubscribe()
    subscription.unsubscribe()
    for (const source of sources) source.close()
  })

  test('what the subgraph refuses is a last event with its errors', async () => {
    const { results, ended } = collect(gateway, { query: 'subscription { mine { id } }' })
    expect(await ended).toBeUndefined()
    expect(results).toEqual([
      { errors: [{ message: 'Sign in first.', path: ['mine'], extensions: { code: 'UNAUTHENTICATED' } }] },
    ])
  })
})

describe('what is refused before a stream', () => {
  let gateway: TestGateway

  beforeAll(async () => {
    gateway = await startTestGateway({ shape: 'in-process', limits: { maxDepth: 3, maxBodyBytes: 5_000 } })
  })

  afterAll(async () => {
    expect(gateway.fixture.topic.followers).toBe(0)
    await gateway[Symbol.asyncDispose]()
  })

  test.each([
    ['does not parse', { query: 'subscription {' }, 'GRAPHQL_PARSE_FAILED', 1],
    [
      'does not validate, with all errors,',
      { query: 'subscription { productChanged { id a b } }' },
      'GRAPHQL_VALIDATION_FAILED',
      2,
    ],
    ['is a query that does not validate', { query: '{ productz { id } }' }, 'GRAPHQL_VALIDATION_FAILED', 1],
    [
      'breaks a limit',
      { query: 'subscription { productChanged { reviews { product { id } } } }' },
      'BAD_USER_INPUT',
      1,
    ],
    [
      'has bad variables',
      { query: 'subscription ($k: String!) { productChanged(kind: $k) { id } }', variables: { k: 7 } },
      'BAD_USER_INPUT',
      1,
    ],
    [
      'resumes after no cursor',
      { query: CHANGED, extensions: { resumeAfter: 'yesterday' } },
      'BAD_USER_INPUT',
      1,
    ],
    [
      'has an unknown id',
      { extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } } },
      'PERSISTED_QUERY_NOT_FOUND',
      1,
    ],
  ])('an operation that %s is told why in one event, which graphql-sse does not retry', async (...row) => {
    const [, request, code, count] = row
    const { ended, results } = collect(gateway, request as { query: string })
    expect(await ended).toBeUndefined()
    expect(results).toEqual([
      {
        errors: Array.from({ length: count }, () =>
          expect.objectContaining({ extensions: expect.objectContaining({ code }) }),
        ),
      },
    ])
  })

  test.each([
    ['variables that are no object', { query: CHANGED, variables: 'x' }],
    ['a body that is no object', []],
    ['no operation', {}],
  ])('%s: one answer, no stream', async (_, body) => {
    const { response, ended } = await post(gateway, body)
    await ended
    expect([200, 400]).toContain(response.status)
  })

  test('who takes JSON as well gets errors as JSON, with their status', async () => {
    const { status, body } = await gateway.post(
      { query: 'subscription { productChanged { nothing } }' },
      { accept: 'application/json, text/event-stream' },
    )
    expect(status).toBe(400)
    expect(body.errors).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }])
  })

  test.each([
    ['a bad token', 401, 'UNAUTHENTICATED', { query: CHANGED }, { authorization: 'Bearer nonsense' }],
    ['a bad type', 415, 'BAD_USER_INPUT', { query: CHANGED }, { 'content-type': 'text/plain' }],
    ['a large body', 413, 'PAYLOAD_TOO_LARGE', { query: CHANGED, variables: { a: 'x'.repeat(6_000) } }, {}],
  ])('%s keeps its status, as JSON, which is an error with the response to graphql-sse', async (...row) => {
    const [, status, code, body, headers] = row
    const { response } = await post(gateway, body, headers)
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    if (status !== 401) return
    const error = (await collect(gateway, body, headers).ended) as NetworkError<Response>
    expect(error).toBeInstanceOf(NetworkError)
    expect(error.response?.status).toBe(401)
    expect(await error.response?.json()).toMatchObject({ errors: [{ extensions: { code } }] })
  })

  test('who does not ask for a stream is told both ways, and */* does not ask', async () => {
    for (const accept of ['*/*', 'application/json', 'text/event-stream;q=0, */*']) {
      const { status, body } = await gateway.post({ query: CHANGED }, { accept })
      expect(status).toBe(400)
      expect(body.errors[0].extensions.code).toBe('BAD_USER_INPUT')
      expect(body.errors[0].message).toMatch(/graphql-transport-ws.*Accept: text\/event-stream.*graphql-sse/)
    }
  })

  test('a client that takes both gets JSON for a query, and a stream for a subscription', async () => {
    const accept = 'application/graphql-response+json, application/json, text/event-stream, multipart/mixed'
    const { headers, body } = await gateway.post({ query: '{ whoAmI }' }, { accept })
    expect(headers.get('content-type')).toMatch(/^application\/(graphql-response\+)?json/)
    expect(body).toEqual({ data: { whoAmI: null } })
    const source = await post(gateway, { query: CHANGED }, { accept })
    await gateway.fixture.topic.waitForFollowers(1)
    expect(source.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    source.close()
    await gateway.fixture.topic.waitForFollowers(0)
  })

  test('HEAD, OPTIONS and PUT are answered as without the header', async () => {
    for (const method of ['HEAD', 'OPTIONS', 'PUT']) {
      const headers = { 'apollo-require-preflight': '1' }
      const url = `${gateway.url}?${new URLSearchParams({ query: CHANGED })}`
      const plain = await fetch(url, { method, headers })
      const asked = await fetch(url, { method, headers: { ...headers, accept: 'text/event-stream' } })
      expect([asked.status, asked.headers.get('content-type'), await asked.text()]).toEqual([
        plain.status,
        plain.headers.get('content-type'),
        await plain.text(),
      ])
    }
  })

  test('persisted documents run by their id', async () => {
    const query = 'subscription { changed: productChanged { id } }'
    const sha256Hash = createHash('sha256').update(query).digest('hex')
    const extensions = { persistedQuery: { version: 1, sha256Hash } }
    const { topic } = gateway.fixture
    const first = await post(gateway, { query, extensions })
    await topic.waitForFollowers(1)
    first.close()
    await topic.waitForFollowers(0)
    for (const open of [
      () => post(gateway, { documentId: `sha256:${sha256Hash}` }),
      () => get(gateway, { extensions: JSON.stringify(extensions) }),
    ]) {
      const source = await open()
      await topic.waitForFollowers(1)
      topic.push({ id: '1' })
      expect((await source.next(1))[0]?.data).toBe('{"data":{"changed":{"id":"1"}}}')
      source.close()
      await topic.waitForFollowers(0)
    }
  })

  test('a stream behind an answer that is still to come on its connection is refused, not lost', async () => {
    const { hanging, topic } = gateway.fixture
    const socket = connect(gateway.server.port, '127.0.0.1')
    const request = (query: string, accept: string) => {
      const body = JSON.stringify({ query })
      return `POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAccept: ${accept}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    }
    let text = ''
    socket.on('data', data => {
      text += data
    })
    socket.write(request('{ hanging }', '*/*') + request(CHANGED, 'text/event-stream'))
    socket.write(request('{ whoAmI }', '*/*'))
    await gateway.query('{ whoAmI }')
    hanging.resolve('done')
    await waitFor(() => text.includes('whoAmI'), { what: 'the last answer' })
    expect(text).toMatch(/"hanging":"done"[\s\S]*cannot wait behind other answers[\s\S]*"whoAmI":null/)
    expect(topic.followers).toBe(0)
    socket.destroy()
  })
})

describe('rates and bounds of event streams', () => {
  test('a stream takes points and counts as a connection and a subscription of its caller', async () => {
    await using gateway = await startTestGateway({
      shape: 'in-process',
      limits: { maxConnectionsPerCaller: 2, maxSubscriptionsPerCaller: 3 },
    })
    const { topic } = gateway.fixture
    const ann = { authorization: `Bearer ${testToken({ userId: 'ann' })}` }
    const bob = { authorization: `Bearer ${testToken({ userId: 'bob' })}` }
    const open = [await post(gateway, { query: CHANGED }, ann), await post(gateway, { query: CHANGED }, ann)]
    const refused = await gateway.post({ query: CHANGED }, { ...ann, accept: 'text/event-stream' })
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.body.errors).toMatchObject([
      { extensions: { code: 'RATE_LIMITED', limit: 'connectionsPerCaller', max: 2 } },
    ])
    const other = await post(gateway, { query: CHANGED }, bob)
    expect(other.response.status).toBe(200)
    for (const source of [...open, other]) source.close()
    await topic.waitForFollowers(0)
    const again = await post(gateway, { query: CHANGED }, ann)
    expect(again.response.status).toBe(200)
    const socket = gateway.connect(ann)
    for (const alias of ['a', 'b'])
      socket.subscribe(
        { query: `subscription { ${alias}: productChanged { id } }` },
        { next() {}, error() {}, complete() {} },
      )
    await topic.waitForFollowers(4 - 1)
    again.close()
    await topic.waitForFollowers(2)
    const third = await post(gateway, { query: CHANGED }, ann)
    await topic.waitForFollowers(3)
    third.close()
    await topic.waitForFollowers(2)
  })

  test('one subscription too many of a caller is 429 and leaves nothing behind', async () => {
    await using gateway = await startTestGateway({
      shape: 'in-process',
      limits: { maxSubscriptionsPerCaller: 1 },
    })
    const first = await post(gateway, { query: CHANGED })
    const refused = await gateway.post({ query: CHANGED }, { accept: 'text/event-stream' })
    expect(refused.status).toBe(429)
    expect(refused.body.errors[0].extensions.limit).toBe('subscriptionsPerCaller')
    first.close()
    await gateway.fixture.topic.waitForFollowers(0)
    // A bad cursor is found last, when all has been counted.
    for (let i = 0; i < 3; i++)
      await (await post(gateway, { query: CHANGED }, { 'last-event-id': 'no cursor' })).ended
    const again = await post(gateway, { query: CHANGED })
    expect(again.response.headers.get('content-type')).toContain('event-stream')
    again.close()
  })

  test('past the most of all there is 503', async () => {
    await using gateway = await startTestGateway({ shape: 'in-process', limits: { maxEventStreams: 1 } })
    const first = await post(gateway, { query: CHANGED })
    const refused = await gateway.post({ query: CHANGED }, { accept: 'text/event-stream' })
    expect(refused.status).toBe(503)
    expect(refused.body.errors[0].extensions.code).toBe('UNAVAILABLE')
    first.close()
  })

  test('comments keep a silent stream alive', async () => {
    await using gateway = await startTestGateway({ shape: 'in-process', limits: { keepAliveMs: 20 } })
    const source = await post(gateway, { query: CHANGED })
    await waitFor(() => source.comments >= 4, { what: 'comments' })
    expect(source.messages).toEqual([])
    source.close()
  })

  test('a stream that is not read is cut and logged, and nobody else waits for it', async () => {
    await using gateway = await startTestGateway({
      shape: 'in-process',
      limits: { maxBufferedBytes: 2_000_000 },
    })
    const { topic } = gateway.fixture
    const name = 'x'.repeat(500_000)
    await gateway.query('mutation ($name: String!) { rename(id: "1", name: $name) { id } }', { name })
    const slow = await openRaw(gateway, 'subscription { slow: productChanged { name } }')
    slow.pause()
    const quick = collect(gateway, { query: 'subscription { productChanged { id } }' })
    await topic.waitForFollowers(2)
    let pushed = 0
    await waitFor(
      async () => {
        topic.push({ id: '1' })
        pushed++
        await quick.next(pushed)
        return topic.followers === 1
      },
      { what: 'the end of the slow one', deadlineMs: 20_000 },
    )
    expect(gateway.logged.join('')).toContain('gateway.event_stream_too_slow')
    topic.push({ id: '2' })
    expect((await quick.next(pushed + 1)).at(-1)).toEqual({ data: { productChanged: { id: '2' } } })
    slow.destroy()
    quick.unsubscribe()
  })

  test('a thousand clients that die at once leave nothing', async () => {
    const metrics = createMetrics({ group: 'test', withDefaults: false })
    await using gateway = await startTestGateway({
      shape: 'in-process',
      metrics,
      limits: { maxConnectionsPerCaller: 1_000, maxPoints: 0 },
    })
    const { topic } = gateway.fixture
    for (let round = 0; round < 2; round++) {
      const sockets: Socket[] = []
      for (let i = 0; i < 1_000; i += 50)
        sockets.push(...(await Promise.all(Array.from({ length: 50 }, () => openRaw(gateway, CHANGED)))))
      expect(await readGauge(metrics, 'nuvion_gateway_event_streams')).toBe(1_000)
      expect(await readGauge(metrics, 'nuvion_gateway_subscriptions')).toBe(1_000)
      await topic.waitForFollowers(1)
      for (const socket of sockets) socket.resetAndDestroy()
      await topic.waitForFollowers(0)
      expect(await readGauge(metrics, 'nuvion_gateway_event_streams')).toBe(0)
      expect(await readGauge(metrics, 'nuvion_gateway_subscriptions')).toBe(0)
      expect(await readGauge(metrics, 'nuvion_gateway_subscription_groups')).toBe(0)
    }
  })
})

describe('the end of rights', () => {
  test('the end of the token is a last event UNAUTHENTICATED, and complete', async () => {
    await using gateway = await startTestGateway({ shape: 'in-process' })
    const authorization = `Bearer ${testToken({ lifeMs: 100 })}`
    const { ended, results } = collect(gateway, { query: 'subscription { mine { id } }' }, { authorization })
    expect(await ended).toBeUndefined()
    expect(results).toEqual([
      { errors: [{ message: 'The access token has expired.', extensions: { code: 'UNAUTHENTICATED' } }] },
    ])
    await gateway.fixture.topic.waitForFollowers(0)
  })

  test('the end of the session ends its streams, not those of others', async () => {
    await using gateway = await startTestGateway({ shape: 'in-process' })
    const { topic, endSession } = gateway.fixture
    const [mine, theirs] = ['s1', 's2'].map(sessionId =>
      collect(
        gateway,
        { query: `subscription { ${sessionId}: productChanged { id } }` },
        { authorization: `Bearer ${testToken({ sessionId })}` },
      ),
    )
    await topic.waitForFollowers(2)
    endSession('s1')
    await topic.waitForFollowers(1)
    expect(await mine?.ended).toBeUndefined()
    expect(mine?.results).toEqual([
      { errors: [{ message: 'The session has ended.', extensions: { code: 'UNAUTHENTICATED' } }] },
    ])
    topic.push({ id: '1' })
    expect(await theirs?.next(1)).toEqual([{ data: { s2: { id: '1' } } }])
    theirs?.unsubscribe()
    await topic.waitForFollowers(0)
  })
})

describe('the end of the server', () => {
  test('streams end without complete, do not hold up the stop, and their connections close', async () => {
    await using gateway = await startTestGateway({ shape: 'in-process', limits: { drainDeadlineMs: 60_000 } })
    const { topic } = gateway.fixture
    const source = await post(gateway, { query: CHANGED })
    const client = collect(gateway, { query: 'subscription { productChanged { id } }' })
    await topic.waitForFollowers(2)
    topic.push({ id: '1', cursor: '7-0.0' })
    await Promise.all([source.next(1), client.next(1)])
    const closed = once((await openRaw(gateway, CHANGED)).resume(), 'close')
    const startedAt = performance.now()
    await gateway.server[Symbol.asyncDispose]()
    topic.push({ id: '2', cursor: '7-0.1' })
    await Promise.all([source.next(2), client.next(2)])
    await gateway.gateway[Symbol.asyncDispose]()
    expect(performance.now() - startedAt).toBeLessThan(1_500)
    await source.ended
    await closed
    expect(source.messages.map(({ event, id }) => [event, id])).toEqual([
      ['next', '7-0.0'],
      ['next', '7-0.1'],
    ])
    expect(await client.ended).toBeInstanceOf(NetworkError)
    expect(topic.followers).toBe(0)
  })

  test('a client that reads nothing is cut 2 s after', async () => {
    await using gateway = await startTestGateway({
      shape: 'in-process',
      limits: { maxBufferedBytes: 100_000_000 },
    })
    const { topic } = gateway.fixture
    await gateway.query('mutation ($name: String!) { rename(id: "1", name: $name) { id } }', {
      name: 'x'.repeat(900_000),
    })
    const slow = await openRaw(gateway, 'subscription { productChanged { name } }')
    slow.pause()
    await topic.waitForFollowers(1)
    for (let i = 0; i < 20; i++) topic.push({ id: '1' })
    await gateway.query('{ whoAmI }')
    await gateway.server[Symbol.asyncDispose]()
    await gateway.gateway[Symbol.asyncDispose]()
    slow.destroy()
  })

  test('while it drains new streams are refused with 503', async () => {
    await using gateway = await startTestGateway({ shape: 'in-process' })
    const hanging = gateway.query('{ hanging }')
    await gateway.query('{ whoAmI }')
    const stopped = gateway.gateway[Symbol.asyncDispose]()
    const refused = await gateway.post({ query: CHANGED }, { accept: 'text/event-stream' })
    expect(refused.status).toBe(503)
    gateway.fixture.hanging.resolve('done')
    await hanging
    await stopped
  })
})
