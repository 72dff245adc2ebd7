import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { emailCode, user } from '../../schema/mysql/device-tables.ts'
import { eq } from '../../schema/mysql/drizzle.ts'
import type { Viewer } from '../shared/auth/viewer.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../shared/testkit/open-test-redis.ts'
import { waitFor } from '../shared/testkit/wait-for.ts'
import { newId } from '../shared/uuid-v7.ts'
import { type AccountFixture, openAccountFixture } from './account-fixture.ts'
import { createAddressTurns } from './address-turns.ts'
import { createPasswordHasher } from './password-hasher.ts'
import { createSignUps } from './sign-ups.ts'

let database: TestDatabase
let redis: TestRedis
let people: AccountFixture
let email: string

beforeAll(async () => {
  database = await openTestDatabase()
  redis = await openTestRedis()
  people = await openAccountFixture(database, redis)
})
beforeEach(() => {
  email = `${newId()}@example.com`
})
afterAll(async () => {
  await people[Symbol.asyncDispose]()
  await Promise.all([database[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
})

const PASSWORD = 'correct horse'
const signUp = (input: object = {}) =>
  people.mutate(
    'signUp',
    { email, password: PASSWORD, name: 'Ann', ...input },
    'accepted userErrors { code field }',
  )
const verify = (code: string, address = email, viewer: Viewer | null = null) =>
  people.mutate(
    'verifyEmail',
    { email: address, code },
    'user { email name emailVerified locale } userErrors { code field }',
    viewer,
  )
const resend = (address = email) =>
  people.mutate('resendVerification', { email: address }, 'accepted userErrors { code field }')
const rowOf = async (address = email) =>
  (await database.db.select().from(user).where(eq(user.email, address)))[0]

const ACCEPTED = { accepted: true, userErrors: [] }
const WRONG_CODE = { user: null, userErrors: [{ code: 'INVALID_TOKEN', field: 'code' }] }
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

describe('signUp', () => {
  it('makes an account that may sign in, whose address the mailed code proves, once', async () => {
    expect(await signUp({ email: ` ${email.toUpperCase()} `, name: '  홍길동 ', locale: 'KO' })).toEqual(
      ACCEPTED,
    )
    expect(await people.mailsTo(email)).toEqual([
      {
        template: 'verify-email',
        locale: 'ko',
        params: { code: expect.stringMatching(/^\d{6}$/) },
        isDecoy: false,
      },
    ])
    expect(await people.signIn(email, PASSWORD)).not.toBeNull()
    expect((await rowOf())?.emailVerifiedAt).toBeNull()

    const code = await people.newest(email, 'code')
    expect(await verify(` ${code} `)).toEqual({
      user: { email, name: '홍길동', emailVerified: true, locale: null },
      userErrors: [],
    })
    expect(await verify(code)).toEqual(WRONG_CODE)
    expect((await rowOf())?.emailVerifiedAt).toBeInstanceOf(Date)
  })

  it('keeps neither password nor code', async () => {
    await signUp()
    const code = await people.newest(email, 'code')
    const rows = [await rowOf(), await database.db.select().from(emailCode)]
    expect(JSON.stringify(rows)).not.toContain(PASSWORD)
    expect(JSON.stringify(rows)).not.toContain(`"${code}"`)
    expect((await rowOf())?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  it('answers alike when the address has an account, which stays as it is and is mailed so', async () => {
    await people.createAccount(email, PASSWORD)
    const before = await rowOf()
    expect(await signUp({ password: 'another password', name: 'Mallory' })).toEqual(ACCEPTED)
    expect(await rowOf()).toEqual({ ...before, signUpId: expect.any(String) })
    expect(await people.mailsTo(email)).toEqual([
      { template: 'account-exists', locale: 'en', params: {}, isDecoy: false },
    ])
    expect(await signUp()).toEqual(ACCEPTED)
    expect((await people.mailsTo(email)).filter(({ isDecoy }) => !isDecoy)).toHaveLength(1)
  })

  it('takes over an account whose address is not proven, and ends its sessions', async () => {
    await signUp({ password: 'of a squatter', name: 'Mallory' })
    const squatter = await people.signIn(email, 'of a squatter')
    const former = await people.newest(email, 'code')
    await people.published()

    expect(await signUp()).toEqual(ACCEPTED)
    expect((await rowOf())?.name).toBe('Mallory')
    await people.coolDown()
    expect(await signUp()).toEqual(ACCEPTED)
    expect((await rowOf())?.name).toBe('Ann')
    const { userId } = squatter?.viewer ?? {}
    const events: object[] = []
    const hasCome = async () => events.push(...(await people.published())) > 0
    await waitFor(hasCome, { what: 'the revocation' })
    expect(events).toEqual([{ kind: 'sessions-ended', userId }])
    const input = { refreshToken: squatter?.refreshToken }
    expect((await people.mutate('refreshSession', input, 'accessToken')).accessToken).toBeNull()
    expect(await people.signIn(email, 'of a squatter')).toBeNull()
    const code = await people.newest(email, 'code')
    if (code !== former) expect(await verify(former)).toEqual(WRONG_CODE)
    // Who reads the mail may not be who signed up last.
    const CONTESTED = { user: null, userErrors: [{ code: 'CONFLICT', field: null }] }
    expect(await verify(code)).toEqual(CONTESTED)
    expect(await verify(code, email, squatter?.viewer)).toEqual(CONTESTED)
    const own = await people.signIn(email, PASSWORD)
    expect((await verify(code, email, own?.viewer)).userErrors).toEqual([])
  })

  it('of two for an address leaves a way to the account for who reads its mail alone', async () => {
    await signUp()
    await people.coolDown()
    await signUp({ password: 'of a squatter' })
    await people.mutate('requestPasswordReset', { email }, 'accepted')
    const token = await people.newest(email, 'token')
    await people.mutate('resetPassword', { token, newPassword: PASSWORD }, 'changed')
    expect((await rowOf())?.emailVerifiedAt).toBeInstanceOf(Date)
    expect(await people.signIn(email, 'of a squatter')).toBeNull()
    expect(await people.signIn(email, PASSWORD)).not.toBeNull()
  })

  it('of two within 60 s has the code count from a session of the account only', async () => {
    await signUp({ password: 'of a squatter', name: 'Mallory' })
    await signUp()
    expect((await people.mailsTo(email)).filter(({ isDecoy }) => !isDecoy)).toHaveLength(1)
    const CONTESTED = { user: null, userErrors: [{ code: 'CONFLICT', field: null }] }
    expect(await verify(await people.newest(email, 'code'))).toEqual(CONTESTED)
    expect((await rowOf())?.emailVerifiedAt).toBeNull()
  })

  it('of many at once for an address makes one account and mails one code, which is good', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => signUp({ name: `Ann ${i}`, password: `${PASSWORD} ${i}` })),
    )
    expect(answers).toEqual(Array(8).fill(ACCEPTED))
    const mails = await people.mailsTo(email)
    expect(mails).toHaveLength(8)
    expect(mails.filter(({ isDecoy }) => !isDecoy)).toHaveLength(1)
    const number = (await rowOf())?.name.replace('Ann ', '')
    const own = await people.signIn(email, `${PASSWORD} ${number}`)
    expect((await verify(await people.newest(email, 'code'), email, own?.viewer)).userErrors).toEqual([])
  })

  it('names every field at fault, and makes nothing', async () => {
    const before = await database.db.$count(user)
    const refused = async (input: object, ...fields: string[]) =>
      expect(await signUp(input)).toEqual({
        accepted: false,
        userErrors: fields.map(field => ({ code: 'BAD_USER_INPUT', field })),
      })
    await refused({ email: 'x', password: 'short', name: ' ' }, 'email', 'password', 'name')
    await refused({ email: `ann@example.com\r\nBcc: ${email}` }, 'email')
    await refused({ password: email.toUpperCase() }, 'password')
    await refused({ password: 'x'.repeat(129) }, 'password')
    await refused({ password: `${'x'.repeat(10)}\ud800` }, 'password')
    await refused({ name: 'Аdmin' }, 'name')
    await refused({ name: 'x'.repeat(1_000_000) }, 'name')
    expect(await database.db.$count(user)).toBe(before)
    expect(await signUp({ password: '🏭'.repeat(10) })).toEqual(ACCEPTED)
  })
})

describe('verifyEmail', () => {
  it('takes five guesses at a code, then it is dead', async () => {
    await signUp()
    const code = await people.newest(email, 'code')
    for (let i = 0; i < 4; i++) expect(await verify(otherThan(code))).toEqual(WRONG_CODE)
    expect((await verify(code)).userErrors).toEqual([])

    email = `${newId()}@example.com`
    await signUp()
    const dead = await people.newest(email, 'code')
    for (let i = 0; i < 5; i++) expect(await verify(otherThan(dead))).toEqual(WRONG_CODE)
    expect(await verify(dead)).toEqual(WRONG_CODE)
    await people.coolDown()
    await resend()
    expect((await verify(await people.newest(email, 'code'))).userErrors).toEqual([])
  })

  it('counts guesses that come at once, too', async () => {
    await signUp()
    const code = await people.newest(email, 'code')
    const wrong = Array.from({ length: 30 }, () => verify(otherThan(code)))
    expect(await Promise.all(wrong)).toEqual(Array(30).fill(WRONG_CODE))
    expect(await verify(code)).toEqual(WRONG_CODE)
  })

  it('lets one of many at once use a code', async () => {
    await signUp()
    const code = await people.newest(email, 'code')
    const answers = await Promise.all(Array.from({ length: 5 }, () => verify(code)))
    expect(answers.filter(({ user: verified }) => verified !== null)).toHaveLength(1)
  })

  it('refuses a code after 10 minutes, of another address, and what is no code', async () => {
    await signUp()
    const code = await people.newest(email, 'code')
    const other = `other-${email}`
    await signUp({ email: other })
    if ((await people.newest(other, 'code')) !== code) expect(await verify(code, other)).toEqual(WRONG_CODE)
    for (const text of ['', '12345', '1234567', '１２３４５６', '-12345', '1e5   ', 'x'.repeat(100_000)]) {
      expect(await verify(text, other)).toEqual(WRONG_CODE)
    }
    expect(await verify(code, 'x')).toEqual({
      user: null,
      userErrors: [{ code: 'BAD_USER_INPUT', field: 'email' }],
    })
    await database.db.update(emailCode).set({ expiresAt: new Date() })
    expect(await verify(code)).toEqual(WRONG_CODE)
  })
})

describe('resendVerification', () => {
  it('mails a new code, at most once in 60 s, and kills the former', async () => {
    await signUp()
    const former = await people.newest(email, 'code')
    const sent = async () => (await people.mailsTo(email)).filter(({ isDecoy }) => !isDecoy).length
    expect(await resend()).toEqual(ACCEPTED)
    expect(await sent()).toBe(1)
    await people.coolDown()
    expect(await Promise.all([resend(), resend(), resend()])).toEqual(Array(3).fill(ACCEPTED))
    expect(await sent()).toBe(2)
    const code = await people.newest(email, 'code')
    if (code !== former) expect(await verify(former)).toEqual(WRONG_CODE)
    expect((await verify(code)).userErrors).toEqual([])
  })

  it('answers alike for who has proven their address, and who has no account, and mails nobody', async () => {
    await people.createAccount(email, PASSWORD)
    for (const address of [email, `nobody-${email}`]) {
      expect(await resend(address)).toEqual(ACCEPTED)
      expect((await people.mailsTo(address)).map(({ isDecoy }) => isDecoy)).toEqual([true])
    }
    expect(await resend('x')).toEqual({
      accepted: false,
      userErrors: [{ code: 'BAD_USER_INPUT', field: 'email' }],
    })
  })
})

describe('the work of a sign-up', () => {
  it('is the same whether the address has an account or not: statements, writes and hashes', async () => {
    const { db, statements } = database
    const hasher = createPasswordHasher()
    let hashes = 0
    const passwords = {
      hash(password: string) {
        hashes++
        return hasher.hash(password)
      },
      check: hasher.check,
    }
    const revocations = { async publish() {} }
    const turns = createAddressTurns()
    const signUps = createSignUps({ db, passwords, secret: 'a secret', turns, revocations, nudgeMailer() {} })
    const [fresh, pending, verified] = [`fresh-${email}`, `pending-${email}`, `verified-${email}`] as const
    await signUp({ email: pending })
    await people.createAccount(verified, PASSWORD)
    await people.coolDown()

    async function workOf(act: (address: string) => Promise<unknown>, address: string): Promise<string[]> {
      statements.length = 0
      hashes = 0
      await act(address)
      return [`${hashes} hashes`, ...statements.map(sql => sql.split(' ').slice(0, 3).join(' '))]
    }
    const acts = {
      signUp: (address: string) =>
        signUps.signUp({ email: address, password: PASSWORD, name: 'Ann', locale: 'en' }),
      verify: (address: string) => signUps.verify({ email: address, code: 'none', viewer: null }),
      resend: (address: string) => signUps.resend(address),
    }
    for (const act of [acts.signUp, acts.signUp, acts.verify, acts.resend]) {
      const expected = await workOf(act, pending)
      expect(await workOf(act, verified)).toEqual(expected)
      expect(await workOf(act, act === acts.signUp ? fresh : `nobody-${email}`)).toEqual(expected)
      expect(expected.filter(sql => sql.startsWith('insert')).length).toBeGreaterThan(0)
    }
  })
})
