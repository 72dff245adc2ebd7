import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestGateway, type TestGateway, testToken } from '../testing/start-test-gateway.ts'

describe('a document that has been answered before is answered in the very same way', () => {
  let gateway: TestGateway

  beforeAll(async () => {
    gateway = await startTestGateway({ shape: 'in-process', limits: { maxCost: 200 } })
  })

  afterAll(async () => {
    await gateway[Symbol.asyncDispose]()
  })

  async function ask(body: unknown, headers: Record<string, string>) {
    const response = await fetch(gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const shown = Object.fromEntries(response.headers)
    delete shown.date
    delete shown['x-request-id']
    return { status: response.status, headers: shown, text: await response.text() }
  }

  const products = '{ products { id name reviewer } }'
  const half = 'query ($n: Even!) { half(of: $n) }'
  const two = 'query A { whoAmI } query B { forbidden }'
  const rename = 'mutation { rename(id: "1", name: "Press") { name } }'
  const refresh = 'mutation { refreshSession { accessToken } }'

  test.each<[string, Record<string, unknown>, Record<string, string>?]>([
    ['a plain query', { query: products }],
    [
      'nulls for what may be left out',
      { query: products, variables: null, operationName: null, extensions: null },
    ],
    ['no extensions in extensions', { query: products, extensions: {} }],
    ['variables', { query: half, variables: { n: 4 } }],
    ['a variable too few', { query: half }],
    ['a variable that only the subgraph can judge', { query: half, variables: { n: 3 } }],
    [
      'a variable of the wrong kind',
      { query: 'query ($id: ID!) { product(id: $id) { id } }', variables: { id: {} } },
    ],
    ['variables that are a list', { query: half, variables: [] }],
    ['variables that are text', { query: half, variables: '{}' }],
    ['an operation by its name', { query: two, operationName: 'A' }],
    ['an operation with an error', { query: two, operationName: 'B' }],
    ['a name that the document does not have', { query: two, operationName: 'C' }],
    ['an empty name', { query: products, operationName: '' }],
    ['no name where one is needed', { query: two }],
    ['data and errors', { query: '{ products { stubborn } broken forbidden }' }],
    ['a null at the root', { query: '{ orphan { product { name } } }' }],
    ['a mutation', { query: rename }],
    ['a mutation that needs no good token', { query: refresh }, { authorization: 'Bearer bad' }],
    ['a query that does', { query: products }, { authorization: 'Bearer bad' }],
    ['a good token', { query: '{ whoAmI }' }, { authorization: `Bearer ${testToken({ userId: 'bea' })}` }],
    ['any answer', { query: products }, { accept: '*/*' }],
    ['JSON alone', { query: products }, { accept: 'application/json' }],
    ['the media type of GraphQL', { query: products }, { accept: 'application/graphql-response+json' }],
    ['a choice', { query: products }, { accept: 'text/html, application/json;q=0.9' }],
    ['what is not there', { query: products }, { accept: 'image/png' }],
    ['the cost', { query: products }, { 'x-nuvion-cost': '1' }],
    [
      'more than it may cost',
      { query: `{ ${Array.from('abcdefgh', name => `${name}: ${products.slice(2, -2)}`).join(' ')} }` },
    ],
    ['an invalid document', { query: '{ nothing }' }],
    ['a subscription', { query: 'subscription { mine { id } }' }],
    ['fields that nobody knows', { query: products, more: true }],
  ])('%s', async (name, { query, ...rest }, headers = {}) => {
    // A comment makes it a document of its own, which Apollo Server answers the first time.
    const body = { ...rest, query: `# ${name}\n${query}` }
    const first = await ask(body, headers)
    // Whatever the second asks for, the document is known by then.
    await ask({ ...rest, query: body.query, variables: { n: 2, id: '1' } }, {})
    const again = await ask(body, headers)
    expect(again).toEqual(first)
  })

  test('and runs once, with errors too', async () => {
    const failures = () => gateway.logged.filter(line => line.includes('subgraph.field_failed')).length
    const query = '{ broken }'
    await ask({ query }, {})
    const before = failures()
    expect((await ask({ query }, {})).text).toContain('INTERNAL_SERVER_ERROR')
    expect(failures() - before).toBe(1)
  })

  test('GET and persisted queries too, which are left to Apollo Server', async () => {
    const url = `${gateway.url}?query=${encodeURIComponent(products)}`
    const get = async (headers: Record<string, string>) => {
      const response = await fetch(url, { headers })
      return { status: response.status, text: await response.text() }
    }
    const posted = await ask({ query: products }, {})
    expect(await get({ 'x-apollo-operation-name': 'any' })).toEqual({ status: 200, text: posted.text })
    expect(await get({})).toMatchObject({ status: 400 })
  })
})
