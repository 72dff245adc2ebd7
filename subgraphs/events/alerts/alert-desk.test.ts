import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { membership, user } from '../../../schema/mysql/device-tables.ts'
import { eq } from '../../../schema/mysql/drizzle.ts'
import { createLogger } from '../../shared/logger.ts'
import { createMetrics } from '../../shared/metrics.ts'
import { openTestDatabase } from '../../shared/testkit/open-test-database.ts'
import { type AlertDesk, createAlertDesk, RetryLaterError } from './alert-desk.ts'
import { type AlertFixture, createAlertFixture } from './alert-fixture.ts'
import { type AlertJob, idOfJob } from './alert-job.ts'
import { createAlertMetrics } from './alert-metrics.ts'
import { createRecipients } from './recipients.ts'
import { changeSettings } from './settings-change.ts'
import type { WebhookMessage, WebhookOutcome } from './webhook-sender.ts'

/** Fridays at 15:00 in Seoul are nobody's quiet hours here, unless a test says so. */
const NOON = Date.parse('2026-11-27T15:00:00+09:00')
const MINUTE = 60_000

let database: Awaited<ReturnType<typeof openTestDatabase>>
let fixture: AlertFixture
let desk: AlertDesk
let jobs: Map<string, AlertJob>
let sent: WebhookMessage[]
let answer: WebhookOutcome

beforeEach(async () => {
  vi.useFakeTimers({ now: NOON, toFake: ['Date'] })
  database = await openTestDatabase()
  fixture = await createAlertFixture(database.db)
  jobs = new Map()
  sent = []
  answer = { kind: 'delivered' }
  desk = openDesk()
})

afterEach(async () => {
  vi.useRealTimers()
  await database[Symbol.asyncDispose]()
})

/** A desk of a process that has just started: it remembers nobody. */
function openDesk(queue = { add: async (added: readonly AlertJob[]) => keep(added) }): AlertDesk {
  return createAlertDesk({
    db: database.db,
    recipients: createRecipients({ pool: database.pool }),
    queue,
    webhooks: {
      async send(message) {
        sent.push(message)
        return answer
      },
    },
    makeUnsubscribeToken: (spaceId, userId) => `${spaceId}.${userId}`,
    metrics: createAlertMetrics(createMetrics({ group: 'test' })),
    logger: createLogger({ level: 'silent', role: 'test' }),
  })
}

function keep(added: readonly AlertJob[]): void {
  for (const job of added) jobs.set(idOfJob(job), job)
}

/** Does the jobs of a kind that wait, each once. */
async function doJobs(kind: AlertJob['kind']): Promise<void> {
  for (const [id, job] of [...jobs].filter(([, job]) => job.kind === kind)) {
    jobs.delete(id)
    await desk.handle(job)
  }
}

const statuses = async () => (await fixture.alerts()).map(({ status, heldFor }) => `${status} ${heldFor}`)

describe('an anomaly', () => {
  it('is told by mail to who has not said otherwise', async () => {
    const { email, userId } = await fixture.addMember()
    await desk.handle(fixture.anomalyJob('MAJOR'))
    const [mail, ...more] = await fixture.mails()
    expect(more).toEqual([])
    expect(mail).toMatchObject({ recipient: email, template: 'alert', sentAt: null })
    expect(mail?.params).toMatchObject({
      spaceName: 'Suwon',
      timezone: 'Asia/Seoul',
      unsubscribeToken: `${fixture.spaceId}.${userId}`,
      kind: 'ANOMALY',
      deviceName: 'CAM-1',
      severity: 'MAJOR',
      type: 'overheat',
      message: '92 °C',
    })
    expect(await statuses()).toEqual(['MAILED null'])
  })

  it('is told once to each, however often it is asked for, also by several workers at once', async () => {
    await fixture.addMember()
    await fixture.addMember({ webhook: { url: 'https://hooks.example.com/', secret: null } })
    const job = fixture.anomalyJob()
    await Promise.allSettled([desk.handle(job), openDesk().handle(job), openDesk().handle(job)])
    await desk.handle(job)
    await desk.handle({ ...job, anomaly: { ...job.anomaly, severity: 'MAJOR' } })
    expect(await fixture.mails()).toHaveLength(2)
    expect(await fixture.alerts()).toHaveLength(3)
    expect([...jobs.values()].map(({ kind }) => kind)).toEqual(['webhook'])
  })

  it('that becomes graver is told to those whom it did not concern before, and to nobody twice', async () => {
    await fixture.addMember({ severities: ['CRITICAL'] })
    await fixture.addMember({ severities: ['MINOR', 'MAJOR', 'CRITICAL'] })
    const job = fixture.anomalyJob('MINOR')
    await desk.handle(job)
    expect(await fixture.mails()).toHaveLength(1)
    await desk.handle({ ...job, anomaly: { ...job.anomaly, severity: 'CRITICAL' } })
    expect(await fixture.mails()).toHaveLength(2)
    expect(new Set((await fixture.mails()).map(({ recipient }) => recipient)).size).toBe(2)
  })

  it('is told to nobody who wants no mail, has not proven the address, or has left', async () => {
    await fixture.addMember({ email: false })
    const unproven = await fixture.addMember()
    await database.db.update(user).set({ emailVerifiedAt: null }).where(eq(user.id, unproven.userId))
    const gone = await fixture.addMember()
    await database.db.delete(membership).where(eq(membership.userId, gone.userId))
    await desk.handle(fixture.anomalyJob())
    expect(await fixture.mails()).toEqual([])
  })

  it('is told after a failure between its alert and what follows from it', async () => {
    await fixture.addMember({ email: false, webhook: { url: 'https://hooks.example.com/', secret: null } })
    const failing = openDesk({
      add: async () => {
        throw new Error('Redis is away')
      },
    })
    const job = fixture.anomalyJob()
    await expect(failing.handle(job)).rejects.toThrow('Redis is away')
    expect(jobs.size).toBe(0)
    await desk.handle(job)
    await doJobs('webhook')
    expect(sent).toHaveLength(1)
    expect(await statuses()).toEqual(['SENT null'])
  })

  it('in quiet hours waits for their end, and goes out with what else has waited', async () => {
    await fixture.addMember({ quietHours: { from: 14 * 60, to: 18 * 60, timezone: 'Asia/Seoul' } })
    const all = [fixture.anomalyJob('MAJOR'), fixture.anomalyJob('CRITICAL')]
    for (const job of all) await desk.handle(job)
    expect(await statuses()).toEqual(['HELD QUIET_HOURS', 'HELD QUIET_HOURS'])
    expect(await fixture.mails()).toEqual([])
    const [digest, ...more] = jobs.values()
    expect(more).toEqual([])
    expect(digest).toMatchObject({ kind: 'digest', dueAt: Date.parse('2026-11-27T18:00:00+09:00') })
    await doJobs('digest')
    expect(await fixture.mails()).toEqual([])
    vi.setSystemTime('2026-11-27T18:00:00+09:00')
    await doJobs('digest')
    const [mail] = await fixture.mails()
    expect(mail).toMatchObject({ template: 'alert-digest', params: { total: 2 } })
    expect(await statuses()).toEqual(['MAILED QUIET_HOURS', 'MAILED QUIET_HOURS'])
    if (digest !== undefined) await desk.handle(digest)
    expect(await fixture.mails()).toHaveLength(1)
  })

  it.each([
    ['HOURLY', '2026-11-27T16:00:00+09:00'],
    ['DAILY', '2026-11-28T08:00:00+09:00'],
  ] as const)('waits for the digest of %s', async (digest, due) => {
    await fixture.addMember({ digest })
    await desk.handle(fixture.anomalyJob())
    expect((await fixture.alerts())[0]).toMatchObject({ heldFor: 'DIGEST', dueAt: new Date(due) })
  })

  it('in a storm becomes digests, also when all comes at once', async () => {
    await fixture.addMember()
    await fixture.addMember({ webhook: { url: 'https://hooks.example.com/', secret: null } })
    await Promise.all(Array.from({ length: 60 }, () => desk.handle(fixture.anomalyJob())))
    expect(await fixture.mails()).toHaveLength(20)
    const all = await statuses()
    expect(all.filter(status => status === 'QUEUED null')).toHaveLength(10)
    expect(all.filter(status => status === 'HELD STORM')).toHaveLength(150)
  })

  it('costs as many statements however many members a space has, and however many come with it', async () => {
    const count = async (jobs: readonly AlertJob[]) => {
      const fresh = openDesk()
      database.statements.length = 0
      await Promise.all(jobs.map(job => fresh.handle(job)))
      return database.statements.length
    }
    await fixture.addMember()
    const one = await count([fixture.anomalyJob()])
    for (let i = 0; i < 30; i++) await fixture.addMember()
    expect(await count([fixture.anomalyJob()])).toBe(one)
    expect(one).toBeLessThanOrEqual(9)
    const twenty = Array.from({ length: 20 }, () => fixture.anomalyJob())
    // The first goes by itself, the others together.
    expect(await count(twenty)).toBeLessThanOrEqual(2 * one)
  })

  it('in a storm becomes digests: sixty make ten mails and one', async () => {
    await fixture.addMember()
    for (let i = 0; i < 60; i++) await desk.handle(fixture.anomalyJob())
    expect(await fixture.mails()).toHaveLength(10)
    expect((await statuses()).filter(status => status === 'HELD STORM')).toHaveLength(50)
    expect(jobs.size).toBe(1)
    await doJobs('digest')
    const digest = (await fixture.mails()).at(-1)
    const items = expect.objectContaining({ length: 20 })
    expect(digest).toMatchObject({ template: 'alert-digest', params: { total: 50, items } })
    vi.setSystemTime(NOON + 11 * MINUTE)
    await desk.handle(fixture.anomalyJob())
    expect((await fixture.mails()).at(-1)).toMatchObject({ template: 'alert' })
  })
})

describe('a device that goes offline', () => {
  it('is told of after the time that each waits, unless it is back', async () => {
    await fixture.addMember({ offlineAfterMinutes: 5 })
    await fixture.addMember({ offlineAfterMinutes: 30 })
    await fixture.addMember({ offlineAfterMinutes: null })
    await desk.handle(await fixture.goOffline(NOON))
    expect([...jobs.values()]).toMatchObject([{ kind: 'offline-due', afterMinutes: 5 }])
    await doJobs('offline-due')
    expect(await fixture.mails()).toMatchObject([{ params: { kind: 'OFFLINE', deviceName: 'CAM-1' } }])
    expect([...jobs.values()]).toMatchObject([{ kind: 'offline-due', afterMinutes: 30 }])
    await fixture.goOnline(NOON + 10 * MINUTE)
    await doJobs('offline-due')
    expect(await fixture.mails()).toHaveLength(1)
    expect(jobs.size).toBe(0)
  })

  it('is looked at each hour for who waits longer, and told of to who has come to wait less meanwhile', async () => {
    const { userId } = await fixture.addMember({ offlineAfterMinutes: 7 * 24 * 60 })
    await desk.handle(await fixture.goOffline(NOON))
    for (const afterMinutes of [60, 120]) {
      expect([...jobs.values()]).toMatchObject([{ kind: 'offline-due', afterMinutes }])
      await doJobs('offline-due')
    }
    expect(await fixture.alerts()).toEqual([])
    await changeSettings(
      database.db,
      { spaceId: fixture.spaceId, userId },
      { spaceId: fixture.spaceId, offlineAfterMinutes: 30 },
      { allowPrivate: false },
    )
    desk = openDesk()
    await doJobs('offline-due')
    expect(await fixture.alerts()).toHaveLength(1)
    expect(jobs.size).toBe(0)
  })

  it('and has been away again since is told of by the newer absence alone', async () => {
    await fixture.addMember()
    await desk.handle(await fixture.goOffline(NOON))
    await fixture.goOnline(NOON + MINUTE)
    await desk.handle(await fixture.goOffline(NOON + 2 * MINUTE))
    await doJobs('offline-due')
    expect(await fixture.alerts()).toHaveLength(1)
  })

  it('again and again is told of twice, then together, and not if it is back by then', async () => {
    await fixture.addMember()
    for (let i = 0; i < 4; i++) {
      await desk.handle(await fixture.goOffline(NOON + i * 10 * MINUTE))
      await doJobs('offline-due')
      await fixture.goOnline(NOON + (i * 10 + 5) * MINUTE)
    }
    expect(await statuses()).toEqual(['MAILED null', 'MAILED null', 'HELD FLAPPING', 'HELD FLAPPING'])
    await doJobs('digest')
    expect((await statuses()).slice(2)).toEqual(['WITHDRAWN FLAPPING', 'WITHDRAWN FLAPPING'])
    expect(await fixture.mails()).toHaveLength(2)
  })
})

describe('a digest', () => {
  it('tells of no absence that is over, though the device is away again', async () => {
    await fixture.addMember({ digest: 'HOURLY' })
    await desk.handle(await fixture.goOffline(NOON))
    await doJobs('offline-due')
    await fixture.goOnline(NOON + MINUTE)
    await fixture.goOffline(NOON + 2 * MINUTE)
    await doJobs('digest')
    expect(await statuses()).toEqual(['WITHDRAWN DIGEST'])
  })

  it('waits for the end of quiet hours that have begun since', async () => {
    const { userId } = await fixture.addMember({ digest: 'HOURLY' })
    await desk.handle(fixture.anomalyJob())
    await changeSettings(
      database.db,
      { spaceId: fixture.spaceId, userId },
      { spaceId: fixture.spaceId, quietHours: { from: '15:30', to: '17:10', timezone: 'Asia/Seoul' } },
      { allowPrivate: false },
    )
    desk = openDesk()
    vi.setSystemTime('2026-11-27T16:00:00+09:00')
    await doJobs('digest')
    expect(await statuses()).toEqual(['HELD DIGEST'])
    expect([...jobs.values()]).toMatchObject([{ dueAt: Date.parse('2026-11-27T17:10:00+09:00') }])
    vi.setSystemTime('2026-11-27T17:10:00+09:00')
    await doJobs('digest')
    expect(await fixture.mails()).toMatchObject([{ template: 'alert-digest', params: { total: 1 } }])
  })
})

describe('a webhook', () => {
  const webhook = { url: 'https://hooks.example.com/', secret: 'a secret of theirs' }

  it('gets what the mail says, and is asked again when it is away', async () => {
    await fixture.addMember({ email: false, webhook })
    const job = fixture.anomalyJob()
    await desk.handle(job)
    answer = { kind: 'failed', reason: 'The webhook answered 503', retryAfterMs: 7_000 }
    const [delivery] = jobs.values()
    if (delivery === undefined) throw new Error('Expected a job.')
    await expect(desk.handle(delivery)).rejects.toMatchObject({ retryAfterMs: 7_000 })
    await expect(desk.handle(delivery)).rejects.toBeInstanceOf(RetryLaterError)
    expect(await fixture.alerts()).toMatchObject([
      { status: 'QUEUED', attempts: 2, lastError: 'The webhook answered 503' },
    ])
    answer = { kind: 'delivered' }
    await desk.handle(delivery)
    await desk.handle(delivery)
    expect(await fixture.alerts()).toMatchObject([{ status: 'SENT', attempts: 3 }])
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1)
    expect(sent).toHaveLength(3)
    expect(sent[0]).toMatchObject({ ...webhook, body: { type: 'alert', total: 1 } })
    expect(sent[0]?.body).toMatchObject({
      alerts: [{ id: job.anomaly.id, kind: 'ANOMALY', deviceName: 'CAM-1', severity: 'CRITICAL' }],
    })
  })

  it('that refuses is not asked again', async () => {
    await fixture.addMember({ email: false, webhook })
    await desk.handle(fixture.anomalyJob())
    answer = { kind: 'refused', reason: 'The webhook answered 410' }
    await doJobs('webhook')
    expect(await fixture.alerts()).toMatchObject([
      { status: 'FAILED', lastError: 'The webhook answered 410' },
    ])
  })

  it('that was taken out meanwhile is not asked', async () => {
    const { userId } = await fixture.addMember({ email: false, webhook })
    await desk.handle(fixture.anomalyJob())
    await database.db.delete(membership).where(eq(membership.userId, userId))
    desk = openDesk()
    await doJobs('webhook')
    expect(sent).toEqual([])
    expect(await statuses()).toEqual(['WITHDRAWN null'])
  })
})
