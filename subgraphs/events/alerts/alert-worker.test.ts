import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { alert } from '../../../schema/mysql/alert-tables.ts'
import { redisKeys } from '../../../schema/redis-keys.ts'
import { startRedis } from '../../shared/embedded/redis.ts'
import { createLogger } from '../../shared/logger.ts'
import { createMetrics } from '../../shared/metrics.ts'
import { openRedis } from '../../shared/redis/open-redis.ts'
import { parseRedisUrl } from '../../shared/redis/redis-address.ts'
import { openTestDatabase } from '../../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../../shared/testkit/open-test-redis.ts'
import { waitFor } from '../../shared/testkit/wait-for.ts'
import { type AlertDesk, createAlertDesk } from './alert-desk.ts'
import { type AlertFixture, createAlertFixture } from './alert-fixture.ts'
import { ALERT_QUEUE, type AlertJob } from './alert-job.ts'
import { createAlertMetrics } from './alert-metrics.ts'
import { type AlertQueue, openAlertQueue } from './alert-queue.ts'
import { startAlertWorker } from './alert-worker.ts'
import { createRecipients } from './recipients.ts'
import type { WebhookMessage, WebhookOutcome } from './webhook-sender.ts'

const MINUTE = 60_000
const webhook = { url: 'https://hooks.example.com/', secret: null }

let database: Awaited<ReturnType<typeof openTestDatabase>>
let redis: TestRedis
let fixture: AlertFixture
let queue: AlertQueue
let cleanup: AsyncDisposableStack
let sent: WebhookMessage[]
let answer: (message: WebhookMessage) => WebhookOutcome | Promise<WebhookOutcome>
const logged: string[] = []
const logger = createLogger({
  level: 'warn',
  role: 'test',
  destination: { write: line => void logged.push(line) },
})

beforeEach(async () => {
  cleanup = new AsyncDisposableStack()
  database = cleanup.use(await openTestDatabase())
  redis = cleanup.use(await openTestRedis())
  fixture = await createAlertFixture(database.db)
  queue = cleanup.use(openAlertQueue({ redis: redis.ingest, logger }))
  sent = []
  logged.length = 0
  answer = () => ({ kind: 'delivered' })
})

afterEach(async () => {
  await cleanup.disposeAsync()
})

/** Starts a worker as a process of its own would, with a desk that does what it is given first. */
function startWorker(
  options: { before?: (job: AlertJob) => unknown; sweepIntervalMs?: number; redisUrl?: string } = {},
) {
  const metrics = createAlertMetrics(createMetrics({ group: 'test' }))
  const desk = createAlertDesk({
    db: database.db,
    recipients: createRecipients({ pool: database.pool }),
    queue,
    webhooks: {
      async send(message) {
        sent.push(message)
        return await answer(message)
      },
    },
    makeUnsubscribeToken: (spaceId, userId) => `${spaceId}.${userId}`,
    metrics,
    logger,
  })
  const guarded: AlertDesk = {
    async handle(job) {
      await options.before?.(job)
      await desk.handle(job)
    },
  }
  const { redisUrl = redis.ingestUrl, sweepIntervalMs } = options
  const worker = startAlertWorker({
    ...{ redisUrl, db: database.db, desk: guarded, queue, metrics, logger },
    ...(sweepIntervalMs === undefined ? {} : { sweepIntervalMs }),
  })
  return cleanup.use(worker)
}

const mails = () => fixture.mails()

describe('the worker of alerts', () => {
  it('does the jobs that wait and those that come', async () => {
    await fixture.addMember()
    await queue.add([fixture.anomalyJob(), fixture.anomalyJob()])
    startWorker()
    await waitFor(async () => (await mails()).length === 2)
    await queue.add([fixture.anomalyJob()])
    await waitFor(async () => (await mails()).length === 3)
  })

  it('does a job again that has failed, until it goes well', async () => {
    await fixture.addMember()
    let failures = 0
    startWorker({
      before() {
        if (failures < 3) throw new Error(`The database is away: ${++failures}`)
      },
    })
    await queue.add([fixture.anomalyJob()])
    await waitFor(async () => (await mails()).length === 1, { deadlineMs: 15_000 })
    expect(failures).toBe(3)
  })

  it('asks a webhook again when it is away, and holds no mail up while webhooks do not answer', async () => {
    await fixture.addMember({ webhook })
    const silence = Promise.withResolvers<WebhookOutcome>()
    answer = () => silence.promise
    startWorker()
    const jobs = Array.from({ length: 10 }, () => fixture.anomalyJob())
    await queue.add(jobs)
    await waitFor(() => sent.length === 10)
    for (let i = 0; i < 30; i++) await queue.add([fixture.anomalyJob('MAJOR')])
    await waitFor(async () => (await fixture.alerts()).length === 80)
    expect(await mails()).toHaveLength(10)
    let isFirst = true
    answer = () => {
      const outcome: WebhookOutcome = isFirst ? { kind: 'failed', reason: 'away' } : { kind: 'delivered' }
      isFirst = false
      return outcome
    }
    silence.resolve({ kind: 'failed', reason: 'The webhook answered 503' })
    const done = async () => (await fixture.alerts()).filter(({ status }) => status === 'SENT').length
    await waitFor(async () => (await done()) === 10, { deadlineMs: 20_000 })
    expect(new Set(sent.map(({ id }) => id)).size).toBe(10)
    expect(sent).toHaveLength(21)
  })

  it('does what another has left that was gone in the middle of it', { timeout: 90_000 }, async () => {
    await fixture.addMember()
    const taken = Promise.withResolvers<void>()
    // A process that is gone: it has taken its jobs, renews no lock and never answers.
    const connection = new Redis({ ...parseRedisUrl(redis.ingestUrl), maxRetriesPerRequest: null })
    const gone = new Worker(
      ALERT_QUEUE,
      () => {
        taken.resolve()
        return new Promise(() => {})
      },
      {
        connection,
        prefix: redisKeys.jobPrefix(),
        lockDuration: 1_000,
        skipLockRenewal: true,
        skipStalledCheck: true,
      },
    )
    cleanup.defer(async () => {
      await gone.close(true)
      connection.disconnect()
    })
    await queue.add([fixture.anomalyJob()])
    await taken.promise
    startWorker()
    await waitFor(async () => (await mails()).length === 1, { deadlineMs: 60_000 })
  })

  it('told to close, ends what it does and leaves the rest to others', async () => {
    await fixture.addMember()
    const [started, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const first = startWorker({
      async before() {
        started.resolve()
        await goOn.promise
      },
    })
    await queue.add([fixture.anomalyJob()])
    await started.promise
    const closed = first[Symbol.asyncDispose]()
    await queue.add([fixture.anomalyJob()])
    goOn.resolve()
    await closed
    expect((await mails()).length).toBeGreaterThanOrEqual(1)
    startWorker()
    await waitFor(async () => (await mails()).length === 2)
  })

  it('told to close while a job does not end, is gone by its deadline, and another does the job', {
    timeout: 90_000,
  }, async () => {
    await fixture.addMember()
    const started = Promise.withResolvers<void>()
    const first = startWorker({
      before() {
        started.resolve()
        return new Promise(() => {})
      },
    })
    await queue.add([fixture.anomalyJob()])
    await started.promise
    const begun = performance.now()
    await first[Symbol.asyncDispose]()
    expect(performance.now() - begun).toBeLessThan(8_000)
    startWorker()
    await waitFor(async () => (await mails()).length === 1, { deadlineMs: 60_000 })
  })

  it('does what is due at a time then, not before', async () => {
    await fixture.addMember({ offlineAfterMinutes: 1 })
    await fixture.addMember({ digest: 'HOURLY' })
    startWorker()
    const dueAt = Date.now() + 1_500
    const wentAt = dueAt - MINUTE
    await queue.add([await fixture.goOffline(wentAt), fixture.anomalyJob()])
    await waitFor(async () => (await fixture.alerts()).length === 2)
    const held = (await fixture.alerts()).find(({ status }) => status === 'HELD')
    expect(await mails()).toHaveLength(1)
    await waitFor(async () => (await mails()).length === 2)
    expect(Date.now()).toBeGreaterThanOrEqual(dueAt)
    await database.db.update(alert).set({ dueAt: new Date(Date.now() + 500) })
    if (held === undefined) throw new Error('Expected an alert that is held.')
    const { spaceId, userId, channel } = held
    await queue.add([{ kind: 'digest', spaceId, userId, channel, dueAt: Date.now() + 700 }])
    await waitFor(async () => (await mails()).some(({ template }) => template === 'alert-digest'))
  })

  it('tells nobody of a device that is back before its time', async () => {
    await fixture.addMember({ offlineAfterMinutes: 1 })
    startWorker()
    const job = await fixture.goOffline(Date.now() - MINUTE + 1_000)
    await queue.add([job])
    await fixture.goOnline(Date.now())
    const delayed = `${redisKeys.jobPrefix()}:${ALERT_QUEUE}:completed`
    await waitFor(async () => (await redis.ingest.zcard(delayed)) === 2)
    expect(await fixture.alerts()).toEqual([])
  })

  it('sweeps up what is overdue and deliveries that no job makes, and lets what fails hold up nothing', async () => {
    const [broken, whole] = [await fixture.addMember({ digest: 'HOURLY' }), await fixture.addMember()]
    await fixture.addMember({ email: false, webhook })
    startWorker()
    await queue.add([fixture.anomalyJob()])
    await waitFor(() => sent.length === 1)
    await waitFor(async () => (await fixture.alerts()).some(({ status }) => status === 'SENT'))
    const past = new Date(Date.now() - 20 * MINUTE)
    // As a crash between two stores would leave them.
    await database.db.update(alert).set({ dueAt: past, status: 'HELD', deliveryId: null })
    await database.pool.query(
      "UPDATE alert SET status = 'QUEUED', delivery_id = UUID() WHERE channel = 'WEBHOOK'",
    )
    await startSweeper(broken.userId)
    await waitFor(() => sent.length === 2)
    await waitFor(async () =>
      (await mails()).some(({ recipient, template }) => {
        return recipient === whole.email && template === 'alert-digest'
      }),
    )
  })

  async function startSweeper(brokenId: string) {
    startWorker({
      sweepIntervalMs: 20,
      before(job) {
        if (job.kind === 'digest' && job.userId === brokenId) throw new Error('poison')
      },
    })
  }
})

describe('the worker without its Redis', () => {
  it('stops within its deadline and never comes back', { timeout: 90_000 }, async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'nuvion-alerts-'))
    const options = { dataDir, name: 'ingest', appendfsync: 'always' } as const
    const server = await startRedis(options)
    const url = server.url
    const worker = startWorker({ redisUrl: url })
    const connected = async () => {
      await using client = openRedis({ url, name: 'looker' })
      const clients = String(await client.redis.client('LIST'))
        .trim()
        .split('\n')
      return clients.filter(line => !line.includes(' name=looker ')).length
    }
    await waitFor(async () => (await connected()) >= 3)
    await server.close()
    const begun = performance.now()
    await worker[Symbol.asyncDispose]()
    expect(performance.now() - begun).toBeLessThan(8_000)
    const again = await startRedis(options)
    expect(again.url).toBe(url)
    {
      // Longer than a client waits between two attempts to connect.
      await using client = openRedis({ url, name: 'looker' })
      await waitFor(async () => /uptime_in_seconds:([3-9]|\d\d)/.test(await client.redis.info('server')), {
        deadlineMs: 10_000,
      })
    }
    expect(await connected()).toBe(0)
    await again.close()
    await rm(dataDir, { recursive: true })
  })
})

describe('the queue of alerts', () => {
  it('takes no more than may wait, says so, and takes jobs again once they are done', async () => {
    await fixture.addMember()
    const bounded = cleanup.use(openAlertQueue({ redis: redis.ingest, logger, maxWaiting: 5 }))
    await bounded.add(Array.from({ length: 6 }, () => fixture.anomalyJob()))
    await bounded.add([fixture.anomalyJob()])
    const waiting = () => redis.ingest.llen(`${redisKeys.jobPrefix()}:${ALERT_QUEUE}:wait`)
    expect(await waiting()).toBe(6)
    expect(logged.filter(line => line.includes('alerts.dropped'))).toHaveLength(1)
    startWorker()
    await waitFor(async () => (await mails()).length === 6)
    const late = fixture.anomalyJob()
    await waitFor(async () => {
      await bounded.add([late])
      return (await mails()).length === 7
    })
  })
})

describe('a storm', () => {
  it('of 3,000 anomalies is ten mails and a digest for each of 20 members', {
    timeout: 120_000,
  }, async () => {
    for (let i = 0; i < 20; i++) await fixture.addMember()
    startWorker()
    const jobs = Array.from({ length: 3_000 }, () => fixture.anomalyJob())
    for (let from = 0; from < jobs.length; from += 500) await queue.add(jobs.slice(from, from + 500))
    const count = async () => {
      const [rows] = await database.pool.query('SELECT COUNT(*) AS total FROM alert')
      return (rows as { total: number }[])[0]?.total
    }
    await waitFor(async () => (await count()) === 60_000, { deadlineMs: 90_000 })
    const perMember = Map.groupBy(await mails(), ({ recipient }) => recipient)
    expect(perMember.size).toBe(20)
    for (const ofMember of perMember.values()) {
      const single = ofMember.filter(({ template }) => template === 'alert')
      expect(single).toHaveLength(10)
      // The clock may strike its tenth minute meanwhile.
      expect(ofMember.length).toBeLessThanOrEqual(11)
    }
  })
})
