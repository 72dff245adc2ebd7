import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { emailCode, refreshToken, user } from '../../schema/mysql/device-tables.ts'
import { eq } from '../../schema/mysql/drizzle.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../shared/testkit/open-test-redis.ts'
import { newId } from '../shared/uuid-v7.ts'
import { type AccountFixture, openAccountFixture } from './account-fixture.ts'
import { asDevice } from './device-fixture.ts'
import { createSecret } from './opaque-secret.ts'

let database: TestDatabase
let redis: TestRedis
let people: AccountFixture
let email: string
let userId: string

const PASSWORD = 'correct horse'
const NEW_PASSWORD = 'battery staple'

beforeAll(async () => {
  database = await openTestDatabase()
  redis = await openTestRedis()
  people = await openAccountFixture(database, redis)
})
beforeEach(async () => {
  email = `${newId()}@example.com`
  userId = await people.createAccount(email, PASSWORD)
})
afterAll(async () => {
  await people[Symbol.asyncDispose]()
  await Promise.all([database[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
})

const request = (address = email) =>
  people.mutate('requestPasswordReset', { email: address }, 'accepted userErrors { code field }')
const reset = (token: string, newPassword = NEW_PASSWORD) =>
  people.mutate('resetPassword', { token, newPassword }, 'changed userErrors { code field }')
async function signIn(password = PASSWORD) {
  const begun = await people.signIn(email, password)
  if (begun === null) throw new Error('Expected a session')
  return begun
}
const isAlive = async ({ refreshToken: token }: { refreshToken: string }) =>
  (await people.mutate('refreshSession', { refreshToken: token }, 'accessToken')).accessToken !== null

const ACCEPTED = { accepted: true, userErrors: [] }
const CHANGED = { changed: true, userErrors: [] }
const refused = (code: string, field: string | null) => ({ changed: false, userErrors: [{ code, field }] })
const WRONG_TOKEN = refused('INVALID_TOKEN', 'token')

describe('resetPassword', () => {
  it('sets a new password, once, proves the address, ends all sessions and tells the owner', async () => {
    await database.db.update(user).set({ emailVerifiedAt: null }).where(eq(user.id, userId))
    const sessions = [await signIn(), await signIn()]
    expect(await request()).toEqual(ACCEPTED)
    const token = await people.newest(email, 'token')
    expect(token).toMatch(/^[\w-]{43}$/)
    await people.published()
    expect(await reset(token)).toEqual(CHANGED)
    expect(await people.published()).toEqual([{ kind: 'sessions-ended', userId }])
    expect(await reset(token, 'yet another one')).toEqual(WRONG_TOKEN)
    expect(await people.signIn(email, PASSWORD)).toBeNull()
    expect(await signIn(NEW_PASSWORD)).toBeDefined()
    for (const session of sessions) expect(await isAlive(session)).toBe(false)
    const [row] = await database.db.select().from(user).where(eq(user.id, userId))
    expect(row?.emailVerifiedAt).toBeInstanceOf(Date)
    expect((await people.mailsTo(email)).map(({ template }) => template)).toEqual([
      'reset-password',
      'password-changed',
    ])
  })

  it('lets one of many at once use a token', async () => {
    await request()
    const token = await people.newest(email, 'token')
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) => reset(token, `${NEW_PASSWORD} ${i}`)),
    )
    const won = answers.findIndex(({ changed }) => changed)
    expect(answers.filter(({ changed }) => !changed)).toEqual(Array(5).fill(WRONG_TOKEN))
    expect(await signIn(`${NEW_PASSWORD} ${won}`)).toBeDefined()
  })

  it('refuses a token that is expired, replaced or unknown, and what is none without a statement', async () => {
    await request()
    const former = await people.newest(email, 'token')
    await people.coolDown()
    await request()
    expect(await reset(former)).toEqual(WRONG_TOKEN)
    expect(await reset(createSecret())).toEqual(WRONG_TOKEN)
    await database.db.update(emailCode).set({ expiresAt: new Date() }).where(eq(emailCode.userId, userId))
    expect(await reset(await people.newest(email, 'token'))).toEqual(WRONG_TOKEN)
    database.statements.length = 0
    for (const text of ['', 'x', 'x'.repeat(100_000)]) expect(await reset(text)).toEqual(WRONG_TOKEN)
    expect(database.statements).toEqual([])
    expect(await signIn()).toBeDefined()
  })

  it('takes no code that proves an address for a token', async () => {
    const other = `other-${email}`
    await people.mutate('signUp', { email: other, password: PASSWORD, name: 'Ann' }, 'accepted')
    expect(await reset(await people.newest(other, 'code'))).toEqual(WRONG_TOKEN)
  })

  it('refuses a bad password and leaves the token good', async () => {
    await request()
    const token = await people.newest(email, 'token')
    for (const bad of ['', 'short', 'x'.repeat(129), email])
      expect(await reset(token, bad)).toEqual(refused('BAD_USER_INPUT', 'newPassword'))
    expect(await reset(token)).toEqual(CHANGED)
  })

  it('lets no session begin with the password of before', async () => {
    let former = PASSWORD
    for (let round = 0; round < 5; round++) {
      await people.coolDown()
      await request()
      const token = await people.newest(email, 'token')
      const next = `${NEW_PASSWORD} ${round}`
      const password = former
      const attempts = Array.from({ length: 6 }, () => people.signIn(email, password))
      const [begun, changed] = await Promise.all([Promise.all(attempts), reset(token, next)])
      expect(changed).toEqual(CHANGED)
      for (const session of begun) if (session !== null) expect(await isAlive(session)).toBe(false)
      former = next
    }
  })
})

describe('requestPasswordReset', () => {
  it('mails at most once in 60 s', async () => {
    const sent = async () => (await people.mailsTo(email)).filter(({ isDecoy }) => !isDecoy).length
    expect(await Promise.all([request(), request(), request()])).toEqual(Array(3).fill(ACCEPTED))
    expect(await sent()).toBe(1)
    await people.coolDown()
    await request()
    expect(await sent()).toBe(2)
  })

  it('answers alike and works alike for who has no account, and mails nobody', async () => {
    const nobody = `nobody-${email}`
    const workOf = async (address: string) => {
      database.statements.length = 0
      expect(await request(address)).toEqual(ACCEPTED)
      return database.statements.map(sql => sql.split(' ').slice(0, 3).join(' '))
    }
    const known = await workOf(email)
    expect(await workOf(nobody)).toEqual(known)
    // Mailed a moment ago, so not again.
    expect(await workOf(email)).toEqual(known)
    expect(known).toEqual([
      'begin',
      'select `id`, `email`,',
      'select `digest`, `tries`,',
      'insert into `email_code`',
      'insert into `mail_outbox`',
      'commit',
    ])
    expect((await people.mailsTo(nobody)).map(({ isDecoy }) => isDecoy)).toEqual([true])
    const [decoy] = await people.mailsTo(nobody)
    expect(await reset(String(decoy?.params.token))).toEqual(WRONG_TOKEN)
  })
})

describe('changePassword', () => {
  const change = (viewer: Parameters<AccountFixture['mutate']>[3], input: object = {}) =>
    people.mutate(
      'changePassword',
      { currentPassword: PASSWORD, newPassword: NEW_PASSWORD, ...input },
      'changed userErrors { code field }',
      viewer,
    )

  it('sets a new password, ends the other sessions and outstanding tokens, and tells the owner', async () => {
    const [own, other, old] = [await signIn(), await signIn(), await signIn()]
    const longAgo = new Date(Date.now() - 20 * 60_000)
    const ofOld = eq(refreshToken.sessionId, old.viewer.sessionId)
    await database.db.update(refreshToken).set({ createdAt: longAgo }).where(ofOld)
    await request()
    const token = await people.newest(email, 'token')
    await people.published()
    expect(await change(own.viewer)).toEqual(CHANGED)
    // The third has had no access token for 20 minutes: there is nothing to refuse.
    const { sessionId } = other.viewer
    expect(await people.published()).toEqual([{ kind: 'session-ended', userId, sessionId }])
    expect(await isAlive(own)).toBe(true)
    expect(await isAlive(other)).toBe(false)
    expect(await isAlive(old)).toBe(false)
    expect(await reset(token)).toEqual(WRONG_TOKEN)
    expect(await people.signIn(email, PASSWORD)).toBeNull()
    expect(await signIn(NEW_PASSWORD)).toBeDefined()
    expect((await people.mailsTo(email)).at(-1)?.template).toBe('password-changed')
  })

  it('refuses who does not know the current one, and a bad new one, and changes nothing', async () => {
    const { viewer } = await signIn()
    const WRONG = refused('INVALID_CREDENTIALS', 'currentPassword')
    expect(await change(viewer, { currentPassword: 'wrong' })).toEqual(WRONG)
    expect(await change(viewer, { currentPassword: 'x'.repeat(100_000) })).toEqual(WRONG)
    for (const newPassword of ['short', email.toUpperCase(), 'x'.repeat(129)])
      expect(await change(viewer, { newPassword })).toEqual(refused('BAD_USER_INPUT', 'newPassword'))
    expect(await signIn()).toBeDefined()
    expect(await people.mailsTo(email)).toEqual([])
  })

  it('lets one of two at once win; the other learns of it', async () => {
    const { viewer } = await signIn()
    const answers = await Promise.all(
      [1, 2].map(i => change(viewer, { newPassword: `${NEW_PASSWORD} ${i}` })),
    )
    const won = answers.findIndex(({ changed }) => changed)
    expect(answers[1 - won]).toEqual(refused('CONFLICT', null))
    expect(await signIn(`${NEW_PASSWORD} ${won + 1}`)).toBeDefined()
  })

  it('asks for a user', async () => {
    await expect(change(null)).rejects.toThrow('UNAUTHENTICATED')
    await expect(change(asDevice({ id: newId(), spaceId: newId() }))).rejects.toThrow('FORBIDDEN')
  })
})
