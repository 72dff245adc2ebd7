import type { Redis } from 'ioredis'
import { SITE_SCOPE } from '../../schema/live-event.ts'
import { emailCode, mailOutbox, user } from '../../schema/mysql/device-tables.ts'
import { eq } from '../../schema/mysql/drizzle.ts'
import { redisKeys } from '../../schema/redis-keys.ts'
import type { UserViewer, Viewer } from '../shared/auth/viewer.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { type DeviceFixture, openDeviceFixture } from './device-fixture.ts'

/** Mails of an address, oldest first; those that nobody gets are marked. */
export interface SeenMail {
  readonly template: string
  readonly locale: string
  readonly params: Record<string, unknown>
  readonly isDecoy: boolean
}

/** The device subgraph as people use it. */
export interface AccountFixture extends AsyncDisposable {
  readonly device: DeviceFixture
  /** Runs a mutation that must not fail, and answers its payload. */
  mutate(
    name: string,
    input: object,
    selection: string,
    viewer?: Viewer | null,
    // biome-ignore lint/suspicious/noExplicitAny: payloads have the shape that the test asked for
  ): Promise<any>
  /** Signs in, and answers what the access token says. */
  signIn(email: string, password: string): Promise<{ viewer: UserViewer; refreshToken: string } | null>
  /** Makes an account with a proven address. */
  createAccount(email: string, password: string): Promise<string>
  mailsTo(email: string): Promise<SeenMail[]>
  /** What the newest mail to an address holds. */
  newest(email: string, param: 'code' | 'token'): Promise<string>
  /** As if the last mail had been sent 61 s ago. */
  coolDown(): Promise<void>
  /** Revocations that were published since the last call. */
  published(): Promise<object[]>
}

/** Opens the fixture on a test database and a test Redis, which stay the caller's. */
export async function openAccountFixture(
  database: { db: Db; url: string },
  redis: { live: Redis; liveUrl: string },
): Promise<AccountFixture> {
  const { db } = database
  const device = await openDeviceFixture(database, redis)
  let position = '-'

  async function mailsTo(email: string): Promise<SeenMail[]> {
    const rows = await db
      .select()
      .from(mailOutbox)
      .where(eq(mailOutbox.recipient, email))
      .orderBy(mailOutbox.id)
    return rows.map(({ template, locale, params, nextAttemptAt }) => ({
      template,
      locale,
      params,
      isDecoy: nextAttemptAt === null,
    }))
  }

  const fixture: AccountFixture = {
    device,
    mailsTo,
    async mutate(name, input, selection, viewer = null) {
      const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input!`
      const source = `mutation ($input: ${type}) { ${name}(input: $input) { ${selection} } }`
      const { data, errors } = await device.run(viewer, source, { input })
      if (errors.length > 0) throw new Error(errors.join())
      return data[name]
    },
    async signIn(email, password) {
      const payload = await fixture.mutate('signIn', { email, password }, 'accessToken refreshToken')
      if (payload.accessToken === null) return null
      const viewer = (await device.verifier.verify(payload.accessToken)) as UserViewer
      return { viewer, refreshToken: payload.refreshToken }
    },
    async createAccount(email, password) {
      const id = await device.createUser(email, password)
      await db.update(user).set({ emailVerifiedAt: new Date() }).where(eq(user.id, id))
      return id
    },
    async newest(email, param) {
      const mails = await mailsTo(email)
      return String(mails.filter(({ isDecoy }) => !isDecoy).at(-1)?.params[param])
    },
    async coolDown() {
      await db.update(emailCode).set({ createdAt: new Date(Date.now() - 61_000) })
      await db.update(user).set({ signUpId: '00000000-0000-0000-0000-000000000000' })
    },
    async published() {
      const entries = await redis.live.xrange(redisKeys.liveTopic('revocation', SITE_SCOPE), position, '+')
      position = `(${entries.at(-1)?.[0] ?? '0'}`
      return entries.flatMap(([, [, json = '[]']]) => JSON.parse(json))
    },
    [Symbol.asyncDispose]: () => device[Symbol.asyncDispose](),
  }
  return fixture
}
