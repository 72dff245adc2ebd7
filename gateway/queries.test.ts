import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Shape, startTestGateway, type TestGateway, testToken } from './testing/start-test-gateway.ts'

describe.each<Shape>(['in-process', 'remote'])('queries over HTTP with subgraphs %s', shape => {
  let gateway: TestGateway

  beforeAll(async () => {
    gateway = await startTestGateway({ shape })
  })

  afterAll(async () => {
    await gateway[Symbol.asyncDispose]()
  })

  test('a query takes its fields from both subgraphs', async () => {
    const { status, body } = await gateway.query('{ products { id name reviewer reviews { text } } }')
    expect(status).toBe(200)
    expect(body).toEqual({
      data: {
        products: [
          { id: '1', name: 'Press', reviewer: 'r1', reviews: [{ text: 'review of 1, version 1' }] },
          { id: '2', name: 'Oven', reviewer: 'r2', reviews: [{ text: 'review of 2, version 1' }] },
        ],
      },
    })
  })

  test('the rows of a page are loaded in one batch', async () => {
    gateway.fixture.batches.length = 0
    await gateway.query('{ products { reviews { text } } }')
    expect(gateway.fixture.batches).toEqual([['1', '2']])
  })

  test('all fetches of an operation share one context per subgraph in-process, and have one each over HTTP', async () => {
    Object.assign(gateway.fixture.contexts, { catalog: 0, reviews: 0 })
    await gateway.query('{ latest { product { name } } products { name reviewer } }')
    const contexts = shape === 'in-process' ? { catalog: 1, reviews: 1 } : { catalog: 2, reviews: 2 }
    expect(gateway.fixture.contexts).toEqual(contexts)
  })

  test('a mutation runs, and variables reach it', async () => {
    const { body } = await gateway.query('mutation ($n: String!) { rename(id: "1", name: $n) { name } }', {
      n: 'Mill',
    })
    expect(body).toEqual({ data: { rename: { name: 'Mill' } } })
    await gateway.query('mutation { rename(id: "1", name: "Press") { name } }')
  })

  test('an expected error keeps its code, message and path, and blanks one field', async () => {
    const { body } = await gateway.query('{ forbidden product(id: "1") { name } }')
    expect(body).toEqual({
      data: { forbidden: null, product: { name: 'Press' } },
      errors: [{ message: 'Not for you.', path: ['forbidden'], extensions: { code: 'FORBIDDEN' } }],
    })
  })

  test('an error in one entity of a list has the path of that entity', async () => {
    const { body } = await gateway.query('{ products { stubborn } }')
    expect(body).toEqual({
      data: { products: [{ stubborn: 'yes' }, { stubborn: null }] },
      errors: [{ message: 'No.', path: ['products', 1, 'stubborn'], extensions: { code: 'CONFLICT' } }],
    })
  })

  test('an unexpected error shows neutral text, and its cause is in the log with the request id', async () => {
    const { body } = await gateway.post({ query: '{ broken }' }, { 'x-request-id': 'request-0815' })
    expect(body.errors).toEqual([
      {
        message: 'Something went wrong on our side.',
        path: ['broken'],
        extensions: { code: 'INTERNAL_SERVER_ERROR' },
      },
    ])
    const line = gateway.logged.find(logged => logged.includes('secret table'))
    expect(line).toContain('request-0815')
  })

  test('a database that cannot be reached is UNAVAILABLE, and its address stays ours', async () => {
    const { body } = await gateway.query('{ dropped }')
    expect(body.errors).toMatchObject([{ path: ['dropped'], extensions: { code: 'UNAVAILABLE' } }])
    expect(JSON.stringify(body)).not.toContain('10.0.0.1')
  })

  test('a value that only the subgraph can judge is BAD_USER_INPUT, literal or variable', async () => {
    const literal = await gateway.query('{ half(of: 3) }')
    const variable = await gateway.query('query ($n: Even!) { half(of: $n) }', { n: 3 })
    const good = await gateway.query('query ($n: Even!) { half(of: $n) }', { n: 4 })
    expect(literal.body.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }])
    expect(variable.body.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }])
    expect(good.body).toEqual({ data: { half: 2 } })
  })

  test('a token says who asks; without one nobody does', async () => {
    const query = '{ whoAmI }'
    const known = await gateway.post({ query }, { authorization: `Bearer ${testToken({ userId: 'bea' })}` })
    const unknown = await gateway.post({ query })
    expect(known.body.data).toEqual({ whoAmI: 'bea' })
    expect(unknown.body.data).toEqual({ whoAmI: null })
  })

  test.each([
    ['not valid', 'Bearer nonsense'],
    ['expired', `Bearer ${testToken({ lifeMs: -1 })}`],
    ['of another scheme', 'Basic YTpi'],
  ])('a token that is %s refuses the whole request with 401', async (_, authorization) => {
    const { status, body } = await gateway.post({ query: '{ products { id } }' }, { authorization })
    expect(status).toBe(401)
    expect(body.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
    expect(body.data).toBeUndefined()
  })
})

describe('a subgraph that is down', () => {
  test('blanks its fields with UNAVAILABLE and leaves the rest of the page', async () => {
    await using gateway = await startTestGateway({ shape: 'remote' })
    await gateway.query('{ products { id reviewer } }')
    await gateway.kill('reviews')
    const { status, body } = await gateway.query(
      '{ products { id name reviewer reviews { text } } latest { text } }',
    )
    expect(status).toBe(200)
    expect(body.data).toEqual({
      products: [
        { id: '1', name: 'Press', reviewer: null, reviews: null },
        { id: '2', name: 'Oven', reviewer: null, reviews: null },
      ],
      latest: null,
    })
    expect(body.errors).toHaveLength(2)
    expect(body.errors).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ path: ['latest'], extensions: { code: 'UNAVAILABLE' } }),
        expect.objectContaining({ path: ['products', 0, 'reviewer'], extensions: { code: 'UNAVAILABLE' } }),
      ]),
    )
    expect(gateway.gateway.ready()).toBe(true)
  })

  test('is given up after the deadline of a fetch', async () => {
    await using gateway = await startTestGateway({ shape: 'remote', remoteDeadlineMs: 50 })
    const { body } = await gateway.query('{ hanging latest { text } }')
    expect(body.data).toEqual({ hanging: null, latest: { text: 'good' } })
    expect(body.errors).toMatchObject([{ path: ['hanging'], extensions: { code: 'UNAVAILABLE' } }])
  })
})

test('a null where none may be blanks the parent; its explanation is in the log alone', async () => {
  await using gateway = await startTestGateway({ shape: 'in-process' })
  const { body } = await gateway.query('{ orphan { text product { name } } }')
  expect(body).toEqual({ data: { orphan: { text: 'lost', product: null } } })
  expect(gateway.logged.join()).toContain('gateway.value_completion')
})
