import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { notificationSetting } from '../../../schema/mysql/alert-tables.ts'
import { eq } from '../../../schema/mysql/drizzle.ts'
import { openTestDatabase } from '../../shared/testkit/open-test-database.ts'
import { newId } from '../../shared/uuid-v7.ts'
import type { UpdateNotificationSettingsInput } from '../resolver-types.generated.ts'
import { DEFAULT_SETTINGS } from './notification-settings.ts'
import { changeSettings, endMail } from './settings-change.ts'
import { findSettings } from './settings-repository.ts'

type Edit = Omit<UpdateNotificationSettingsInput, 'spaceId'>

let database: Awaited<ReturnType<typeof openTestDatabase>>

beforeAll(async () => {
  database = await openTestDatabase({ poolSize: 20 })
})

afterAll(async () => {
  await database?.[Symbol.asyncDispose]()
})

const newKey = () => ({ spaceId: newId(), userId: newId() })

async function change(key: { spaceId: string; userId: string }, edit: Edit, allowPrivate = false) {
  return await changeSettings(database.db, key, { spaceId: key.spaceId, ...edit }, { allowPrivate })
}

const quiet = { from: '22:00', to: '06:00', timezone: 'Asia/Seoul' }
const secret = 'sixteen-characters-or-more'
const url = 'https://hooks.example.com/'

describe('an edit of what one wants to be told of', () => {
  it.each<[string, Edit, string]>([
    ['offlineAfterMinutes', { offlineAfterMinutes: -1 }, 'offlineAfterMinutes is 0 to 10080, or null.'],
    ['offlineAfterMinutes', { offlineAfterMinutes: 10_081 }, 'offlineAfterMinutes is 0 to 10080, or null.'],
    [
      'quietHours.from',
      { quietHours: { ...quiet, from: '24:00' } },
      'quietHours.from is a time of day such as 22:00.',
    ],
    [
      'quietHours.to',
      { quietHours: { ...quiet, to: '6:00' } },
      'quietHours.to is a time of day such as 22:00.',
    ],
    [
      'quietHours.to',
      { quietHours: { ...quiet, to: '22:00' } },
      'quietHours.to is another time than quietHours.from.',
    ],
    ['quietHours.timezone', { quietHours: { ...quiet, timezone: 'Asia/Suwon' } }, 'quietHours.timezone '],
    ['webhook.url', { webhook: { url: 'http://hooks.example.com/' } }, 'webhook.url is no https URL.'],
    ['webhook.url', { webhook: { url: 'https://10.0.0.1/' } }, 'webhook.url leads to a private address.'],
    [
      'webhook.url',
      { webhook: { url: 'https://a:b@hooks.example.com/' } },
      'webhook.url has a user or a password in it.',
    ],
    [
      'webhook.secret',
      { webhook: { url, secret: 'short' } },
      'webhook.secret is 16 to 256 visible ASCII characters',
    ],
    ['webhook.secret', { webhook: { url, secret: 'a'.repeat(257) } }, 'webhook.secret is 16 to 256'],
    [
      'webhook.secret',
      { webhook: { url, secret: '열여섯 글자보다 긴 비밀번호입니다' } },
      'webhook.secret is 16 to 256',
    ],
    ['webhook.secret', { webhook: { url, secret: 'whsec_c2hvcnQ=1234' } }, 'webhook.secret is 16 to 256'],
  ])('is refused by its field: %s %o', async (field, edit, message) => {
    const key = newKey()
    await expect(change(key, edit)).rejects.toMatchObject({
      userErrors: [{ code: 'BAD_USER_INPUT', field, message: expect.stringContaining(message) }],
    })
    expect(await findSettings(database.db, key)).toEqual(DEFAULT_SETTINGS)
  })

  it('leaves what it does not name, and takes out what it says is null', async () => {
    const key = newKey()
    await change(key, { severities: ['CRITICAL', 'INFO'], offlineAfterMinutes: 0 })
    await change(key, { quietHours: quiet, digest: 'DAILY' })
    await change(key, { email: false })
    await change(key, { webhook: { url } })
    const whole = {
      severities: ['INFO', 'CRITICAL'],
      offlineAfterMinutes: 0,
      quietHours: { from: 1_320, to: 360, timezone: 'Asia/Seoul' },
      email: false,
      webhook: { url, secret: null },
      digest: 'DAILY',
      version: 4,
    }
    expect(await findSettings(database.db, key)).toEqual(whole)
    await change(key, { offlineAfterMinutes: null, quietHours: null, webhook: null, severities: [] })
    expect(await findSettings(database.db, key)).toEqual({
      ...whole,
      ...{ severities: [], offlineAfterMinutes: null, quietHours: null, webhook: null, version: 5 },
    })
  })

  it('keeps the secret of a webhook until another or none is given', async () => {
    const key = newKey()
    const secretAfter = async (webhook: Edit['webhook']) => (await change(key, { webhook })).webhook?.secret
    expect(await secretAfter({ url, secret })).toBe(secret)
    expect(await secretAfter({ url: `${url}other` })).toBe(secret)
    expect(await secretAfter({ url, secret: `${secret}!` })).toBe(`${secret}!`)
    expect(await secretAfter({ url, secret: null })).toBeNull()
    await secretAfter({ url, secret })
    await change(key, { webhook: null })
    expect(await secretAfter({ url })).toBeNull()
  })

  it('of a version that has passed is a CONFLICT that says which is now', async () => {
    const key = newKey()
    expect((await change(key, { email: false, version: 0 })).version).toBe(1)
    await expect(change(key, { email: true, version: 0 })).rejects.toMatchObject({
      userErrors: [
        {
          code: 'CONFLICT',
          field: 'version',
          message: 'The settings have been changed: they are at version 1.',
        },
      ],
    })
    expect(await findSettings(database.db, key)).toMatchObject({ email: false, version: 1 })
  })

  it('is made by all of twenty who are the first at once, in one row', async () => {
    const key = newKey()
    const changed = await Promise.all(
      Array.from({ length: 20 }, (_, minutes) => change(key, { offlineAfterMinutes: minutes })),
    )
    expect(changed.map(({ version }) => version).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    )
    const rows = await database.db
      .select()
      .from(notificationSetting)
      .where(eq(notificationSetting.spaceId, key.spaceId))
    expect(rows).toMatchObject([{ version: 20 }])
    const firsts = newKey()
    const ones = await Promise.allSettled(
      Array.from({ length: 20 }, () => change(firsts, { email: false, version: 0 })),
    )
    expect(ones.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('is not lost when mail ends at the same time', async () => {
    const key = newKey()
    await Promise.all([change(key, { digest: 'HOURLY' }), endMail(database.db, key)])
    expect(await findSettings(database.db, key)).toMatchObject({ digest: 'HOURLY', email: false, version: 2 })
  })
})
