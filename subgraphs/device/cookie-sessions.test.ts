import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { refreshToken, session } from '../../schema/mysql/device-tables.ts'
import { eq } from '../../schema/mysql/drizzle.ts'
import type { UserViewer, Viewer } from '../shared/auth/viewer.ts'
import type { RefreshCookie, SubgraphReply } from '../shared/graphql/subgraph.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../shared/testkit/open-test-redis.ts'
import { type DeviceFixture, openDeviceFixture } from './device-fixture.ts'
import { createSecret, digestSecret } from './opaque-secret.ts'

let database: TestDatabase
let redis: TestRedis
let device: DeviceFixture

beforeAll(async () => {
  database = await openTestDatabase()
  redis = await openTestRedis()
  device = await openDeviceFixture(database, redis)
  await device.createUser('ann@example.com', 'correct horse')
})
afterAll(async () => {
  await device[Symbol.asyncDispose]()
  await Promise.all([database[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
})
afterEach(() => vi.useRealTimers())

const PAYLOAD = 'accessToken refreshToken user { email } userErrors { code field }'

/** Runs a mutation as a browser whose cookie says `token`; a null `cookie` is a door that cannot set one. */
async function ask(
  field: 'signIn' | 'refreshSession' | 'signOut',
  input: object,
  {
    token = null,
    isCrossOrigin = false,
    viewer = null,
    hasCookies = true,
  }: Partial<RefreshCookie & { viewer: Viewer | null; hasCookies: boolean }> = {},
) {
  const reply: SubgraphReply = {}
  const type = `${field[0]?.toUpperCase()}${field.slice(1)}Input!`
  const selection = field === 'signOut' ? 'signedOut userErrors { code }' : PAYLOAD
  const { data, errors } = await device.run(
    viewer,
    `mutation ($input: ${type}) { ${field}(input: $input) { ${selection} } }`,
    { input },
    { refreshCookie: hasCookies ? { token, isCrossOrigin } : undefined },
    reply,
  )
  return { payload: data?.[field], errors, cookie: reply.refreshCookie }
}

async function signIn(): Promise<string> {
  const { cookie } = await ask('signIn', {
    email: 'ann@example.com',
    password: 'correct horse',
    cookie: true,
  })
  return cookie?.token ?? ''
}
const refresh = (token: string | null) => ask('refreshSession', { cookie: true }, { token })
const later = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
const viewerOf = async ({ payload }: { payload: { accessToken: string } }) =>
  (await device.verifier.verify(payload.accessToken)) as UserViewer

describe('a session in a cookie', () => {
  it('begins and goes on without a refresh token in any payload', async () => {
    const begun = await ask('signIn', { email: 'ann@example.com', password: 'correct horse', cookie: true })
    expect(begun.payload).toEqual({
      accessToken: expect.any(String),
      refreshToken: null,
      user: { email: 'ann@example.com' },
      userErrors: [],
    })
    expect(begun.cookie?.maxAgeMs).toBe(30 * 24 * 60 * 60_000)
    const next = await refresh(begun.cookie?.token ?? '')
    expect(next.payload).toMatchObject({ refreshToken: null, userErrors: [] })
    expect(next.cookie?.token).toMatch(/^[\w-]{43}$/)
    expect(next.cookie?.token).not.toBe(begun.cookie?.token)
    expect((await viewerOf(next)).sessionId).toBe((await viewerOf(begun)).sessionId)
    expect(JSON.stringify(await database.db.select().from(refreshToken))).not.toContain(next.cookie?.token)
  })

  it('sets no cookie for who does not ask for one, or is not let in', async () => {
    const asked = { email: 'ann@example.com', password: 'correct horse' }
    const plain = await ask('signIn', asked)
    expect(plain.cookie).toBeUndefined()
    expect(plain.payload.refreshToken).toMatch(/^[\w-]{43}$/)
    expect((await ask('refreshSession', { refreshToken: plain.payload.refreshToken })).cookie).toBeUndefined()
    expect((await ask('signIn', { ...asked, password: 'wrong', cookie: true })).cookie).toBeUndefined()
  })

  it('is taken away when it is signed out, and by a refresh that is refused', async () => {
    const token = await signIn()
    const refreshed = await refresh(token)
    const out = await ask('signOut', {}, { token, viewer: await viewerOf(refreshed) })
    expect(out).toMatchObject({ payload: { signedOut: true }, cookie: null })
    for (const bad of [refreshed.cookie?.token ?? '', createSecret(), 'nonsense', null]) {
      const { payload, cookie } = await refresh(bad)
      expect(payload).toMatchObject({
        accessToken: null,
        userErrors: [{ code: 'INVALID_TOKEN', field: 'cookie' }],
      })
      expect(cookie).toBeNull()
    }
  })

  it('wants a token from one place', async () => {
    for (const input of [{}, { cookie: false }, { refreshToken: createSecret(), cookie: true }]) {
      const { payload, cookie } = await ask('refreshSession', input, { token: await signIn() })
      expect(payload.userErrors).toEqual([{ code: 'BAD_USER_INPUT', field: null }])
      expect(cookie).toBeUndefined()
    }
  })

  it('is for pages of this origin, and for answers that can set it', async () => {
    const token = await signIn()
    const foreign = await ask('refreshSession', { cookie: true }, { token, isCrossOrigin: true })
    expect(foreign.errors).toEqual([expect.stringMatching(/^FORBIDDEN/)])
    const asked = { email: 'ann@example.com', password: 'correct horse', cookie: true }
    expect((await ask('signIn', asked, { isCrossOrigin: true })).errors).toEqual([
      expect.stringMatching(/^FORBIDDEN/),
    ])
    for (const [field, input] of [
      ['signIn', asked],
      ['refreshSession', { cookie: true }],
    ] as const) {
      const { payload } = await ask(field, input, { hasCookies: false })
      expect(payload.userErrors).toEqual([{ code: 'BAD_USER_INPUT', field: 'cookie' }])
    }
    // Neither has used the token.
    expect((await refresh(token)).payload.userErrors).toEqual([])
  })
})

describe('a cookie that was used', () => {
  it('is answered with one and the same new one for tabs that refresh at once', async () => {
    for (let round = 0; round < 3; round++) {
      const token = await signIn()
      const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(token)))
      expect(answers.flatMap(({ payload }) => payload.userErrors)).toEqual([])
      expect(new Set(answers.map(({ cookie }) => cookie?.token)).size).toBe(1)
      const { sessionId } = await viewerOf(answers[0] as never)
      const kept = await database.db.select().from(refreshToken).where(eq(refreshToken.sessionId, sessionId))
      expect(kept).toHaveLength(2)
      expect((await refresh(answers[0]?.cookie?.token ?? '')).payload.userErrors).toEqual([])
    }
  })

  it('leads to the newest when some tab has gone on already, and when an answer was lost', async () => {
    const first = await signIn()
    const second = (await refresh(first)).cookie?.token ?? ''
    const third = (await refresh(second)).cookie?.token
    expect((await refresh(first)).cookie?.token).toBe(third)
    expect((await refresh(second)).cookie?.token).toBe(third)
  })

  it('ends the session after 10 seconds', async () => {
    const first = await signIn()
    const second = await refresh(first)
    later(10_500)
    const reused = await refresh(first)
    expect(reused).toMatchObject({ payload: { userErrors: [{ code: 'INVALID_TOKEN' }] }, cookie: null })
    expect((await refresh(second.cookie?.token ?? '')).payload.accessToken).toBeNull()
    const { sessionId } = await viewerOf(second)
    const [row] = await database.db.select().from(session).where(eq(session.id, sessionId))
    expect(row?.revokedAt).not.toBeNull()
  })

  it('shows that it was copied as soon as both have gone on, also when it was copied in those 10 seconds', async () => {
    const first = await signIn()
    const browser = await refresh(first)
    const thief = await refresh(first)
    expect(thief.cookie?.token).toBe(browser.cookie?.token)
    later(60_000)
    expect((await refresh(thief.cookie?.token ?? '')).payload.userErrors).toEqual([])
    later(20_000)
    expect((await refresh(browser.cookie?.token ?? '')).cookie).toBeNull()
  })

  it('ends the session at once when it comes in a payload, or has come in one before', async () => {
    const first = await signIn()
    await refresh(first)
    const { payload } = await ask('refreshSession', { refreshToken: first })
    expect(payload.userErrors).toEqual([{ code: 'INVALID_TOKEN', field: 'refreshToken' }])
    const other = await signIn()
    await ask('refreshSession', { refreshToken: other })
    expect((await refresh(other)).cookie).toBeNull()
  })

  it('is not followed to one that has expired', async () => {
    const first = await signIn()
    const second = (await refresh(first)).cookie?.token ?? ''
    await database.db
      .update(refreshToken)
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where(eq(refreshToken.digest, digestSecret(second)))
    expect((await refresh(first)).cookie).toBeNull()
  })
})
