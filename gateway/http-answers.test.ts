import { createHash } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { getIntrospectionQuery } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestGateway, type TestGateway, testToken } from './testing/start-test-gateway.ts'

describe('GraphQL over HTTP', () => {
  let gateway: TestGateway

  beforeAll(async () => {
    gateway = await startTestGateway({ shape: 'in-process', limits: { maxBodyBytes: 20_000 } })
  })

  afterAll(async () => {
    await gateway[Symbol.asyncDispose]()
  })

  test('a body that is not JSON is 400', async () => {
    const { status, body } = await gateway.post('{ "query": ')
    expect(status).toBe(400)
    expect(body.errors).toEqual([
      { message: 'The body is not JSON.', extensions: { code: 'BAD_USER_INPUT' } },
    ])
  })

  test.each([['{}'], ['null'], ['"text"'], ['{"query":1}'], ['{"query":"{whoAmI}","variables":"no"}']])(
    'a body without an operation, %s, is 400',
    async text => {
      const { status, body } = await gateway.post(text)
      expect(status).toBe(400)
      expect(body.errors).toHaveLength(1)
    },
  )

  test('a bad token is 401, whatever is asked, but not for what makes a session', async () => {
    const headers = { authorization: 'Bearer garbage' }
    for (const query of [
      '{ whoAmI }',
      'mutation { rename(id: "p1", name: "x") { id } }',
      'mutation { refreshSession { accessToken } rename(id: "p1", name: "x") { id } }',
    ]) {
      const { status, body } = await gateway.post({ query }, headers)
      expect(status).toBe(401)
      expect(body).toEqual({
        errors: [{ message: 'The access token is not valid.', extensions: { code: 'UNAUTHENTICATED' } }],
      })
    }
    gateway.fixture.nextToken = testToken()
    const { status, body } = await gateway.post(
      { query: 'mutation { refreshSession { accessToken } }' },
      headers,
    )
    expect(status).toBe(200)
    expect(body.data.refreshSession.accessToken).toBe(gateway.fixture.nextToken)
  })

  test('a batch is 400', async () => {
    const { status } = await gateway.post([{ query: '{ whoAmI }' }, { query: '{ whoAmI }' }])
    expect(status).toBe(400)
  })

  test('a body with a declared length over the limit is 413', async () => {
    const { status, body } = await gateway.post({ query: `{ whoAmI } #${'x'.repeat(30_000)}` })
    expect(status).toBe(413)
    expect(body.errors).toMatchObject([{ extensions: { code: 'PAYLOAD_TOO_LARGE' } }])
  })

  test('a body that grows over the limit on the way is 413', async () => {
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
    const request = httpRequest(gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    })
    request.on('response', response => resolve(response.resume().statusCode)).on('error', reject)
    for (let sent = 0; sent < 30_000; sent += 1_000) request.write('x'.repeat(1_000))
    expect(await promise).toBe(413)
    request.destroy()
  })

  test('a type that a form can send is 415, so no page can make a browser post for it', async () => {
    const { status } = await gateway.post('{ "query": "{ whoAmI }" }', { 'content-type': 'text/plain' })
    expect(status).toBe(415)
  })

  test('a GET needs a CSRF header', async () => {
    const url = `${gateway.url}?query=${encodeURIComponent('{ whoAmI }')}`
    const bare = await fetch(url)
    const safe = await fetch(url, { headers: { 'apollo-require-preflight': '1' } })
    expect(bare.status).toBe(400)
    expect(await safe.json()).toEqual({ data: { whoAmI: null } })
  })

  test('a GET runs no mutation', async () => {
    const query = 'mutation { rename(id: "1", name: "Stolen") { name } }'
    const response = await fetch(`${gateway.url}?query=${encodeURIComponent(query)}`, {
      headers: { 'apollo-require-preflight': '1' },
    })
    expect(response.status).toBe(405)
    expect((await gateway.query('{ product(id: "1") { name } }')).body.data.product.name).toBe('Press')
  })

  test('other methods are 405', async () => {
    const response = await fetch(gateway.url, { method: 'PUT', headers: { 'apollo-require-preflight': '1' } })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, POST')
  })

  test('answers are application/graphql-response+json when asked for', async () => {
    const asked = await gateway.post({ query: '{ whoAmI }' }, { accept: 'application/graphql-response+json' })
    const unasked = await gateway.post({ query: '{ whoAmI }' })
    expect(asked.headers.get('content-type')).toBe('application/graphql-response+json; charset=utf-8')
    expect(unasked.headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  test('a persisted query is unknown at first, then known by its hash', async () => {
    const query = '{ products { id } }'
    const extensions = {
      persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(query).digest('hex') },
    }
    const unknown = await gateway.post({ extensions })
    const registered = await gateway.post({ query, extensions })
    const known = await gateway.post({ extensions })
    expect(unknown.body.errors).toMatchObject([{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }])
    expect(registered.body.data.products).toHaveLength(2)
    expect(known.body).toEqual(registered.body)
  })

  test('a subscription is sent to the WebSocket, a conditional one too', async () => {
    const plain = await gateway.query('subscription { productChanged { id } }')
    const conditional = await gateway.query(
      'subscription ($v: Boolean!) { productChanged @include(if: $v) { id } }',
      { v: true },
    )
    expect(plain.status).toBe(400)
    expect(plain.body.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }])
    expect(conditional.status).toBe(400)
  })

  test('a subscription hidden in a persisted document is refused as well', async () => {
    const query = 'query A { whoAmI } subscription B { productChanged { id } }'
    const extensions = {
      persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(query).digest('hex') },
    }
    await gateway.post({ query, operationName: 'A', extensions })
    const { body } = await gateway.post({ operationName: 'B', extensions })
    expect(body.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }])
  })

  test('what does not parse or validate keeps the codes that clients know', async () => {
    const unparsed = await gateway.query('{ products {')
    const invalid = await gateway.query('{ productz { id } }')
    expect(unparsed.status).toBe(400)
    expect(unparsed.body.errors).toMatchObject([{ extensions: { code: 'GRAPHQL_PARSE_FAILED' } }])
    expect(invalid.status).toBe(400)
    expect(invalid.body.errors).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }])
  })

  test('production has no introspection, no suggestions and no stack traces', async () => {
    const introspection = await gateway.query('{ __schema { types { name } } }')
    const typo = await gateway.query('{ productz { id } }')
    const broken = await gateway.query('{ broken }')
    expect(introspection.status).toBe(400)
    expect(typo.body.errors[0].message).not.toContain('Did you mean')
    expect(JSON.stringify([introspection.body, typo.body, broken.body])).not.toMatch(
      /stack|node_modules|\.ts:/,
    )
  })

  test('outside of production there are introspection and suggestions', async () => {
    await using open = await startTestGateway({ shape: 'in-process', isProduction: false })
    const introspection = await open.query(getIntrospectionQuery())
    const typo = await open.query('{ productz { id } }')
    expect(introspection.body.data.__schema.queryType.name).toBe('Query')
    expect(typo.body.errors[0].message).toContain('Did you mean')
  })

  test('the id of a request is taken over when it is sensible, and made otherwise', async () => {
    const given = await gateway.post({ query: '{ whoAmI }' }, { 'x-request-id': 'abc-12345' })
    const odd = await gateway.post({ query: '{ whoAmI }' }, { 'x-request-id': 'x y' })
    expect(given.headers.get('x-request-id')).toBe('abc-12345')
    expect(odd.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('limits on documents', () => {
  let gateway: TestGateway

  beforeAll(async () => {
    gateway = await startTestGateway({
      shape: 'in-process',
      limits: { maxTokens: 300, maxDepth: 5, maxRootFields: 4, maxAliases: 6, maxFields: 30 },
    })
  })

  afterAll(async () => {
    await gateway[Symbol.asyncDispose]()
  })

  const nested = (levels: number) => `{ ${'nest { '.repeat(levels)}leaf${' }'.repeat(levels)} }`

  test('at the limit a query runs', async () => {
    expect((await gateway.query(nested(4))).body.data).toEqual({ nest: { nest: { nest: null } } })
  })

  const BOMB = `{ ...A } ${['A B', 'B C', 'C D', 'D E']
    .map(pair => pair.split(' '))
    .map(([name, inner]) => `fragment ${name} on Query { ...${inner} ...${inner} ...${inner} }`)
    .join(' ')} fragment E on Query { whoAmI }`

  test.each([
    ['deeper', nested(5), 'depth', 'The operation is nested deeper than allowed: 6 levels, at most 5.'],
    [
      'with more root fields',
      '{ whoAmI whoAmI whoAmI whoAmI whoAmI }',
      'rootFields',
      'The operation is wider than allowed: 5 root fields, at most 4.',
    ],
    [
      'with more aliases',
      `{ nest { ${'abcdefg'.split('').map(name => `${name}: leaf`)} } }`,
      'aliases',
      'The operation is wider than allowed: 7 aliases, at most 6.',
    ],
    [
      'with more fields',
      `{ nest { ${'leaf '.repeat(31)} } }`,
      'fields',
      'The operation is wider than allowed: 32 fields, at most 30.',
    ],
    [
      'of fragments that multiply',
      BOMB,
      'rootFields',
      'The operation is wider than allowed: 81 root fields, at most 4.',
    ],
    [
      'longer',
      `{ ${'whoAmI '.repeat(300)} }`,
      'tokens',
      'The document is longer than allowed: at most 300 tokens.',
    ],
  ])('a query that is %s than allowed is a clear BAD_USER_INPUT', async (_, query, limit, message) => {
    const { status, body } = await gateway.query(query)
    expect(status).toBe(400)
    expect(body.errors).toMatchObject([{ message, extensions: { code: 'BAD_USER_INPUT', limit } }])
  })

  test('fragments in a cycle are refused and hang nothing', async () => {
    const { status, body } = await gateway.query(
      '{ ...A } fragment A on Query { ...B whoAmI } fragment B on Query { ...A }',
    )
    expect(status).toBe(400)
    expect(body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED')
  })
})

describe('the HTTP server', () => {
  test('answers probes and keys, and 404 for the rest', async () => {
    await using gateway = await startTestGateway({ shape: 'in-process' })
    const status = async (path: string, init?: RequestInit) =>
      (await fetch(gateway.server.url + path, init)).status
    expect(await status('/healthz')).toBe(200)
    expect(await status('/readyz')).toBe(200)
    expect(await (await fetch(`${gateway.server.url}/.well-known/jwks.json`)).json()).toEqual({ keys: [] })
    expect(await status('/')).toBe(404)
    expect(await status('/stomp/info')).toBe(404)
    expect(await status('/nowhere')).toBe(404)
    expect(await status('/healthz', { method: 'POST' })).toBe(405)
  })

  test('a request that takes too long is UNAVAILABLE', async () => {
    await using gateway = await startTestGateway({ shape: 'in-process', limits: { requestDeadlineMs: 50 } })
    const { status, body } = await gateway.query('{ hanging }')
    expect(status).toBe(503)
    expect(body.errors).toMatchObject([{ extensions: { code: 'UNAVAILABLE' } }])
  })

  test('when it stops it finishes what is in flight, and listens no more', async () => {
    await using gateway = await startTestGateway({ shape: 'in-process' })
    const inFlight = gateway.query('{ hanging }')
    await gateway.query('{ whoAmI }')
    const stopped = gateway.server[Symbol.asyncDispose]()
    await expect(fetch(`${gateway.server.url}/healthz`)).rejects.toThrow()
    gateway.fixture.hanging.resolve('done')
    expect((await inFlight).body).toEqual({ data: { hanging: 'done' } })
    await stopped
  })

  test('an upgrade to somewhere else is 404', async () => {
    await using gateway = await startTestGateway({ shape: 'in-process' })
    const { promise, resolve } = Promise.withResolvers<string>()
    const socket = connect(gateway.server.port, '127.0.0.1')
    socket.once('data', data => resolve(String(data)))
    socket.write('GET /other HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    expect(await promise).toMatch(/^HTTP\/1.1 404/)
    socket.destroy()
  })
})
