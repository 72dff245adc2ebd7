import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../testing/start-test-gateway.ts'

const INTROSPECTION_IS_OFF =
  'Introspection is off here. The schema is in schema/graphql of the project; NODE_ENV=development turns it on.'

describe('in production', () => {
  let gateway: TestGateway

  beforeAll(async () => {
    gateway = await startTestGateway({ shape: 'in-process' })
  })

  afterAll(async () => {
    await gateway[Symbol.asyncDispose]()
  })

  const ask = (query: string) =>
    new Promise(resolve =>
      gateway.connect().subscribe({ query }, { next: resolve, error: resolve, complete() {} }),
    )

  test.each([
    ['{ __schema { types { name } } }', 3],
    ['{ whoAmI __type(name: "Product") { name } }', 10],
    ['{ ...A } fragment A on Query { s: __schema { types { name } } }', 32],
  ])('introspection is refused in words of our own: %s', async (query, column) => {
    const error = {
      message: INTROSPECTION_IS_OFF,
      locations: [{ line: 1, column }],
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
    }
    const { status, body } = await gateway.query(query)
    expect(status).toBe(400)
    expect(body).toEqual({ errors: [error] })
    expect(await ask(query)).toEqual([error])
  })

  test('__typename is no introspection', async () => {
    expect((await gateway.query('{ __typename }')).body).toEqual({ data: { __typename: 'Query' } })
  })

  test.each([
    ['a field', '{ whoAmi }', {}, 'Cannot query field "whoAmi" on type "Query".'],
    [
      'an argument',
      '{ product(ids: "1", id: "1") { id } }',
      {},
      'Unknown argument "ids" on field "Query.product".',
    ],
    ['a type', 'query ($v: Colours) { paint(colour: $v) }', {}, 'Unknown type "Colours".'],
    ['a literal', '{ paint(colour: GREAN) }', {}, 'Value "GREAN" does not exist in "Colour" enum.'],
    [
      'a variable',
      'query ($v: Colour) { paint(colour: $v) }',
      { v: 'ORANG' },
      'Variable "$v" got invalid value "ORANG"; Value "ORANG" does not exist in "Colour" enum.',
    ],
  ])('%s that is nearly right is not corrected', async (_, query, variables, message) => {
    const { status, body } = await gateway.query(query, variables)
    expect(status).toBe(400)
    expect(body.errors).toMatchObject([{ message }])
  })

  test('nor is one of a subscription', async () => {
    expect(await ask('subscription { productChange { id } }')).toMatchObject([
      { message: 'Cannot query field "productChange" on type "Subscription".' },
    ])
  })

  test('an error of ours shows no more than its code and place', async () => {
    const { status, body } = await gateway.query('{ broken }')
    expect(status).toBe(200)
    expect(body).toEqual({
      data: { broken: null },
      errors: [
        {
          message: 'Something went wrong on our side.',
          path: ['broken'],
          extensions: { code: 'INTERNAL_SERVER_ERROR' },
        },
      ],
    })
  })

  test('a text made to keep a regular expression busy does not', async () => {
    const text = 'Did you mean '.repeat(70_000)
    const startedAt = performance.now()
    const literal = await gateway.query(`{ half(of: 2) paint(colour: "${text}") }`)
    const variable = await gateway.query('query ($v: Colour) { paint(colour: $v) }', { v: text })
    expect([literal.status, variable.status]).toEqual([400, 400])
    expect(performance.now() - startedAt).toBeLessThan(2_000)
  })

  test.each([
    ['no content type', 'POST', {}],
    ['text/plain', 'POST', { 'content-type': 'text/plain' }],
    ['a form', 'POST', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a form with a file', 'POST', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['a form that also says JSON', 'POST', { 'content-type': 'text/plain; application/json' }],
  ])('a POST that any page can make a browser send, with %s, is 415', async (_, method, headers) => {
    const body = new TextEncoder().encode('{ "query": "mutation { rename(id: 1, name: \\"x\\") { id } }" }')
    const response = await fetch(gateway.url, { method, headers, body })
    expect(response.status).toBe(415)
    expect(await response.json()).toEqual({
      errors: [
        { message: 'The Content-Type is not application/json.', extensions: { code: 'BAD_USER_INPUT' } },
      ],
    })
  })

  test.each([['apollo-require-preflight'], ['x-apollo-operation-name']])(
    'a GET runs with the header %s, which such a page cannot set, and not without',
    async header => {
      const url = `${gateway.url}?query=${encodeURIComponent('{ whoAmI }')}`
      const bare = await fetch(url, { headers: { 'content-type': 'text/plain' } })
      expect(bare.status).toBe(400)
      expect(await bare.json()).toMatchObject({
        errors: [
          {
            message: expect.stringContaining('Cross-Site Request Forgery'),
            extensions: { code: 'BAD_REQUEST' },
          },
        ],
      })
      expect((await fetch(url, { headers: { [header]: 'x' } })).status).toBe(200)
    },
  )

  test('no answer lets another origin read it', async () => {
    const preflight = await fetch(gateway.url, {
      method: 'OPTIONS',
      headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' },
    })
    const answer = await gateway.post({ query: '{ whoAmI }' }, { origin: 'https://elsewhere.example' })
    for (const { headers } of [preflight, answer])
      expect(headers.get('access-control-allow-origin')).toBeNull()
  })
})
