import type { FormattedExecutionResult } from 'graphql'
import type { Client } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../testing/start-test-gateway.ts'

/** Runs one operation over a WebSocket and answers what ended it: errors, or the last result. */
function run(client: Client, query: string, variables?: Record<string, unknown>): Promise<unknown> {
  return new Promise(resolve => {
    let last: FormattedExecutionResult | undefined
    client.subscribe(
      { query, variables },
      { next: result => (last = result as never), error: resolve, complete: () => resolve(last) },
    )
  })
}

const letters = (count: number) => 'abcdefghij'.slice(0, count).split('')
const nested = (levels: number) => `{ ${'nest { '.repeat(levels)}leaf${' }'.repeat(levels)} }`

/** `levels` fragments that each spread the next one `width` times: width ** levels fields. */
function bomb(levels: number, width = 2): string {
  const fragments = Array.from(
    { length: levels },
    (_, level) => `fragment F${level} on Nest { ${`...F${level + 1} `.repeat(width)}}`,
  )
  return `{ nest { ...F0 } } ${fragments.join(' ')} fragment F${levels} on Nest { leaf }`
}

/** `count` fragments in a circle, each of which spreads the next one twice. */
function circle(count: number): string {
  const fragments = Array.from({ length: count }, (_, i) => {
    const next = `...F${(i + 1) % count}`
    return `fragment F${i} on Nest { ${next} ${next} }`
  })
  return `{ nest { ...F0 } } ${fragments.join(' ')}`
}

const LIMITS = {
  maxOperations: 3,
  maxTokens: 400,
  maxDepth: 5,
  maxRootFields: 4,
  maxAliases: 6,
  maxAliasesPerField: 3,
  maxFields: 30,
  maxFragments: 8,
  maxDirectives: 2,
  maxCost: 1_000,
}

const refusal = (limit: string, max: number, message: string) => ({
  message,
  extensions: { code: 'BAD_USER_INPUT', limit, max },
})

describe('an operation over a limit', () => {
  let gateway: TestGateway

  beforeAll(async () => {
    gateway = await startTestGateway({ shape: 'in-process', limits: LIMITS })
  })

  afterAll(async () => {
    await gateway[Symbol.asyncDispose]()
  })

  test.each([
    [
      'of depth',
      nested(5),
      refusal('depth', 5, 'The operation is nested deeper than allowed: 6 levels, at most 5.'),
    ],
    [
      'of operations',
      'query A { whoAmI } query B { whoAmI } query C { whoAmI } query D { whoAmI }',
      refusal('operations', 3, 'The operation is longer than allowed: 4 operations, at most 3.'),
    ],
    [
      'of root fields',
      '{ whoAmI whoAmI whoAmI whoAmI whoAmI }',
      refusal('rootFields', 4, 'The operation is wider than allowed: 5 root fields, at most 4.'),
    ],
    [
      'of aliases in total',
      `{ nest { ${letters(3).map(a => `${a}: leaf`)} ${letters(4).map(a => `n${a}: nest { leaf }`)} } }`,
      refusal('aliases', 6, 'The operation is wider than allowed: 7 aliases, at most 6.'),
    ],
    [
      'of aliases of one field',
      `{ nest { ${letters(4).map(a => `${a}: leaf`)} } }`,
      refusal('aliasesPerField', 3, 'The operation is wider than allowed: 4 aliases of leaf, at most 3.'),
    ],
    [
      'of aliases of one field, in fragments',
      '{ nest { ...A nest { ...A } } } fragment A on Nest { a: leaf b: leaf }',
      refusal('aliasesPerField', 3, 'The operation is wider than allowed: 4 aliases of leaf, at most 3.'),
    ],
    [
      'of fields',
      `{ nest { ${'leaf '.repeat(31)} } }`,
      refusal('fields', 30, 'The operation is wider than allowed: 32 fields, at most 30.'),
    ],
    [
      'of fields in a fragment that is not used',
      `{ whoAmI } fragment A on Nest { ${'leaf '.repeat(31)} }`,
      refusal('fields', 30, 'The operation is wider than allowed: 31 fields, at most 30.'),
    ],
    [
      'of fragments',
      `{ nest { ${'... { leaf } '.repeat(9)} } }`,
      refusal('fragments', 8, 'The operation is wider than allowed: 9 fragments, at most 8.'),
    ],
    [
      'of directives at one place',
      '{ whoAmI @a @b @c }',
      refusal('directives', 2, 'The operation is wider than allowed: 3 directives at one place, at most 2.'),
    ],
    [
      'of tokens',
      `{ ${'whoAmI '.repeat(400)} }`,
      refusal('tokens', 400, 'The document is longer than allowed: at most 400 tokens.'),
    ],
    [
      'that 30 levels of fragments make 2^30 fields',
      bomb(30),
      refusal('fields', 30, 'The operation is wider than allowed: 1,073,741,825 fields, at most 30.'),
    ],
    [
      'that fragments in a circle multiply',
      circle(25),
      refusal('fragments', 8, 'The operation is wider than allowed: 67,108,863 fragments, at most 8.'),
    ],
    [
      'of cost',
      '{ shelves(first: 50) { nodes { boxes(first: 30) { id } } } }',
      refusal(
        'cost',
        1_000,
        'The operation costs more than allowed: 1,552, at most 1,000. Ask for fewer rows or fields.',
      ),
    ],
  ])('%s is told so over HTTP and over WebSocket', async (_, query, error) => {
    const { status, body, headers } = await gateway.query(query)
    expect(body).toEqual({ errors: [error] })
    expect(status).toBe(400)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')

    const client = gateway.connect()
    const answered = await run(client, query)
    // A refusal before the operation is an error message, one by the executor a result.
    expect(Array.isArray(answered) ? { errors: answered } : answered).toEqual({ errors: [error] })
    expect(await run(client, '{ whoAmI }')).toEqual({ data: { whoAmI: null } })
  })

  test.each([
    [
      'depth',
      `subscription { productChanged { ${'reviews { product { '.repeat(3)} id ${'} } '.repeat(3)} } }`,
      refusal('depth', 5, 'The operation is nested deeper than allowed: 8 levels, at most 5.'),
    ],
    [
      'aliases of one field',
      `subscription { productChanged { ${letters(4).map(a => `${a}: name`)} } }`,
      refusal('aliasesPerField', 3, 'The operation is wider than allowed: 4 aliases of name, at most 3.'),
    ],
    [
      'cost of an event',
      'subscription ($n: Int = 2000) { shelfChanged { boxes(first: $n) { id } } }',
      refusal(
        'cost',
        1_000,
        'The operation costs more than allowed: 2,002, at most 1,000. Ask for fewer rows or fields.',
      ),
    ],
  ])('a subscription over the limit of %s is an error message', async (_, query, error) => {
    const client = gateway.connect()
    expect(await run(client, query)).toEqual([error])
    expect(await run(client, '{ whoAmI }')).toEqual({ data: { whoAmI: null } })
    expect(gateway.fixture.topic.followers).toBe(0)
  })

  test('the cost counts with the variables of each request', async () => {
    const query = 'query ($n: Int, $m: Int = 30) { shelves(first: $n) { nodes { boxes(first: $m) { id } } } }'
    expect((await gateway.query(query, { n: 30 })).status).toBe(200)
    expect((await gateway.query(query, { n: 40 })).body.errors).toEqual([
      refusal(
        'cost',
        1_000,
        'The operation costs more than allowed: 1,242, at most 1,000. Ask for fewer rows or fields.',
      ),
    ])
    expect((await gateway.query(query, { n: 40, m: 1 })).status).toBe(200)
    expect((await gateway.query(query, { n: 2_147_483_647, m: 2_147_483_647 })).body.errors[0].message).toBe(
      'The operation costs more than allowed: more than 1,000,000,000,000, at most 1,000. Ask for fewer rows or fields.',
    )
  })

  test.each([
    ['"40"', '40'],
    ['a list', [40]],
    ['an object', {}],
    ['a fraction', 1.5],
    ['1e300', 1e300],
  ])('a number of rows that is %s is BAD_USER_INPUT', async (_, n) => {
    const query = 'query ($n: Int) { shelves(first: $n) { nodes { id } } }'
    const { status, body } = await gateway.query(query, { n })
    expect(status).toBe(400)
    expect(body.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }])
  })

  test('whoever asks for the cost is told it by a header', async () => {
    const query = '{ shelves(first: 3) { nodes { id } } }'
    const asked = await gateway.post({ query }, { 'x-nuvion-cost': '1' })
    const unasked = await gateway.post({ query })
    expect(asked.headers.get('x-nuvion-cost')).toBe('5')
    expect(unasked.headers.has('x-nuvion-cost')).toBe(false)
  })

  test('more values in the variables than allowed are refused before any is looked at', async () => {
    const keys = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`z${i}`, 1]))
    const query = 'query ($size: Even) { whoAmI }'
    const expected = refusal(
      'variables',
      6_000,
      'The variables have more values than allowed: at most 6,000.',
    )
    const startedAt = performance.now()
    const { status, body } = await gateway.query(query, { size: keys })
    expect(performance.now() - startedAt).toBeLessThan(500)
    expect(status).toBe(400)
    expect(body).toEqual({ errors: [expected] })
    const client = gateway.connect()
    expect(await run(client, query, { size: keys })).toEqual([expected])
    const few = await gateway.query('query ($size: [Even!]) { whoAmI }', { size: ['x'.repeat(500_000)] })
    expect(few.body.errors[0].message.length).toBeLessThanOrEqual(1_001)
  })

  test.each(['{ __typename: whoAmI }', '{ nest { ...F } } fragment F on Nest { __proto: leaf }'])(
    'an alias that would pass for introspection is refused: %s',
    async query => {
      const { status, body } = await gateway.query(query)
      expect(status).toBe(400)
      expect(body.errors).toMatchObject([
        { message: expect.stringMatching(/^Aliases that begin with "__" are reserved/) },
      ])
    },
  )

  test('a variable decides only over what its own operation leaves out', async () => {
    const { body } = await gateway.post({
      query:
        'query A($x: ID!) { product(id: $x) { name } } query B($x: Boolean!) { whoAmI @include(if: $x) }',
      operationName: 'A',
      variables: { x: '1' },
    })
    expect(body).toEqual({ data: { product: { name: 'Press' } } })
  })

  test('fragments in a small circle are left to validation', async () => {
    const { status, body } = await gateway.query(circle(1))
    expect(status).toBe(400)
    const error = {
      message: 'Cannot spread fragment "F0" within itself.',
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
    }
    expect(body.errors).toMatchObject([error, error])
  })

  test('a batch is refused as one', async () => {
    const { status, body } = await gateway.post([{ query: '{ whoAmI }' }, { query: '{ whoAmI }' }])
    expect(status).toBe(400)
    expect(body).toEqual({
      errors: [refusal('batch', 1, 'Batches are not taken: send each operation in a request of its own.')],
    })
  })

  test('one operation too many on a socket is RATE_LIMITED', async () => {
    await using small = await startTestGateway({ shape: 'in-process', limits: { maxOperationsPerSocket: 1 } })
    const client = small.connect()
    client.subscribe(
      { query: 'subscription { productChanged { id } }' },
      { next() {}, error() {}, complete() {} },
    )
    await small.fixture.topic.waitForFollowers(1)
    expect(await run(client, '{ whoAmI }')).toEqual([
      {
        message: 'More than 1 operations at once on one socket. Try again in 1 s.',
        extensions: { code: 'RATE_LIMITED', limit: 'operationsPerSocket', max: 1, retryAfter: 1 },
      },
    ])
  })
})

describe('a body', () => {
  test('over the limit is 413, and headers over theirs 431', async () => {
    await using gateway = await startTestGateway({ shape: 'in-process', limits: { maxBodyBytes: 2_000 } })
    const { status, body } = await gateway.query(`{ whoAmI } #${'x'.repeat(3_000)}`)
    expect(status).toBe(413)
    expect(body).toEqual({
      errors: [
        {
          message: 'The body is larger than 2000 bytes.',
          extensions: { code: 'PAYLOAD_TOO_LARGE', limit: 'body', max: 2_000 },
        },
      ],
    })
    const response = await fetch(gateway.url, { headers: { 'x-long': 'x'.repeat(20_000) } })
    expect(response.status).toBe(431)
  })
})

describe('with the default limits', () => {
  let gateway: TestGateway

  beforeAll(async () => {
    gateway = await startTestGateway({ shape: 'in-process' })
    await gateway.query(bomb(3))
  })

  afterAll(async () => {
    await gateway[Symbol.asyncDispose]()
  })

  test.each([
    ['30 levels of doubling', bomb(30)],
    ['150 levels of doubling', bomb(150)],
    ['a circle of 150 doubling fragments', circle(150)],
    ['500 times the same field', `{ nest { ${'leaf '.repeat(499)} } }`],
    ['100 fragments in one place', `{ nest { ${'... { leaf } '.repeat(100)} } }`],
    ['600 levels', nested(600)],
    ['1,900 brackets', `{ paint(colour: ${'['.repeat(1_900)}`],
    ['900 closed brackets', `{ paint(colour: ${'['.repeat(900)}${']'.repeat(900)}) }`],
    ['600 variables', `query (${Array.from({ length: 490 }, (_, i) => `$v${i}: Int`)}) { whoAmI }`],
    ['1,900 directives', `{ whoAmI ${'@a '.repeat(900)} }`],
  ])('%s are answered in time', async (_, query) => {
    const times: number[] = []
    // Best of three: the machine is busy with other tests.
    for (let i = 0; i < 3; i++) {
      const startedAt = performance.now()
      const { status } = await gateway.query(`${query} #${i}`)
      times.push(performance.now() - startedAt)
      expect([200, 400]).toContain(status)
    }
    expect(Math.min(...times)).toBeLessThan(50)
  })

  test('variables that nest without end are an answer, not a crash', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const { status } = await gateway.post(
      `{ "query": "query ($c: Colour) { paint(colour: $c) }", "variables": { "c": ${deep} } }`,
    )
    expect(status).toBe(400)
    expect((await gateway.query('{ whoAmI }')).status).toBe(200)
  })
})
