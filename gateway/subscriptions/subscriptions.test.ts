import type { FormattedExecutionResult } from 'graphql'
import type { Client } from 'graphql-ws'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import { type Shape, startTestGateway, type TestGateway, testToken } from '../testing/start-test-gateway.ts'

const CHANGED = 'subscription { productChanged { id name reviewer reviews { text } } }'

/** Subscribes and collects; `ended` settles with the error that ended it, or undefined. */
function collect(client: Client, query: string, variables?: Record<string, unknown>) {
  const results: FormattedExecutionResult[] = []
  const ended = Promise.withResolvers<unknown>()
  const unsubscribe = client.subscribe(
    { query, variables },
    {
      next: result => results.push(result as FormattedExecutionResult),
      error: ended.resolve,
      complete: () => ended.resolve(undefined),
    },
  )
  const next = async (count: number) => {
    await waitFor(() => results.length >= count, { what: `${count} results` })
    return results
  }
  return { results, next, ended: ended.promise, unsubscribe }
}

describe.each<Shape>(['in-process', 'remote'])('subscriptions with subgraphs %s', shape => {
  let gateway: TestGateway

  beforeAll(async () => {
    gateway = await startTestGateway({ shape, limits: { maxOperationsPerSocket: 5 } })
  })

  afterAll(async () => {
    await gateway[Symbol.asyncDispose]()
  })

  afterEach(async () => {
    await gateway.fixture.topic.waitForFollowers(0)
  })

  test('each event has fields of both subgraphs and its cursor, in order', async () => {
    const { topic } = gateway.fixture
    const { next, unsubscribe } = collect(gateway.connect(), CHANGED)
    await topic.waitForFollowers(1)
    topic.push({ id: '1', cursor: '7-0.0' })
    topic.push({ id: '2', cursor: '7-0.1' })
    topic.push({ id: '1' })
    const press = { id: '1', name: 'Press', reviewer: 'r1', reviews: [{ text: 'review of 1, version 1' }] }
    const oven = { id: '2', name: 'Oven', reviewer: 'r2', reviews: [{ text: 'review of 2, version 1' }] }
    expect(await next(3)).toEqual([
      { data: { productChanged: press }, extensions: { cursor: '7-0.0' } },
      { data: { productChanged: oven }, extensions: { cursor: '7-0.1' } },
      { data: { productChanged: press } },
    ])
    unsubscribe()
  })

  test('unsubscribing lets go of the source at once, though it waits for an event', async () => {
    const { topic } = gateway.fixture
    const { ended, unsubscribe } = collect(gateway.connect(), CHANGED)
    await topic.waitForFollowers(1)
    unsubscribe()
    await topic.waitForFollowers(0)
    expect(await ended).toBeUndefined()
  })

  test('a socket that dies lets go of its sources', async () => {
    const { topic } = gateway.fixture
    const client = gateway.connect()
    const { ended } = collect(client, CHANGED)
    await topic.waitForFollowers(1)
    client.terminate()
    await topic.waitForFollowers(0)
    expect(await ended).toMatchObject({ code: 4499 })
  })

  test('every event is loaded anew', async () => {
    const { fixture } = gateway
    const { next, unsubscribe } = collect(gateway.connect(), CHANGED)
    await fixture.topic.waitForFollowers(1)
    const text = (result?: FormattedExecutionResult) => JSON.stringify(result?.data)
    fixture.topic.push({ id: '1' })
    expect(text((await next(1))[0])).toContain('version 1')
    fixture.version = 2
    fixture.topic.push({ id: '1' })
    expect(text((await next(2))[1])).toContain('version 2')
    fixture.version = 1
    unsubscribe()
  })

  test('aliases, fragments and variables work as in a query', async () => {
    const { topic } = gateway.fixture
    const query = `subscription Watch($reviewer: Boolean!, $size: Even = 2) {
      changed: productChanged(kind: "x", size: $size) { ...P reviewer @include(if: $reviewer) }
    }
    fragment P on Product { title: name }`
    const { next, unsubscribe } = collect(gateway.connect(), query, { reviewer: false })
    await topic.waitForFollowers(1)
    topic.push({ id: '2' })
    expect(await next(1)).toEqual([{ data: { changed: { title: 'Oven' } } }])
    unsubscribe()
  })

  test('an error in one field of an event is an error of that event alone', async () => {
    const { topic } = gateway.fixture
    const { next, unsubscribe } = collect(
      gateway.connect(),
      'subscription { productChanged { id stubborn } }',
    )
    await topic.waitForFollowers(1)
    topic.push({ id: '2', cursor: 'c' })
    topic.push({ id: '1' })
    expect(await next(2)).toEqual([
      {
        data: { productChanged: { id: '2', stubborn: null } },
        errors: [{ message: 'No.', path: ['productChanged', 'stubborn'], extensions: { code: 'CONFLICT' } }],
        extensions: { cursor: 'c' },
      },
      { data: { productChanged: { id: '1', stubborn: 'yes' } } },
    ])
    unsubscribe()
  })

  test('a source without cursors that is lost is opened again, and says that events may be missing', async () => {
    const { topic } = gateway.fixture
    const { next, unsubscribe } = collect(gateway.connect(), 'subscription { productChanged { id } }')
    await topic.waitForFollowers(1)
    topic.fail(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
    expect(await next(1)).toEqual([{ data: null, extensions: { gap: true } }])
    topic.push({ id: '1' })
    expect((await next(2))[1]).toEqual({ data: { productChanged: { id: '1' } } })
    unsubscribe()
  })

  test('a source that fails for good ends the subscription with an error', async () => {
    const { topic } = gateway.fixture
    const { ended } = collect(gateway.connect(), 'subscription { productChanged { id } }')
    await topic.waitForFollowers(1)
    topic.fail(new Error('secret'))
    expect(await ended).toMatchObject([{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }])
  })

  test('a subscription that the subgraph refuses is answered with its errors, and ends', async () => {
    const { ended, results } = collect(gateway.connect(), 'subscription { mine { id } }')
    expect(await ended).toBeUndefined()
    expect(results).toEqual([
      { errors: [{ message: 'Sign in first.', path: ['mine'], extensions: { code: 'UNAUTHENTICATED' } }] },
    ])
  })

  test('a value that only the subgraph can judge is BAD_USER_INPUT', async () => {
    const { ended, results } = collect(gateway.connect(), 'subscription { productChanged(size: 3) { id } }')
    await ended
    expect(results).toMatchObject([{ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] }])
  })

  test('what cannot run is answered with an error message and does not cost the socket', async () => {
    const client = gateway.connect()
    let closes = 0
    client.on('closed', () => closes++)
    const refusals: [string, string, Record<string, unknown>?][] = [
      ['subscription {', 'GRAPHQL_PARSE_FAILED'],
      ['subscription { productZ { id } }', 'GRAPHQL_VALIDATION_FAILED'],
      [
        'subscription ($v: Boolean!) { productChanged @include(if: $v) { id } }',
        'BAD_USER_INPUT',
        { v: true },
      ],
      ['subscription { ...S } fragment S on Subscription { mine @skip(if: true) { id } }', 'BAD_USER_INPUT'],
      ['subscription { productChanged { id } mine { id } }', 'GRAPHQL_VALIDATION_FAILED'],
      ['subscription ($k: String!) { productChanged(kind: $k) { id } }', 'BAD_USER_INPUT', { k: 7 }],
      ['query ($v: Boolean!) { product(id: 1) @include(if: $v) { id } ', 'GRAPHQL_PARSE_FAILED'],
      ['fragment F on Product { id }', 'OPERATION_RESOLUTION_FAILURE'],
      [`{ ${'whoAmI '.repeat(21)} }`, 'BAD_USER_INPUT'],
    ]
    const other = collect(client, CHANGED)
    await gateway.fixture.topic.waitForFollowers(1)
    for (const [query, code, variables] of refusals) {
      const { ended, results } = collect(client, query, variables)
      expect(await ended, query).toMatchObject([{ extensions: { code } }])
      expect(results).toEqual([])
    }
    gateway.fixture.topic.push({ id: '1' })
    await other.next(1)
    expect(closes).toBe(0)
    other.unsubscribe()
  })

  test('queries and mutations over the socket answer as over HTTP', async () => {
    const client = gateway.connect({ authorization: `Bearer ${testToken({ userId: 'cem' })}` })
    const query = collect(client, '{ whoAmI products { name reviewer } forbidden }')
    await query.ended
    expect(query.results).toEqual([
      {
        data: {
          whoAmI: 'cem',
          products: [
            { name: 'Press', reviewer: 'r1' },
            { name: 'Oven', reviewer: 'r2' },
          ],
          forbidden: null,
        },
        errors: [{ message: 'Not for you.', path: ['forbidden'], extensions: { code: 'FORBIDDEN' } }],
      },
    ])
    const invalid = collect(client, '{ productz }')
    await invalid.ended
    expect(invalid.results).toMatchObject([
      { errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] },
    ])
  })

  test('one operation too many on a socket is RATE_LIMITED', async () => {
    const client = gateway.connect()
    const open = Array.from({ length: 5 }, (_, i) =>
      collect(client, `subscription { a${i}: productChanged { id } }`),
    )
    await gateway.fixture.topic.waitForFollowers(5)
    const extra = collect(client, 'subscription { productChanged { id } }')
    expect(await extra.ended).toMatchObject([{ extensions: { code: 'RATE_LIMITED' } }])
    for (const { unsubscribe } of open) unsubscribe()
  })
})

describe('a remote subgraph that dies', () => {
  test('ends its subscriptions with UNAVAILABLE once it is gone for good, and the socket lives on', async () => {
    await using gateway = await startTestGateway({ shape: 'remote', limits: { reopenDeadlineMs: 200 } })
    const client = gateway.connect()
    const { ended } = collect(client, CHANGED)
    await gateway.fixture.topic.waitForFollowers(1)
    await gateway.kill('catalog')
    expect(await ended).toMatchObject([{ extensions: { code: 'UNAVAILABLE' } }])
    await gateway.fixture.topic.waitForFollowers(0)
    const late = collect(client, CHANGED)
    expect(await late.ended).toMatchObject([{ extensions: { code: 'UNAVAILABLE' } }])
    const query = collect(client, '{ latest { text } }')
    expect(await query.next(1)).toEqual([{ data: { latest: { text: 'good' } } }])
  })

  test('blanks its fields of an event when another subgraph made the event', async () => {
    await using gateway = await startTestGateway({ shape: 'remote' })
    const { next, unsubscribe } = collect(
      gateway.connect(),
      'subscription { productChanged { id reviewer } }',
    )
    await gateway.fixture.topic.waitForFollowers(1)
    await gateway.kill('reviews')
    gateway.fixture.topic.push({ id: '1', cursor: 'c' })
    expect(await next(1)).toEqual([
      {
        data: { productChanged: { id: '1', reviewer: null } },
        errors: [
          expect.objectContaining({
            path: ['productChanged', 'reviewer'],
            extensions: { code: 'UNAVAILABLE' },
          }),
        ],
        extensions: { cursor: 'c' },
      },
    ])
    unsubscribe()
  })
})

describe('sockets', () => {
  /** Opens a bare socket; `closed` settles with its close code. */
  function openSocket(url: string, protocol = 'graphql-transport-ws') {
    const socket = new WebSocket(url, protocol)
    const opened = new Promise<void>(resolve => socket.once('open', () => resolve()))
    const closed = new Promise<{ code: number; reason: string }>(resolve =>
      socket.once('close', (code, reason) => resolve({ code, reason: String(reason) })),
    )
    const send = async (message: object | string) => {
      await opened
      socket.send(typeof message === 'string' ? message : JSON.stringify(message))
    }
    const acknowledged = new Promise<void>(resolve => socket.once('message', () => resolve()))
    const subscribe = (id: string, query: string) => send({ type: 'subscribe', id, payload: { query } })
    return { socket, opened, closed, send, acknowledged, subscribe }
  }

  test.each([
    ['not valid', () => 'Bearer nonsense'],
    ['expired', () => `Bearer ${testToken({ lifeMs: -1 })}`],
    ['no text', () => 17],
  ])('a token that is %s closes with 4403', async (_, makeToken) => {
    await using gateway = await startTestGateway({ shape: 'in-process' })
    const { send, closed } = openSocket(gateway.wsUrl)
    await send({ type: 'connection_init', payload: { authorization: makeToken() } })
    expect((await closed).code).toBe(4403)
  })

  test('the end of the token closes with 4403', async () => {
    await using gateway = await startTestGateway({ shape: 'in-process' })
    const { send, closed } = openSocket(gateway.wsUrl)
    await send({
      type: 'connection_init',
      payload: { authorization: `Bearer ${testToken({ lifeMs: 80 })}` },
    })
    expect(await closed).toEqual({ code: 4403, reason: 'The access token has expired' })
  })

  test('refreshSession over the socket renews it, for its own user only, and running subscriptions with it', async () => {
    await using gateway = await startTestGateway({ shape: 'in-process' })
    const { fixture } = gateway
    let closes = 0
    const expiresAt = Date.now() + 400
    const client = gateway.connect({ authorization: `Bearer ann:s1:${expiresAt}` })
    client.on('closed', () => closes++)
    const mine = collect(client, 'subscription { mine { id askedBy } }')
    await fixture.topic.waitForFollowers(1)
    const refresh = async (token: string) => {
      fixture.nextToken = token
      const { ended } = collect(
        client,
        'mutation { ...R } fragment R on Mutation { r: refreshSession { t: accessToken } }',
      )
      await ended
    }
    await refresh(testToken({ userId: 'mallory', sessionId: 's9' }))
    fixture.topic.push({ id: '1' })
    expect((await mine.next(1))[0]?.data).toEqual({ mine: { id: '1', askedBy: 's1' } })
    await refresh(testToken({ sessionId: 's2' }))
    await waitFor(() => Date.now() > expiresAt + 50, { what: 'the first expiry' })
    fixture.topic.push({ id: '1' })
    expect((await mine.next(2))[1]?.data).toEqual({ mine: { id: '1', askedBy: 's2' } })
    expect(closes).toBe(0)
    mine.unsubscribe()
  })

  test('a token that comes with an operation renews the socket before it runs, for its own user only', async () => {
    await using gateway = await startTestGateway({ shape: 'in-process' })
    let closes = 0
    const expiresAt = Date.now() + 1_000
    const client = gateway.connect({ authorization: `Bearer ann:s1:${expiresAt}` })
    client.on('closed', () => closes++)
    // Keeps the socket open between operations.
    const mine = collect(client, 'subscription { mine { id askedBy } }')
    await gateway.fixture.topic.waitForFollowers(1)
    const ask = async (authorization: unknown, at: typeof client = client) => {
      const answers = at.iterate({ query: '{ product(id: "1") { askedBy } }', extensions: { authorization } })
      for await (const { data, errors } of answers)
        return errors?.[0]?.extensions?.code ?? (data?.product as { askedBy: string } | undefined)?.askedBy
    }
    const refusalOf = (authorization: unknown, at?: typeof client) =>
      ask(authorization, at).catch(([error]) => error.extensions.code)

    expect(await refusalOf(`Bearer ${testToken({ userId: 'mallory' })}`)).toBe('FORBIDDEN')
    expect(await refusalOf('Bearer nonsense')).toBe('UNAUTHENTICATED')
    expect(await refusalOf(testToken())).toBe('UNAUTHENTICATED')
    expect(await refusalOf({ token: testToken() })).toBe('UNAUTHENTICATED')
    expect(await refusalOf(`Bearer ${testToken()}`, gateway.connect())).toBe('FORBIDDEN')
    expect(await ask(null)).toBe('s1')
    expect(await ask(`Bearer ${testToken({ sessionId: 's2' })}`)).toBe('s2')
    await waitFor(() => Date.now() > expiresAt + 50, { what: 'the first expiry' })
    expect(await ask(undefined)).toBe('s2')
    gateway.fixture.topic.push({ id: '1' })
    expect((await mine.next(1))[0]?.data).toEqual({ mine: { id: '1', askedBy: 's2' } })
    expect(closes).toBe(0)
    mine.unsubscribe()
  })

  test('protocol violations get their own close codes', async () => {
    await using gateway = await startTestGateway({
      shape: 'in-process',
      limits: { connectionInitTimeoutMs: 50, maxMessageBytes: 1_000 },
    })
    const early = openSocket(gateway.wsUrl)
    await early.send({ type: 'subscribe', id: '1', payload: { query: '{ whoAmI }' } })
    const silent = openSocket(gateway.wsUrl)
    const garbage = openSocket(gateway.wsUrl)
    await garbage.send('no json')
    const eager = openSocket(gateway.wsUrl)
    await eager.send({ type: 'connection_init' })
    await eager.send({ type: 'connection_init' })
    const large = openSocket(gateway.wsUrl)
    await large.send('x'.repeat(2_000))
    const codes = await Promise.all(
      [early, silent, garbage, eager, large].map(async s => (await s.closed).code),
    )
    expect(codes).toEqual([4401, 4408, 4400, 4429, 1009])
  })

  test('a socket past the most is refused with 503', async () => {
    await using gateway = await startTestGateway({ shape: 'in-process', limits: { maxSockets: 1 } })
    const first = openSocket(gateway.wsUrl)
    await first.opened
    const second = new WebSocket(gateway.wsUrl, 'graphql-transport-ws')
    const error = await new Promise<Error>(resolve => second.once('error', resolve))
    expect(error.message).toContain('503')
    first.socket.terminate()
  })

  test('a socket that does not answer pings is cut, and its subscriptions with it', async () => {
    await using gateway = await startTestGateway({ shape: 'in-process', limits: { keepAliveMs: 300 } })
    const { topic } = gateway.fixture
    const quick = collect(gateway.connect(), 'subscription { productChanged { id } }')
    await topic.waitForFollowers(1)
    const slow = openSocket(gateway.wsUrl)
    await slow.send({ type: 'connection_init' })
    await slow.acknowledged
    await slow.subscribe('1', 'subscription { productChanged { name } }')
    await topic.waitForFollowers(2)
    slow.socket.pause()
    await topic.waitForFollowers(1)
    topic.push({ id: '1' })
    expect(await quick.next(1)).toHaveLength(1)
    quick.unsubscribe()
    slow.socket.terminate()
  })

  test('a socket that leaves too much unread is closed with 1013, and nobody else waits for it', async () => {
    await using gateway = await startTestGateway({
      shape: 'in-process',
      limits: { maxBufferedBytes: 10_000 },
    })
    const { topic } = gateway.fixture
    await gateway.query('mutation ($name: String!) { rename(id: "1", name: $name) { id } }', {
      name: 'x'.repeat(1_000_000),
    })
    const slow = openSocket(gateway.wsUrl)
    await slow.send({ type: 'connection_init' })
    await slow.acknowledged
    for (let id = 0; id < 20; id++)
      await slow.subscribe(String(id), `subscription { a${id}: productChanged { name } }`)
    await topic.waitForFollowers(20)
    slow.socket.pause()
    const quick = collect(gateway.connect(), 'subscription { productChanged { id } }')
    await topic.waitForFollowers(21)
    topic.push({ id: '1' })
    topic.push({ id: '2' })
    await quick.next(2)
    slow.socket.resume()
    expect(await slow.closed).toEqual({ code: 1013, reason: 'Too slow' })
    await topic.waitForFollowers(1)
    quick.unsubscribe()
  })

  test('when the gateway stops, running operations finish and sockets close with 1001', async () => {
    await using gateway = await startTestGateway({ shape: 'remote' })
    const { topic, hanging } = gateway.fixture
    const { send, closed, socket } = openSocket(gateway.wsUrl)
    const messages: string[] = []
    socket.on('message', data => messages.push(String(data)))
    await send({ type: 'connection_init' })
    await waitFor(() => messages.length === 1)
    await send({ type: 'subscribe', id: '1', payload: { query: CHANGED } })
    await send({ type: 'subscribe', id: '2', payload: { query: '{ hanging }' } })
    await topic.waitForFollowers(1)
    const stopped = gateway.gateway[Symbol.asyncDispose]()
    expect(gateway.gateway.ready()).toBe(false)
    await send({ type: 'subscribe', id: '3', payload: { query: '{ whoAmI }' } })
    await waitFor(() => messages.length === 2)
    hanging.resolve('done')
    expect(await closed).toEqual({ code: 1001, reason: 'Going away' })
    await stopped
    await topic.waitForFollowers(0)
    expect(messages.slice(1)).toEqual([
      expect.stringMatching(/"id":"3","type":"error".*UNAVAILABLE/),
      expect.stringContaining('"id":"2","type":"next","payload":{"data":{"hanging":"done"}}'),
      expect.stringContaining('"id":"2","type":"complete"'),
    ])
  })
})
