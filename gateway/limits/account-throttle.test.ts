import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestRedis, type TestRedis } from '../../subgraphs/shared/testkit/open-test-redis.ts'
import { type AccountRate, DEFAULT_GATEWAY_LIMITS } from '../gateway-limits.ts'
import { startTestGateway, type TestGateway, testToken } from '../testing/start-test-gateway.ts'

let redis: TestRedis
let gateway: TestGateway
let ip: string
let ips = 0

const rate = (part: Partial<AccountRate>): AccountRate => ({
  counts: 'failed',
  maxPerIp: 0,
  maxPerIpAndAccount: 0,
  maxPerAccount: 0,
  windowSeconds: 600,
  ...part,
})

beforeAll(async () => {
  redis = await openTestRedis()
  gateway = await startTestGateway({
    shape: 'in-process',
    redis: redis.live,
    trustedProxies: 1,
    limits: {
      accountRates: {
        ...DEFAULT_GATEWAY_LIMITS.accountRates,
        signIn: rate({ maxPerAccount: 3 }),
        signUp: rate({ counts: 'taken', maxPerIp: 4, maxPerAccount: 2 }),
        verifyEmail: rate({ maxPerIp: 4, maxPerAccount: 2 }),
        changePassword: rate({ maxPerAccount: 2 }),
        deviceToken: rate({ maxPerIp: 4, maxPerIpAndAccount: 2 }),
      },
    },
  })
})
beforeEach(async () => {
  ip = `192.0.2.${++ips}`
  await redis.live.flushdb()
})
afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
  await redis[Symbol.asyncDispose]()
})

/** Runs one mutation and answers its status. */
async function run(field: string, { from = ip, token }: { from?: string; token?: string } = {}) {
  const authorization: Record<string, string> =
    token === undefined ? {} : { authorization: `Bearer ${token}` }
  const headers = { 'x-forwarded-for': from, ...authorization }
  return gateway.post({ query: `mutation { ${field} { userErrors { code } } }` }, headers)
}
const statuses = async (...fields: string[]) => {
  const seen: number[] = []
  for (const field of fields) seen.push((await run(field)).status)
  return seen
}
const signUp = (email: string, name = 'Ann') => `signUp(input: { email: "${email}", name: "${name}" })`
const verify = (email: string, code: string) => `verifyEmail(input: { email: "${email}", code: "${code}" })`

describe('attempts at an account', () => {
  test('are counted however its address is written, from anywhere, and refused with a hint when to come back', async () => {
    expect((await run(signUp('ann@example.com'))).status).toBe(200)
    expect((await run(signUp(' ANN@Example.com'), { from: '198.51.100.1' })).status).toBe(200)
    const { status, headers, body } = await run(signUp('ann@example.com'), { from: '198.51.100.2' })
    expect(status).toBe(429)
    expect(body.errors).toEqual([
      {
        message: expect.stringMatching(/^Too many of signUp\. Try again in \d+ s\.$/),
        extensions: { code: 'RATE_LIMITED', limit: 'signUp', max: 2, retryAfter: expect.any(Number) },
      },
    ])
    expect(Number(headers.get('retry-after'))).toBe(body.errors[0].extensions.retryAfter)
    expect((await run(signUp('bob@example.com'), { from: '198.51.100.2' })).status).toBe(200)
  })

  test('are bounded per IP address, whoever they are for', async () => {
    const emails = ['a', 'b', 'c', 'd', 'e'].map(name => signUp(`${name}@example.com`))
    expect(await statuses(...emails)).toEqual([200, 200, 200, 200, 429])
    expect((await run(signUp('e@example.com'), { from: '198.51.100.3' })).status).toBe(200)
  })

  test('that were not taken do not count where those taken do', async () => {
    const bad = Array.from({ length: 6 }, () => signUp('ann@example.com', ''))
    expect(await statuses(...bad)).toEqual(bad.map(() => 200))
  })

  test('that succeed do not count where those failed do, unless the client looks away', async () => {
    const good = Array.from({ length: 6 }, () => verify('ann@example.com', 'right'))
    expect(await statuses(...good)).toEqual(good.map(() => 200))
    const wrong = Array.from({ length: 3 }, () => verify('ann@example.com', 'wrong'))
    expect(await statuses(...wrong)).toEqual([200, 200, 429])
    expect(await statuses(verify('ann@example.com', 'right'))).toEqual([429])

    const query = `mutation { ${verify('bob@example.com', 'right')} { __typename } }`
    const blind = async () => (await gateway.post({ query }, { 'x-forwarded-for': '198.51.100.4' })).status
    expect([await blind(), await blind(), await blind()]).toEqual([200, 200, 429])
  })

  test('at a device count from an IP address, for it and for all, when its token is asked for in vain', async () => {
    const ask = (deviceId: string, credential: string, from = ip) =>
      run(`deviceToken(input: { deviceId: "${deviceId}", credential: "${credential}" })`, { from })
    const status = async (...attempt: Parameters<typeof ask>) => (await ask(...attempt)).status
    for (let i = 0; i < 6; i++) expect(await status('one', 'right')).toBe(200)
    expect([await status('one', 'x'), await status('one', 'x'), await status('one', 'x')]).toEqual([
      200, 200, 429,
    ])
    // Nobody locks it out from elsewhere.
    expect(await status('one', 'right', '198.51.100.7')).toBe(200)
    expect([await status('two', 'x'), await status('three', 'x')]).toEqual([200, 429])
    const query = 'mutation { deviceToken(input: { deviceId: "four", credential: "right" }) { token } }'
    const blind = async () => (await gateway.post({ query }, { 'x-forwarded-for': '198.51.100.8' })).status
    for (let i = 0; i < 6; i++) expect(await blind()).toBe(200)
  })

  test('in one operation count each, under whatever alias', async () => {
    const fields = ['a', 'b', 'c'].map(
      alias => `${alias}: ${verify('ann@example.com', 'wrong')} { userErrors { code } }`,
    )
    const { status } = await gateway.post(
      { query: `mutation { ${fields.join(' ')} }` },
      { 'x-forwarded-for': ip },
    )
    expect(status).toBe(429)
  })

  test('with a password of its own are known by who asks', async () => {
    const change = 'changePassword(input: { currentPassword: "wrong" })'
    const [ann, bob] = [testToken({ userId: 'ann' }), testToken({ userId: 'bob' })]
    const seen = [
      await run(change, { token: ann }),
      await run(change, { token: ann, from: '198.51.100.5' }),
      await run(change, { token: ann, from: '198.51.100.6' }),
      await run(change, { token: bob }),
    ]
    expect(seen.map(({ status }) => status)).toEqual([200, 200, 429, 200])
  })

  test('at a password are bounded from all IP addresses together', async () => {
    const query =
      'mutation { signIn(input: { email: "ann@example.com", password: "wrong" }) { accessToken } }'
    const from = async (address: string) =>
      (await gateway.post({ query }, { 'x-forwarded-for': address })).status
    const seen = []
    for (const last of [7, 8, 9, 10]) seen.push(await from(`198.51.100.${last}`))
    expect(seen).toEqual([200, 200, 200, 429])
  })

  test('leave no address in Redis, and nothing that does not end', async () => {
    await run(signUp('ann@example.com'))
    const keys = await redis.live.keys('nuvion:attempts:*')
    expect(keys).toHaveLength(2)
    expect(keys.join()).not.toContain('example')
    for (const key of keys) expect(await redis.live.ttl(key)).toBeGreaterThan(0)
  })
})
