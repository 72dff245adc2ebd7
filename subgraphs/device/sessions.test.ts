import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SITE_SCOPE } from '../../schema/live-event.ts'
import { refreshToken, session } from '../../schema/mysql/device-tables.ts'
import { redisKeys } from '../../schema/redis-keys.ts'
import type { UserViewer } from '../shared/auth/viewer.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../shared/testkit/open-test-redis.ts'
import { asDevice, type DeviceFixture, openDeviceFixture } from './device-fixture.ts'
import { createSecret } from './opaque-secret.ts'

let database: TestDatabase
let redis: TestRedis
let device: DeviceFixture
let userId: string

beforeAll(async () => {
  database = await openTestDatabase()
  redis = await openTestRedis()
  device = await openDeviceFixture(database, redis)
  userId = await device.createUser('ann@example.com', 'correct horse')
})
afterAll(async () => {
  await device[Symbol.asyncDispose]()
  await Promise.all([database[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
})

const PAYLOAD = 'accessToken refreshToken expiresAt user { id email emailVerified } userErrors { code field }'

async function signIn(email = 'ann@example.com', password = 'correct horse') {
  const { data, errors } = await device.run(
    null,
    `mutation ($input: SignInInput!) { signIn(input: $input) { ${PAYLOAD} } }`,
    { input: { email, password } },
  )
  expect(errors).toEqual([])
  return data.signIn
}

async function refresh(token: string) {
  const { data, errors } = await device.run(
    null,
    `mutation ($input: RefreshSessionInput!) { refreshSession(input: $input) { ${PAYLOAD} } }`,
    { input: { refreshToken: token } },
  )
  expect(errors).toEqual([])
  return data.refreshSession
}

const refused = (code: string, field: string | null) => ({
  accessToken: null,
  refreshToken: null,
  expiresAt: null,
  user: null,
  userErrors: [{ code, field }],
})
const INVALID_TOKEN = refused('INVALID_TOKEN', 'refreshToken')

describe('signIn', () => {
  it('begins a session, whatever the case of the address', async () => {
    const payload = await signIn(' Ann@Example.com ')
    expect(payload).toMatchObject({
      user: { id: userId, email: 'ann@example.com', emailVerified: false },
      userErrors: [],
    })
    const viewer = await device.verifier.verify(payload.accessToken)
    expect(viewer).toMatchObject({ kind: 'user', userId, expiresAt: Date.parse(payload.expiresAt) })
    expect((await device.run(viewer, '{ viewer { email } }')).data).toEqual({
      viewer: { email: 'ann@example.com' },
    })
  })

  it('keeps no token that could be used', async () => {
    const { refreshToken: token } = await signIn()
    const rows = await database.db.select().from(refreshToken)
    expect(rows.every(row => row.digest.length === 32)).toBe(true)
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  it('answers a wrong password and an unknown address alike', async () => {
    expect(await signIn('ann@example.com', 'wrong')).toEqual(refused('INVALID_CREDENTIALS', null))
    expect(await signIn('nobody@example.com', 'wrong')).toEqual(refused('INVALID_CREDENTIALS', null))
    expect(await signIn('', '')).toEqual(refused('INVALID_CREDENTIALS', null))
  })

  it('works as hard for an unknown address', async () => {
    // CPU time, hashing threads included: unlike the clock it does not depend on what else the machine does.
    const spend = async (email: string) => {
      const before = process.cpuUsage()
      await signIn(email, 'wrong')
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    let [known, unknown] = [0, 0]
    for (let i = 0; i < 10; i++) {
      known += await spend('ann@example.com')
      unknown += await spend('nobody@example.com')
    }
    expect(unknown).toBeGreaterThan(known / 2)
  })

  it('refuses what is too long without hashing it', async () => {
    expect(await signIn('ann@example.com', 'x'.repeat(1_025))).toEqual(refused('BAD_USER_INPUT', 'password'))
    expect(await signIn(`${'x'.repeat(255)}@example.com`)).toEqual(refused('BAD_USER_INPUT', 'email'))
  })
})

describe('refreshSession', () => {
  it('trades a token for a new pair of the same session', async () => {
    const first = await signIn()
    const second = await refresh(first.refreshToken)
    expect(second).toMatchObject({ user: { id: userId }, userErrors: [] })
    expect(second.refreshToken).not.toBe(first.refreshToken)
    const sessionOf = async (token: string) => ((await device.verifier.verify(token)) as UserViewer).sessionId
    expect(await sessionOf(second.accessToken)).toBe(await sessionOf(first.accessToken))
    expect((await refresh(second.refreshToken)).userErrors).toEqual([])
  })

  it('ends the whole session when a token is used twice, and no other session', async () => {
    const [stolen, other] = [await signIn(), await signIn()]
    const newest = await refresh(stolen.refreshToken)
    expect(await refresh(stolen.refreshToken)).toEqual(INVALID_TOKEN)
    expect(await refresh(newest.refreshToken)).toEqual(INVALID_TOKEN)
    expect((await refresh(other.refreshToken)).userErrors).toEqual([])
  })

  it('lets one of many at once win, and then ends the session', async () => {
    for (let round = 0; round < 5; round++) {
      const { refreshToken: token } = await signIn()
      const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(token)))
      const won = answers.filter(answer => answer.accessToken !== null)
      expect(won).toHaveLength(1)
      expect(answers.filter(answer => answer.accessToken === null)).toEqual(Array(7).fill(INVALID_TOKEN))
      expect(await refresh(won[0].refreshToken)).toEqual(INVALID_TOKEN)
    }
  })

  it('refuses an expired one without ending the session', async () => {
    const { refreshToken: token, accessToken } = await signIn()
    await database.db.update(refreshToken).set({ expiresAt: new Date(Date.now() - 1) })
    expect(await refresh(token)).toEqual(INVALID_TOKEN)
    const { sessionId } = (await device.verifier.verify(accessToken)) as UserViewer
    const sessions = await database.db.select().from(session)
    expect(sessions.find(row => row.id === sessionId)?.revokedAt).toBeNull()
  })

  it('refuses an unknown one, and what cannot be one without a statement', async () => {
    expect(await refresh(createSecret())).toEqual(INVALID_TOKEN)
    database.statements.length = 0
    expect(await refresh('nonsense')).toEqual(INVALID_TOKEN)
    expect(await refresh('x'.repeat(100_000))).toEqual(INVALID_TOKEN)
    expect(database.statements).toEqual([])
  })
})

describe('the cost of a session', () => {
  it('is 5 statements a sign-in, so 500 for 100, and 6 a refresh', async () => {
    database.statements.length = 0
    let { refreshToken: token } = await signIn()
    for (let i = 1; i < 100; i++) token = (await signIn()).refreshToken
    expect(database.statements).toHaveLength(500)
    database.statements.length = 0
    await refresh(token)
    expect(database.statements).toHaveLength(6)
    database.statements.length = 0
    await signIn('ann@example.com', 'wrong')
    await signIn('nobody@example.com', 'wrong')
    expect(database.statements).toHaveLength(2)
  })
})

describe('signOut', () => {
  it('ends the session once', async () => {
    const { refreshToken: token, accessToken } = await signIn()
    const viewer = await device.verifier.verify(accessToken)
    const signOut = async () => (await device.run(viewer, 'mutation { signOut { signedOut } }')).data.signOut
    expect(await signOut()).toEqual({ signedOut: true })
    expect(await signOut()).toEqual({ signedOut: false })
    expect(await refresh(token)).toEqual(INVALID_TOKEN)
  })

  it('ends all sessions of the caller, and nobody else, when asked to', async () => {
    await device.createUser('bob@example.com', 'correct horse')
    const sessions = [await signIn(), await signIn()]
    const other = await signIn('bob@example.com')
    const viewer = await device.verifier.verify(sessions[0].accessToken)
    const signOut = 'mutation { signOut(input: { everywhere: true }) { signedOut userErrors { code } } }'
    const run = async () => (await device.run(viewer, signOut)).data.signOut
    expect(await run()).toEqual({ signedOut: true, userErrors: [] })
    expect(await run()).toEqual({ signedOut: false, userErrors: [] })
    for (const { refreshToken: token } of sessions) expect(await refresh(token)).toEqual(INVALID_TOKEN)
    expect((await refresh(other.refreshToken)).userErrors).toEqual([])
  })

  it('is told to all processes, as is the reuse of a refresh token, and works without Redis', async () => {
    const published = async () => {
      const entries = await redis.live.xrange(redisKeys.liveTopic('revocation', SITE_SCOPE), '-', '+')
      await redis.live.del(redisKeys.liveTopic('revocation', SITE_SCOPE))
      return entries.flatMap(([, [, json = '[]']]) => JSON.parse(json))
    }
    const begin = async () => {
      const { accessToken, refreshToken: token } = await signIn()
      return { token, viewer: (await device.verifier.verify(accessToken)) as UserViewer }
    }
    await published()
    const [first, second, third] = [await begin(), await begin(), await begin()]
    await device.run(first.viewer, 'mutation { signOut { signedOut } }')
    const ended = ({ viewer }: typeof first) => ({
      kind: 'session-ended',
      userId,
      sessionId: viewer.sessionId,
    })
    expect(await published()).toEqual([ended(first)])
    await refresh(second.token)
    await refresh(second.token)
    await refresh(second.token)
    expect(await published()).toEqual([ended(second)])
    await device.run(third.viewer, 'mutation { signOut(input: { everywhere: true }) { signedOut } }')
    expect(await published()).toEqual([{ kind: 'sessions-ended', userId }])

    // What holds the topic now cannot be appended to.
    await redis.live.set(redisKeys.liveTopic('revocation', SITE_SCOPE), 'no stream')
    const last = await begin()
    const { data } = await device.run(last.viewer, 'mutation { signOut { signedOut } }')
    expect(data.signOut).toEqual({ signedOut: true })
    await redis.live.del(redisKeys.liveTopic('revocation', SITE_SCOPE))
  })

  it('asks for a user', async () => {
    const signOut = 'mutation { signOut { signedOut } }'
    expect((await device.run(null, signOut)).errors).toEqual([expect.stringMatching(/^UNAUTHENTICATED/)])
    const camera = asDevice({ id: userId, spaceId: userId })
    expect((await device.run(camera, signOut)).errors).toEqual([expect.stringMatching(/^FORBIDDEN/)])
  })
})
