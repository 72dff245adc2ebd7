import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '../../shared/logger.ts'
import { parseMailSender } from '../../shared/mail/mail-address.ts'
import { enqueueMail } from '../../shared/mail/mail-outbox.ts'
import { parseSmtpUrl } from '../../shared/mail/smtp-address.ts'
import { createMetrics } from '../../shared/metrics.ts'
import { openTestDatabase, type TestDatabase } from '../../shared/testkit/open-test-database.ts'
import { waitFor } from '../../shared/testkit/wait-for.ts'
import { newIdAt } from '../../shared/uuid-v7.ts'
import type { MailTransport } from './mail-transport.ts'
import { type MailerOptions, startMailer } from './mailer.ts'
import { createSmtpTransport } from './smtp-transport.ts'
import { startTestSmtpServer, type TestSmtpServerOptions } from './testing/smtp-server.ts'

const from = parseMailSender('NUVION <nuvion@example.com>')

const DAY_MS = 24 * 60 * 60_000

interface Row {
  id: string
  params: string
  attempts: number
  next_attempt_at: Date | null
  sent_at: Date | null
  failed_at: Date | null
  last_error: string | null
  /** Milliseconds until the next attempt. */
  wait_ms: number
}

let database: TestDatabase
const open: AsyncDisposable[] = []

beforeEach(async () => {
  database = await openTestDatabase()
})

afterEach(async () => {
  for (const thing of open.splice(0).reverse()) await thing[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

async function startServer(options: TestSmtpServerOptions = {}) {
  const server = await startTestSmtpServer(options)
  open.push(server)
  return server
}

/** A mailer that looks without a nudge only after a minute. */
function start(url: string, changes: Partial<MailerOptions> = {}) {
  const log: string[] = []
  const metrics = createMetrics({ group: 'test', withDefaults: false })
  const mailer = startMailer({
    db: database.db,
    transport: createSmtpTransport({ server: parseSmtpUrl(url), from }),
    publicUrl: 'https://nuvion.example.com',
    logger: createLogger({
      level: 'info',
      role: 'test',
      destination: { write: (line: string) => log.push(line) },
    }),
    metrics,
    pollIntervalMs: 60_000,
    ...changes,
  })
  open.push(mailer)
  const count = async (name: string) => {
    const [value] = (await metrics.getSingleMetric(name)?.get())?.values ?? []
    return value?.value ?? 0
  }
  return { mailer, log, count, logged: (event: string) => log.some(line => line.includes(`"${event}"`)) }
}

const enqueue = (to = 'kim@example.com', code = '482913') =>
  enqueueMail(database.db, { to, template: 'verify-email', locale: 'ko', params: { code } })

async function readRows(): Promise<Row[]> {
  const [rows] = await database.pool.query(
    `SELECT *, TIMESTAMPDIFF(MICROSECOND, NOW(3), next_attempt_at) / 1000 AS wait_ms FROM mail_outbox ORDER BY id`,
  )
  return (rows as Row[]).map(row => ({ ...row, wait_ms: Number(row.wait_ms) }))
}

const makeDue = () =>
  database.pool.query('UPDATE mail_outbox SET next_attempt_at = NOW(3) WHERE next_attempt_at IS NOT NULL')

const readRow = async () => (await readRows())[0] ?? expect.fail('There is no row.')

describe('the mailer', () => {
  it('sends what is enqueued when it is nudged, and forgets the secret', async () => {
    const server = await startServer()
    const { mailer, count, log } = start(server.url)
    await enqueue('kim@example.com', '482913')
    mailer.nudge()
    const row = await waitFor(async () => (await readRows()).find(row => row.sent_at !== null))
    expect(row).toMatchObject({ attempts: 1, next_attempt_at: null, failed_at: null, last_error: null })
    expect(JSON.parse(row.params)).toEqual({})
    expect(server.received).toHaveLength(1)
    expect(server.received[0]).toMatchObject({ from: 'nuvion@example.com', to: ['kim@example.com'] })
    expect(server.received[0]?.mail).toMatchObject({
      subject: '[NUVION] 이메일 인증 코드 안내',
      messageId: `<${row.id}@example.com>`,
    })
    expect(server.received[0]?.mail.text).toContain('482913')
    expect(await count('nuvion_mail_sent_total')).toBe(1)
    expect(log.join()).not.toContain('482913')
  })

  it('finds mail without a nudge', async () => {
    const server = await startServer()
    start(server.url, { pollIntervalMs: 20 })
    await enqueue()
    await waitFor(() => server.received.length === 1)
  })

  it('sends nothing of a transaction that is not committed, and no decoy', async () => {
    const server = await startServer()
    const { mailer } = start(server.url)
    const mail = { template: 'account-exists', locale: 'en', params: {} } as const
    await enqueueMail(database.db, { ...mail, to: 'decoy@example.com', isDecoy: true })
    await database.db
      .transaction(async tx => {
        await enqueueMail(tx, { ...mail, to: 'undone@example.com' })
        mailer.nudge()
        throw new Error('undo')
      })
      .catch(() => {})
    await enqueueMail(database.db, { ...mail, to: 'kim@example.com' })
    mailer.nudge()
    await waitFor(() => server.received.length > 0)
    await mailer[Symbol.asyncDispose]()
    expect(server.received.map(({ to }) => to)).toEqual([['kim@example.com']])
  })

  it('waits for its address before the first link', async () => {
    const server = await startServer()
    const listening = Promise.withResolvers<string>()
    start(server.url, { publicUrl: listening.promise })
    await enqueueMail(database.db, {
      to: 'kim@example.com',
      template: 'password-changed',
      locale: 'en',
      params: {},
    })
    expect(await readRow()).toMatchObject({ attempts: 0 })
    listening.resolve('http://localhost:40123')
    await waitFor(() => server.received[0]?.mail.text?.includes('http://localhost:40123/'))
  })

  it('ends while its address is not known', async () => {
    const server = await startServer()
    const { mailer } = start(server.url, { publicUrl: new Promise(() => {}) })
    await mailer[Symbol.asyncDispose]()
  })

  it('tries again a minute after a server that is busy, and then has sent it once', async () => {
    const answers = [{ code: 451, text: 'Later, please' }, undefined]
    const server = await startServer({ onText: () => answers.shift() })
    const { mailer, count, logged } = start(server.url)
    await enqueue()
    mailer.nudge()
    const late = await waitFor(async () => (await readRows()).find(row => row.last_error !== null))
    expect(late).toMatchObject({ attempts: 1, sent_at: null, failed_at: null })
    expect(late.last_error).toContain('451 Later, please')
    expect(late.wait_ms).toBeGreaterThan(30_000)
    expect(late.wait_ms).toBeLessThanOrEqual(60_000)
    expect(logged('mailer.send_failed')).toBe(true)
    expect(await count('nuvion_mail_retries_total')).toBe(1)

    await makeDue()
    mailer.nudge()
    const sent = await waitFor(async () => (await readRows()).find(row => row.sent_at !== null))
    expect(sent).toMatchObject({ attempts: 2, last_error: null })
    expect(new Set(server.received.map(({ mail }) => mail.messageId)).size).toBe(1)
  })

  it('tries again when there is no server', async () => {
    const gone = await startTestSmtpServer()
    await gone[Symbol.asyncDispose]()
    const { mailer } = start(gone.url)
    await enqueue()
    mailer.nudge()
    const row = await waitFor(async () => (await readRows()).find(row => row.last_error !== null))
    expect(row.last_error).toContain('ECONNREFUSED')
    expect(row.next_attempt_at).not.toBeNull()
  })

  it('gives up what a server refuses for good, and goes on with the rest', async () => {
    const server = await startServer({
      onRecipient: address =>
        address.startsWith('nobody') ? { code: 550, text: 'Unknown user' } : undefined,
    })
    const { mailer, count, logged } = start(server.url)
    await enqueue('nobody@example.com')
    await enqueue('kim@example.com')
    mailer.nudge()
    await waitFor(async () => (await readRows()).every(row => row.next_attempt_at === null))
    const [refused, sent] = await readRows()
    expect(refused).toMatchObject({ attempts: 1, sent_at: null })
    expect(refused?.failed_at).not.toBeNull()
    expect(refused?.last_error).toContain('550 Unknown user')
    expect(JSON.parse(refused?.params ?? '')).toEqual({})
    expect(sent?.sent_at).not.toBeNull()
    expect(logged('mailer.given_up')).toBe(true)
    expect(await count('nuvion_mail_failed_total')).toBe(1)
  })

  it('gives up a mail that it cannot write', async () => {
    const server = await startServer()
    const { mailer } = start(server.url)
    await enqueue()
    await database.pool.query(`UPDATE mail_outbox SET template = 'no-such-mail'`)
    mailer.nudge()
    const row = await waitFor(async () => (await readRows()).find(row => row.failed_at !== null))
    expect(row.last_error).toBe('There is no template "no-such-mail"')
  })

  it('gives up a mail after a day', async () => {
    const server = await startServer({ onText: () => ({ code: 451, text: 'Later' }) })
    const { mailer, logged } = start(server.url)
    await enqueue()
    await database.pool.query('UPDATE mail_outbox SET id = ?', [newIdAt(Date.now() - DAY_MS)])
    mailer.nudge()
    const row = await waitFor(async () => (await readRows()).find(row => row.failed_at !== null))
    expect(row.last_error).toContain('451')
    expect(logged('mailer.given_up')).toBe(true)
  })

  it('leaves a server that hangs at the deadline', async () => {
    const server = await startServer({ onRecipient: () => 'silence' })
    const { mailer } = start(server.url, { sendDeadlineMs: 100 })
    await enqueue()
    mailer.nudge()
    const row = await waitFor(async () => (await readRows()).find(row => row.last_error !== null))
    expect(row.last_error).toBe('Sending a mail took longer than 100 ms.')
  })

  it('lets no address become two', async () => {
    const server = await startServer()
    const { mailer } = start(server.url)
    await enqueue('kim@example.com\r\nBcc: eve@example.com')
    await enqueue('kim@example.com, eve@example.com')
    mailer.nudge()
    await waitFor(async () => (await readRows()).every(row => row.failed_at !== null))
    expect(server.received).toEqual([])
  })

  it('sends each of many mails once, with two mailers, a few at a time', async () => {
    const server = await startServer()
    const most = [0, 0]
    const mailers = [0, 1].map(index => {
      const smtp = createSmtpTransport({ server: parseSmtpUrl(server.url), from })
      let sending = 0
      const send: MailTransport['send'] = async (message, signal) => {
        most[index] = Math.max(most[index] ?? 0, ++sending)
        await smtp.send(message, signal).finally(() => sending--)
      }
      return start(server.url, { maxAtOnce: 3, transport: { ...smtp, send } })
    })
    const codes = Array.from({ length: 60 }, () => randomBytes(8).toString('hex'))
    await database.db.transaction(async tx => {
      for (const code of codes) {
        const mail = { template: 'verify-email', locale: 'en', params: { code } } as const
        await enqueueMail(tx, { ...mail, to: `${code}@example.com` })
      }
    })
    for (const { mailer } of mailers) mailer.nudge()
    await waitFor(async () => (await readRows()).every(row => row.sent_at !== null), { deadlineMs: 20_000 })
    expect(server.received.map(({ to }) => to[0]).sort()).toEqual(
      codes.map(code => `${code}@example.com`).sort(),
    )
    expect((await readRows()).every(row => row.attempts === 1)).toBe(true)
    expect(most).toEqual([3, 3])
    const sent = await Promise.all(mailers.map(({ count }) => count('nuvion_mail_sent_total')))
    expect(Math.min(...sent)).toBeGreaterThan(0)
  })

  it('sends a mail again, as the same, when its mailer is gone between the server’s word and the note of it', async () => {
    const came = Promise.withResolvers<void>()
    const server = await startServer({
      onText() {
        came.resolve()
        return server.received.length === 1 ? 'silence' : undefined
      },
    })
    const first = start(server.url, { closeDeadlineMs: 0, leaseMs: 90_000 })
    await enqueue()
    first.mailer.nudge()
    await came.promise
    await first.mailer[Symbol.asyncDispose]()
    const left = await readRow()
    expect(left).toMatchObject({ attempts: 1, sent_at: null, last_error: null })
    expect(left.wait_ms).toBeGreaterThan(60_000)

    await makeDue()
    const second = start(server.url)
    await waitFor(async () => (await readRow()).sent_at !== null)
    const ids = server.received.map(({ mail }) => mail.messageId)
    expect(ids).toEqual([`<${left.id}@example.com>`, `<${left.id}@example.com>`])
    expect(await second.count('nuvion_mail_sent_total')).toBe(1)
  })

  it('writes nothing over a mail that another has taken since', async () => {
    const server = await startServer()
    const { logged, mailer } = start(server.url, {
      transport: {
        async send() {
          await database.pool.query('UPDATE mail_outbox SET attempts = attempts + 1')
        },
        async [Symbol.asyncDispose]() {},
      },
    })
    await enqueue()
    mailer.nudge()
    await waitFor(() => logged('mailer.lease_lost'))
    expect(await readRow()).toMatchObject({ attempts: 2, sent_at: null })
  })

  it('finishes what it is sending when it is told to end, and takes no more', async () => {
    const begun = Promise.withResolvers<void>()
    const finish = Promise.withResolvers<void>()
    let isClosed = false
    const transport: MailTransport = {
      async send() {
        begun.resolve()
        await finish.promise
      },
      async [Symbol.asyncDispose]() {
        isClosed = true
      },
    }
    const { mailer } = start('smtp://127.0.0.1', { transport, maxAtOnce: 1 })
    await enqueue()
    await enqueue()
    mailer.nudge()
    await begun.promise
    mailer.stop()
    const ended = mailer[Symbol.asyncDispose]()
    mailer.nudge()
    expect(isClosed).toBe(false)
    finish.resolve()
    await ended
    expect(isClosed).toBe(true)
    const rows = await readRows()
    expect(rows.map(row => row.attempts)).toEqual([1, 0])
    expect(rows[0]?.sent_at).not.toBeNull()
  })

  it('goes on after the database was away', async () => {
    const server = await startServer()
    const { mailer, logged } = start(server.url, { pollIntervalMs: 20 })
    await database.pool.query('RENAME TABLE mail_outbox TO away')
    mailer.nudge()
    await waitFor(() => logged('mailer.outbox_unreachable'))
    await database.pool.query('RENAME TABLE away TO mail_outbox')
    await enqueue()
    await waitFor(() => server.received.length === 1)
  })

  it('tells the age of the oldest mail that waits', async () => {
    const server = await startServer({ onText: () => ({ code: 451, text: 'Later' }) })
    const { mailer, count } = start(server.url)
    await enqueue()
    await database.pool.query('UPDATE mail_outbox SET id = ?', [newIdAt(Date.now() - 3_600_000)])
    mailer.nudge()
    await waitFor(async () => (await count('nuvion_mail_oldest_waiting_seconds')) >= 3_600)
  })

  it('deletes mails that have been done for a week, and no others', async () => {
    for (const days of [9, 9, 9, 7, 0]) {
      await enqueue()
      const id = newIdAt(Date.now() - days * DAY_MS)
      await database.pool.query(
        'UPDATE mail_outbox SET id = ?, next_attempt_at = NULL WHERE next_attempt_at = created_at',
        [id],
      )
    }
    await database.pool.query(
      'UPDATE mail_outbox SET next_attempt_at = NOW() + INTERVAL 1 DAY ORDER BY id LIMIT 1',
    )
    start('smtp://127.0.0.1')
    await waitFor(async () => (await readRows()).length === 3)
    const [waiting, ...done] = await readRows()
    expect(waiting?.next_attempt_at).not.toBeNull()
    expect(done.every(row => row.next_attempt_at === null)).toBe(true)
  })

  it('reads what waits by index, however much is done', async () => {
    const server = await startServer()
    await database.db.transaction(async tx => {
      const mail = { to: 'decoy@example.com', template: 'account-exists', locale: 'en', params: {} } as const
      for (let index = 0; index < 300; index++) await enqueueMail(tx, { ...mail, isDecoy: true })
    })
    await database.pool.query('ANALYZE TABLE mail_outbox')
    await enqueue()
    database.statements.length = 0
    const { mailer, count } = start(server.url)
    await waitFor(() => server.received.length === 1)
    await count('nuvion_mail_oldest_waiting_seconds')
    await mailer[Symbol.asyncDispose]()
    const reads = [...new Set(database.statements.filter(sql => /^select/i.test(sql)))]
    expect(reads).toHaveLength(3)
    for (const sql of reads) {
      const [plan] = await database.pool.query(`EXPLAIN ${sql.replace(/limit \?/, 'limit 5')}`)
      const [step] = plan as { type: string; key: string; rows: number; Extra: string }[]
      expect(step, sql).toMatchObject({ type: 'range', key: 'mail_outbox_due' })
      expect(Number(step?.rows), sql).toBeLessThan(10)
      expect(step?.Extra, sql).not.toContain('filesort')
    }
  })
})
