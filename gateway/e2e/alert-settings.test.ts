import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addMembers } from '../../subgraphs/shared/testkit/add-members.ts'
import { graphqlData, graphqlRequest, signIn } from '../../subgraphs/shared/testkit/graphql-request.ts'
import { openTestDatabase, type TestDatabase } from '../../subgraphs/shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../../subgraphs/shared/testkit/open-test-redis.ts'
import { type Product, startProduct } from '../../subgraphs/shared/testkit/product.ts'
import { connectStompDevice } from '../../subgraphs/shared/testkit/stomp-device.ts'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import { registerSenders, type Senders } from './testing/senders.ts'

const SECRET = 'never-to-be-told-again'

interface Settings {
  readonly severities: string[]
  readonly offlineAfterMinutes: number | null
  readonly email: boolean
  readonly webhook: { url: string; secretSet: boolean } | null
  readonly version: number
}

const SETTINGS = 'severities offlineAfterMinutes email webhook { url secretSet } version'

describe('who is told of a space', () => {
  let database: TestDatabase
  let redis: TestRedis
  let product: Product
  let dataDir: string
  let senders: Senders
  let address: string
  let token: string

  beforeAll(async () => {
    database = await openTestDatabase()
    redis = await openTestRedis()
    dataDir = await mkdtemp(join(tmpdir(), 'nuvion-alerts-'))
    product = await startProduct({
      env: {
        ...{ NUVION_DATA: dataDir, NUVION_DEMO: '1', HOST: '127.0.0.1' },
        ...{ DATABASE_URL: database.url, REDIS_URL: redis.liveUrl, REDIS_INGEST_URL: redis.ingestUrl },
      },
    })
    senders = await registerSenders({ gatewayUrl: product.url }, 2)
    ;[address = ''] = await addMembers(database.db, { spaceId: senders.spaceId, count: 1 })
    token = await signIn(product.url, address)
  }, 60_000)

  afterAll(async () => {
    await product?.[Symbol.asyncDispose]()
    await redis?.[Symbol.asyncDispose]()
    await database?.[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true })
  })

  async function readSettings(): Promise<Settings> {
    const query = `query ($spaceId: ID!) { notificationSettings(spaceId: $spaceId) { ${SETTINGS} } }`
    const variables = { spaceId: senders.spaceId }
    const data = await graphqlData<{ notificationSettings: Settings }>(product.url, query, {
      token,
      variables,
    })
    return data.notificationSettings
  }

  async function update(edit: object) {
    return await graphqlRequest<{
      updateNotificationSettings: { settings: Settings | null; userErrors: { code: string; field: string }[] }
    }>(
      product.url,
      `mutation ($input: UpdateNotificationSettingsInput!) {
        updateNotificationSettings(input: $input) { settings { ${SETTINGS} } userErrors { code message field } }
      }`,
      { token, variables: { input: { spaceId: senders.spaceId, ...edit } } },
    )
  }

  /** Mails to the member whose text or subject says something. */
  async function findMails(words: string) {
    const paths = [...product.output().matchAll(/^Mail to (\S+): (.*)$/gm)].filter(([, to]) => to === address)
    const mails = await Promise.all(
      paths.map(async ([, , path = '']) => PostalMime.parse(await readFile(path))),
    )
    return mails.filter(({ subject = '', text = '' }) => `${subject} ${text}`.includes(words))
  }

  it('says for themselves, by field and version, and is never told the secret', async () => {
    expect(await readSettings()).toEqual({
      ...{
        severities: ['MAJOR', 'CRITICAL'],
        offlineAfterMinutes: 10,
        email: true,
        webhook: null,
        version: 0,
      },
    })
    const webhook = { url: 'https://hooks.example.com/', secret: SECRET }
    const answers = [await update({ webhook, offlineAfterMinutes: 1, version: 0 })]
    expect(answers[0]?.data?.updateNotificationSettings).toMatchObject({
      settings: { webhook: { url: webhook.url, secretSet: true }, offlineAfterMinutes: 1, version: 1 },
      userErrors: [],
    })
    for (const [edit, code, field] of [
      [{ email: false, version: 0 }, 'CONFLICT', 'version'],
      [{ webhook: { url: 'https://169.254.169.254/latest' } }, 'BAD_USER_INPUT', 'webhook.url'],
      [{ webhook: { url: 'http://hooks.example.com/', secret: SECRET } }, 'BAD_USER_INPUT', 'webhook.url'],
      [{ offlineAfterMinutes: 99_999 }, 'BAD_USER_INPUT', 'offlineAfterMinutes'],
    ] as const) {
      const answer = await update(edit)
      expect(answer.data?.updateNotificationSettings).toMatchObject({
        settings: null,
        userErrors: [{ code, field }],
      })
      answers.push(answer)
    }
    answers.push(await update({ webhook: null }))
    expect(await readSettings()).toMatchObject({ webhook: null, version: 2 })
    expect(JSON.stringify(answers)).not.toContain(SECRET)
    expect(product.log()).not.toContain(SECRET)
  })

  it('is told of a device that stays away, and not of one that is back before their time', {
    timeout: 150_000,
  }, async () => {
    const [away, back] = senders.logins
    if (away === undefined || back === undefined) throw new Error('Expected two devices.')
    for (const login of [away, back]) {
      const device = await connectStompDevice(product.url, login)
      await device.send('/app/log', { level: 'INFO', message: 'here' })
      await device[Symbol.asyncDispose]()
    }
    await using _ = await connectStompDevice(product.url, back)
    const mail = await waitFor(async () => (await findMails('Sender 0'))[0], {
      deadlineMs: 120_000,
      what: 'the mail of the device that is away',
    })
    expect(mail.subject).toMatch(/offline|오프라인/)
    expect(await findMails('Sender 1')).toEqual([])
  })

  it('ends the mail by the link in it, without signing in', async () => {
    const [login] = senders.logins
    if (login === undefined) throw new Error('Expected a device.')
    await using device = await connectStompDevice(product.url, login)
    await device.send('/app/anomaly', {
      type: 'fault-of-test',
      severity: 'CRITICAL',
      message: 'It is too hot.',
    })
    const mail = await waitFor(async () => (await findMails('fault-of-test'))[0], {
      deadlineMs: 20_000,
      what: 'the mail of the anomaly',
    })
    const headers = new Map(mail.headers.map(({ key, value }) => [key, value]))
    const link = /http:\/\/\S+\/unsubscribe\/[\w-]{75}/.exec(mail.text ?? '')?.[0] ?? ''
    expect(headers.get('list-unsubscribe')).toBe(`<${link}>`)
    expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')

    const asked = await fetch(link)
    expect([asked.status, await asked.text()]).toEqual([200, expect.stringContaining('<form method="post">')])
    expect(await readSettings()).toMatchObject({ email: true, version: 2 })
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
    expect((await fetch(link, { method: 'POST', body })).status).toBe(200)
    expect(await readSettings()).toMatchObject({ email: false, version: 3 })
    const guessed = link.replace(/.$/, last => (last === 'A' ? 'E' : 'A'))
    expect((await fetch(guessed, { method: 'POST' })).status).toBe(404)
  })

  it('sees what they were told, and whoever signed in with the demo was told nothing', async () => {
    const { alerts } = await graphqlData<{
      alerts: { nodes: { status: string; kind: string; device: { name: string } }[] }
    }>(
      product.url,
      `query ($spaceId: ID!) { alerts(spaceId: $spaceId, first: 50) {
        nodes { status kind device { name } user { id } anomaly { type } occurredAt }
      } }`,
      { token, variables: { spaceId: senders.spaceId } },
    )
    const ofSenders = alerts.nodes.filter(({ device }) => device.name.startsWith('Sender'))
    expect(ofSenders.map(({ status, kind, device }) => `${kind} ${device.name} ${status}`)).toEqual([
      'ANOMALY Sender 0 SENT',
      'OFFLINE Sender 0 SENT',
    ])
    expect(product.output()).not.toContain('Mail to demo@nuvion.local')
  })

  it('who leaves and comes back finds what they had said', async () => {
    const [rows] = await database.pool.query('SELECT id FROM user WHERE email = ?', [address])
    const userId = (rows as { id: string }[])[0]?.id
    await database.pool.query('DELETE FROM membership WHERE user_id = ?', [userId])
    await database.pool.query(
      "INSERT INTO membership (space_id, user_id, role, joined_at) VALUES (?, ?, 'VIEWER', NOW(3))",
      [senders.spaceId, userId],
    )
    expect(await waitFor(() => readSettings())).toMatchObject({ email: false, version: 3 })
  })
})
