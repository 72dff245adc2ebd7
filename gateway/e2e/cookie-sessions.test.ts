import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from 'graphql-ws'
import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { openTestDatabase } from '../../subgraphs/shared/testkit/open-test-database.ts'
import { openTestRedis } from '../../subgraphs/shared/testkit/open-test-redis.ts'
import { type Product, startProduct } from '../../subgraphs/shared/testkit/product.ts'

const SIGN_IN =
  'signIn(input: { email: "demo@nuvion.local", password: "nuvion-demo", cookie: true }) { accessToken refreshToken userErrors { code } }'
const REFRESH =
  'refreshSession(input: { cookie: true }) { accessToken refreshToken userErrors { code field } }'

/** One browser: keeps its cookies, and says where its pages are from. */
function createBrowser(url: string, headers: Record<string, string> = {}) {
  const jar = new Map<string, string>()
  const seen: string[] = []
  return {
    jar,
    /** Every value that a cookie of it ever had. */
    seen,
    async mutate(field: string, extra: Record<string, string> = {}) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(cookie && { cookie }), ...headers, ...extra },
        body: JSON.stringify({ query: `mutation { ${field} }` }),
        signal: AbortSignal.timeout(20_000),
      })
      const set = response.headers.getSetCookie()
      for (const line of set) {
        const [, name = '', value = '', age = ''] = /^([^=]+)=([^;]*);.*Max-Age=(\d+)/.exec(line) ?? []
        if (age === '0') jar.delete(name)
        else jar.set(name, value)
        if (value !== '') seen.push(value)
      }
      // biome-ignore lint/suspicious/noExplicitAny: the shape is what the test asserts
      const body: any = await response.json()
      return { status: response.status, set, body, text: JSON.stringify(body) }
    },
  }
}

async function useCookies({ url, log }: Product, others: readonly Product[]): Promise<void> {
  const browser = createBrowser(url, { origin: url, 'sec-fetch-site': 'same-origin' })
  const begun = await browser.mutate(SIGN_IN)
  expect(begun.body.data.signIn).toMatchObject({ refreshToken: null, userErrors: [] })
  expect(begun.body.extensions).toBeUndefined()
  expect(begun.set).toEqual([
    expect.stringMatching(/^nuvion-refresh=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/),
  ])
  const copied = browser.jar.get('nuvion-refresh') ?? ''

  // Tabs that refresh at once, and one whose token has gone bad.
  const tabs = await Promise.all([
    browser.mutate(REFRESH),
    browser.mutate(REFRESH),
    browser.mutate(REFRESH, { authorization: 'Bearer nonsense' }),
  ])
  for (const { body } of tabs)
    expect(body.data.refreshSession).toMatchObject({ refreshToken: null, userErrors: [] })
  expect(new Set(tabs.flatMap(({ set }) => set)).size).toBe(1)
  expect(browser.jar.get('nuvion-refresh')).not.toBe(copied)

  // A page of another origin, and a form, which needs no preflight.
  const foreigners: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
  ]
  for (const foreign of foreigners) {
    const refused = await browser.mutate(REFRESH, foreign)
    expect(refused.body.errors[0].extensions.code).toBe('FORBIDDEN')
    expect(refused.set).toEqual([])
  }
  const form = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', cookie: `nuvion-refresh=${browser.jar.get('nuvion-refresh')}` },
    body: JSON.stringify({ query: `mutation { ${REFRESH} }` }),
  })
  expect([form.status, form.headers.getSetCookie()]).toEqual([415, []])

  // A socket cannot set one; the token that HTTP gave renews it.
  const { accessToken } = (await browser.mutate(REFRESH)).body.data.refreshSession
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: { authorization: `Bearer ${accessToken}` },
  })
  const extensions = { authorization: `Bearer ${accessToken}` }
  for await (const { data } of client.iterate({ query: `mutation { ${REFRESH} }`, extensions }))
    expect(data?.refreshSession).toMatchObject({ userErrors: [{ code: 'BAD_USER_INPUT', field: 'cookie' }] })
  await client.dispose()

  const out = await browser.mutate('signOut { signedOut }', { authorization: `Bearer ${accessToken}` })
  expect(out.set).toEqual(['nuvion-refresh=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict'])
  expect(browser.jar.size).toBe(0)
  expect((await browser.mutate(REFRESH)).body.data.refreshSession.userErrors).toEqual([
    { code: 'INVALID_TOKEN', field: 'cookie' },
  ])

  // Behind a proxy that ends TLS.
  const behind = createBrowser(url, { origin: url.replace('http', 'https'), 'x-forwarded-proto': 'https' })
  const secure = (await behind.mutate(SIGN_IN)).set
  expect(secure).toEqual([
    expect.stringMatching(
      /^__Host-nuvion-refresh=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure$/,
    ),
  ])
  expect((await behind.mutate(REFRESH)).body.data.refreshSession.userErrors).toEqual([])

  for (const value of [...browser.seen, ...behind.seen])
    for (const written of [log(), ...others.map(other => other.log())]) expect(written).not.toContain(value)
}

it('browsers keep their sessions in cookies, whether the subgraphs share the gateway’s process or not', async () => {
  await using database = await openTestDatabase()
  await using redis = await openTestRedis()
  const dataDir = await mkdtemp(join(tmpdir(), 'nuvion-cookies-'))
  {
    const env = {
      NUVION_DATA: dataDir,
      DATABASE_URL: database.url,
      REDIS_URL: redis.liveUrl,
      REDIS_INGEST_URL: redis.ingestUrl,
      HOST: '127.0.0.1',
      LOG_LEVEL: 'trace',
      NUVION_TRUSTED_PROXIES: '1',
    }
    await using device = await startProduct({ roles: ['device'], env: { ...env, NUVION_DEMO: '1' } })
    await using events = await startProduct({ roles: ['events'], env })
    const urls = { DEVICE_URL: device.url, EVENTS_URL: events.url }
    {
      await using gateway = await startProduct({
        roles: ['gateway', 'reports', 'streaming'],
        env: { ...env, ...urls },
      })
      await useCookies(gateway, [device, events])
    }
    await using front = await startProduct({
      roles: ['gateway', 'device', 'events', 'reports', 'streaming'],
      env,
    })
    await useCookies(front, [])
  }
  await rm(dataDir, { recursive: true })
}, 120_000)
