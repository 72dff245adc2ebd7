import type { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { redisKeys } from '../../schema/redis-keys.ts'
import { createMetrics } from '../../subgraphs/shared/metrics.ts'
import { openRedis } from '../../subgraphs/shared/redis/open-redis.ts'
import { openTestRedis, type TestRedis } from '../../subgraphs/shared/testkit/open-test-redis.ts'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import { DEFAULT_GATEWAY_LIMITS } from '../gateway-limits.ts'
import { startTestGateway, type TestGateway, testToken } from '../testing/start-test-gateway.ts'
import { createCallerBudget } from './caller-budget.ts'

let redis: TestRedis

beforeAll(async () => {
  redis = await openTestRedis()
})

afterAll(async () => {
  await redis[Symbol.asyncDispose]()
})

const as = (userId: string) => ({ authorization: `Bearer ${testToken({ userId })}` })
/** A window that a test does not outlive. */
const LONG = 600

const spent = (max: number) => ({
  message: expect.stringMatching(`^More than ${max} points in ${LONG} s\\. Try again in [0-9]+ s\\.$`),
  extensions: { code: 'RATE_LIMITED', limit: 'rate', max, retryAfter: expect.any(Number) },
})

describe('the points of a caller', () => {
  const open = (limits: object, store: Redis = redis.live) =>
    startTestGateway({
      shape: 'in-process',
      redis: store,
      limits: { pointsWindowSeconds: LONG, ...limits },
    })

  test('when they are spent the answer is 429 with Retry-After, for that caller alone', async () => {
    await using gateway = await open({ maxPoints: 3 })
    const query = '{ whoAmI }'
    for (let i = 0; i < 3; i++) expect((await gateway.post({ query }, as('u1'))).status).toBe(200)
    const { status, headers, body } = await gateway.post({ query }, as('u1'))
    expect(status).toBe(429)
    expect(body).toEqual({ errors: [spent(3)] })
    const retryAfter = Number(headers.get('retry-after'))
    expect(retryAfter).toBe(body.errors[0].extensions.retryAfter)
    expect(retryAfter).toBeGreaterThan(LONG - 60)
    expect(retryAfter).toBeLessThanOrEqual(LONG)
    expect((await gateway.post({ query }, as('u2'))).status).toBe(200)
  })

  test('documents that are refused take points too', async () => {
    await using gateway = await open({ maxPoints: 2 })
    expect((await gateway.post({ query: '{' }, as('u3'))).status).toBe(400)
    expect((await gateway.post({ query: '{ nothing }' }, as('u3'))).status).toBe(400)
    expect((await gateway.post({ query: '{' }, as('u3'))).status).toBe(429)
  })

  test('whoever shows no good token is known by address', async () => {
    await using gateway = await open({ maxPoints: 2 })
    const bad = { authorization: 'Bearer garbage' }
    expect((await gateway.post({ query: '{ whoAmI }' })).status).toBe(200)
    expect((await gateway.post({ query: '{ whoAmI }' }, bad)).status).toBe(401)
    expect((await gateway.post({ query: '{ whoAmI }' }, bad)).status).toBe(429)
    expect((await gateway.post({ query: '{ whoAmI }' })).status).toBe(429)
    expect((await gateway.post({ query: '{ whoAmI }' }, as('u4'))).status).toBe(200)
  })

  test('are those of the socket and of HTTP together; a refusal does not cost the socket', async () => {
    await using gateway = await open({ maxPoints: 3 })
    const client = gateway.connect(as('u5'))
    const ask = (query: string) =>
      new Promise(resolve => client.subscribe({ query }, { next: resolve, error: resolve, complete() {} }))
    expect(await ask('{ whoAmI }')).toEqual({ data: { whoAmI: 'u5' } })
    expect((await gateway.post({ query: '{ whoAmI }' }, as('u5'))).status).toBe(200)
    expect(await ask('{ whoAmI }')).toEqual({ data: { whoAmI: 'u5' } })
    expect(await ask('{ whoAmI }')).toEqual([spent(3)])
    expect(await ask('subscription { productChanged { id } }')).toEqual([spent(3)])
  })

  test('go faster for what costs more', async () => {
    await using gateway = await open({ maxPoints: 6, costPerPoint: 10 })
    const query = '{ shelves(first: 40) { nodes { id } } }'
    expect((await gateway.post({ query }, as('u6'))).status).toBe(200)
    expect((await gateway.post({ query }, as('u6'))).status).toBe(200)
    expect((await gateway.post({ query }, as('u6'))).status).toBe(429)
  })

  test('go faster for documents that are new, and for those that are never valid', async () => {
    await using gateway = await open({ maxPoints: 20, textPerPoint: 64 })
    const ask = async (query: string, user: string) => (await gateway.post({ query }, as(user))).status
    const padded = (text: string) => `${text} # ${'x'.repeat(640)}`
    for (const status of [200, 200, 200]) expect(await ask(padded('{ whoAmI }'), 'new')).toBe(status)
    expect(await ask(padded('{ a: whoAmI }'), 'new')).toBe(200)
    expect(await ask('{ whoAmI }', 'new')).toBe(429)
    for (const status of [400, 400, 429]) expect(await ask(padded('{ nothing }'), 'bad')).toBe(status)
  })

  test('come back with the next window', async () => {
    await using gateway = await open({ maxPoints: 1, pointsWindowSeconds: 1 })
    const query = '{ whoAmI }'
    expect((await gateway.post({ query }, as('u7'))).status).toBe(200)
    expect((await gateway.post({ query }, as('u7'))).status).toBe(429)
    const isServed = async () => (await gateway.post({ query }, as('u7'))).status === 200
    await waitFor(isServed, { what: 'the next window' })
  })

  test('0 is no limit', async () => {
    await using gateway = await open({ maxPoints: 0 })
    for (let i = 0; i < 20; i++)
      expect((await gateway.post({ query: '{ whoAmI }' }, as('u8'))).status).toBe(200)
  })
})

describe('the budget', () => {
  const create = (maxPoints: number, store: Redis = redis.live, onUnavailable = (_: unknown) => {}) =>
    createCallerBudget({
      redis: store,
      limits: { ...DEFAULT_GATEWAY_LIMITS, maxPoints, pointsWindowSeconds: LONG },
      onUnavailable,
    })

  test('is told to Redis in steps of a tenth, which have a TTL', async () => {
    const budget = create(100)
    redis.roundTrips.live.length = 0
    for (let i = 0; i < 9; i++) budget.take('user:few')
    expect(redis.roundTrips.live).toEqual([])
    for (let i = 0; i < 41; i++) budget.take('user:few')
    const key = redisKeys.callerPoints('user:few')
    await waitFor(async () => (await redis.live.get(key)) === '50', { what: 'the points in Redis' })
    expect(await redis.live.ttl(key)).toBeGreaterThan(LONG - 60)
    expect(redis.roundTrips.live.filter(([name]) => name !== 'get' && name !== 'ttl')).toHaveLength(5)
  })

  test('is shared: what one gateway has given, another does not give again', async () => {
    const [one, other] = [create(100), create(100)]
    for (let i = 0; i < 90; i++) one.take('user:shared')
    const key = redisKeys.callerPoints('user:shared')
    await waitFor(async () => (await redis.live.get(key)) === '90', { what: 'the points in Redis' })
    let given = 0
    const refused = () => {
      try {
        other.take('user:shared')
        given++
        return false
      } catch {
        return true
      }
    }
    await waitFor(refused, { what: 'a refusal' })
    // It learns of it when it tells of its second tenth.
    expect(given).toBeLessThanOrEqual(30)
  })

  test('goes on without Redis, each gateway for itself, and says so', async () => {
    await using closed = openRedis({ url: 'redis://127.0.0.1:1', name: 'closed' })
    const failures: unknown[] = []
    const budget = create(20, closed.redis, error => failures.push(error))
    for (let i = 0; i < 20; i++) budget.take('user:alone')
    expect(() => budget.take('user:alone')).toThrow(/^More than 20 points/)
    await waitFor(() => failures.length === 10, { what: 'ten failures' })
  })

  test('costs less than 5 µs a request', () => {
    const budget = create(1_000_000)
    let best = Number.POSITIVE_INFINITY
    for (let round = 0; round < 5; round++) {
      const startedAt = performance.now()
      for (let i = 0; i < 10_000; i++) budget.take(`user:${i % 500}`)
      best = Math.min(best, (performance.now() - startedAt) / 10_000)
    }
    expect(best * 1_000).toBeLessThan(5)
  })

  test('forgets those that were not seen for longest, past 10,000 callers', () => {
    const budget = create(1)
    budget.take('user:first')
    expect(() => budget.take('user:first')).toThrow()
    for (let i = 0; i < 10_000; i++) budget.take(`ip:${i}`)
    budget.take('user:first')
  })
})

describe('sign-ins', () => {
  const SIGN_IN = `mutation ($email: String!, $password: String!) {
    signIn(input: { email: $email, password: $password }) { accessToken }
  }`
  let gateway: TestGateway
  let metrics: ReturnType<typeof createMetrics>

  beforeAll(async () => {
    metrics = createMetrics({ group: 'test', withDefaults: false })
    gateway = await startTestGateway({
      shape: 'in-process',
      redis: redis.live,
      trustedProxies: 1,
      metrics,
      limits: {
        accountRates: {
          ...DEFAULT_GATEWAY_LIMITS.accountRates,
          signIn: {
            counts: 'failed',
            maxPerIpAndAccount: 3,
            maxPerIp: 8,
            maxPerAccount: 10,
            windowSeconds: LONG,
          },
          signUp: {
            counts: 'taken',
            maxPerIpAndAccount: 0,
            maxPerIp: 5,
            maxPerAccount: 2,
            windowSeconds: LONG,
          },
        },
      },
    })
    gateway.fixture.nextToken = testToken()
  })

  afterAll(async () => {
    await gateway[Symbol.asyncDispose]()
  })

  const signIn = (email: string, password: string, ip: string) =>
    gateway.post({ query: SIGN_IN, variables: { email, password } }, { 'x-forwarded-for': ip })
  const tooMany = (max: number) => ({
    message: expect.stringMatching(/^Too many sign-ins have failed\. Try again in [0-9]+ s\.$/),
    path: undefined,
    extensions: { code: 'RATE_LIMITED', limit: 'signIn', max, retryAfter: expect.any(Number) },
  })

  test('that fail for one address from one IP are refused with 429, the right password too', async () => {
    for (let i = 0; i < 3; i++) expect((await signIn('a@x.org', 'wrong', '192.0.2.1')).status).toBe(200)
    const { status, headers, body } = await signIn('A@x.org ', 'right', '192.0.2.1')
    expect(status).toBe(429)
    expect(body.errors).toEqual([tooMany(3)])
    expect(Number(headers.get('retry-after'))).toBe(body.errors[0].extensions.retryAfter)
    expect((await signIn('a@x.org', 'right', '192.0.2.2')).status).toBe(200)
    expect((await signIn('b@x.org', 'right', '192.0.2.1')).status).toBe(200)
    expect(await metrics.metrics()).toMatch(/nuvion_gateway_refused_total\{[^}]*limit="signIn"[^}]*\} 1/)
  })

  test('that name their address by a default of a variable are counted for it', async () => {
    const query = `mutation ($email: String! = "z@x.org", $password: String!) {
      signIn(input: { email: $email, password: $password }) { accessToken }
    }`
    const headers = { 'x-forwarded-for': '192.0.2.9' }
    for (let i = 0; i < 3; i++) await gateway.post({ query, variables: { password: 'wrong' } }, headers)
    expect((await signIn('z@x.org', 'right', '192.0.2.9')).status).toBe(429)
    expect((await signIn('y@x.org', 'right', '192.0.2.9')).status).toBe(200)
  })

  test('that succeed do not count', async () => {
    for (let i = 0; i < 20; i++) {
      const { body } = await signIn('c@x.org', 'right', '192.0.2.3')
      expect(body.data.signIn.accessToken).toBe(gateway.fixture.nextToken)
    }
  })

  test('that fail from one IP are refused, whoever they are for', async () => {
    for (let i = 0; i < 8; i++) expect((await signIn(`d${i}@x.org`, 'wrong', '192.0.2.4')).status).toBe(200)
    const { status, body } = await signIn('e@x.org', 'wrong', '192.0.2.4')
    expect(status).toBe(429)
    expect(body.errors).toEqual([tooMany(8)])
  })

  test('in one operation count each, under whatever alias or fragment', async () => {
    const field = (alias: string) =>
      `${alias}: signIn(input: { email: "f@x.org", password: "wrong" }) { accessToken }`
    const query = `mutation { ${['a', 'b'].map(field)} ...More } fragment More on Mutation { ${['c', 'd'].map(field)} }`
    const { status, body } = await gateway.post({ query }, { 'x-forwarded-for': '192.0.2.5' })
    expect(status).toBe(429)
    expect(body.errors).toEqual([tooMany(3)])
  })

  test('over a WebSocket are refused alike', async () => {
    const client = gateway.connect()
    const ask = () =>
      new Promise(resolve => {
        const variables = { email: 'g@x.org', password: 'wrong' }
        client.subscribe({ query: SIGN_IN, variables }, { next: resolve, error: resolve, complete() {} })
      })
    for (let i = 0; i < 3; i++) expect(await ask()).toEqual({ data: { signIn: { accessToken: null } } })
    expect(await ask()).toEqual({ errors: [tooMany(3)] })
  })

  test('are counted by the process while Redis is away', async () => {
    await using closed = openRedis({ url: 'redis://127.0.0.1:1', name: 'closed' })
    const registry = createMetrics({ group: 'test', withDefaults: false })
    await using alone = await startTestGateway({
      shape: 'in-process',
      redis: closed.redis,
      metrics: registry,
      limits: {
        accountRates: {
          ...DEFAULT_GATEWAY_LIMITS.accountRates,
          signIn: { ...DEFAULT_GATEWAY_LIMITS.accountRates.signIn, maxPerIpAndAccount: 2 },
        },
      },
    })
    const variables = { email: 'h@x.org', password: 'wrong' }
    expect((await alone.post({ query: SIGN_IN, variables })).status).toBe(200)
    expect((await alone.post({ query: SIGN_IN, variables })).status).toBe(200)
    expect((await alone.post({ query: SIGN_IN, variables })).status).toBe(429)
    expect(await registry.metrics()).toMatch(/nuvion_gateway_budget_unavailable_total\{[^}]*\} 8/)
  })

  test('leave nothing in Redis that does not end', async () => {
    const keys = await redis.live.keys('nuvion:attempts:*')
    expect(keys.length).toBeGreaterThan(0)
    for (const key of keys) expect(await redis.live.ttl(key)).toBeGreaterThan(0)
  })
})
