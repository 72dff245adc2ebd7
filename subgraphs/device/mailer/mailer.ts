import { setTimeout as sleep } from 'node:timers/promises'
import type { Closable } from '../../shared/lifecycle.ts'
import type { Logger } from '../../shared/logger.ts'
import type { Metrics } from '../../shared/metrics.ts'
import type { Db } from '../../shared/mysql/open-mysql.ts'
import { idLowerBound, timeOfId } from '../../shared/uuid-v7.ts'
import { deliverMail } from './mail-delivery.ts'
import {
  deleteDoneMail,
  findOldestWaitingMail,
  hasDueMail,
  leaseMail,
  lockDueMail,
  type TakenMail,
} from './mail-repository.ts'
import type { MailTransport } from './mail-transport.ts'
import { createMailerMetrics } from './mailer-metrics.ts'

/** A mail is done at most a day after it was written, and stays for a week more. */
const KEEP_MS = 8 * 24 * 60 * 60_000
const DELETE_INTERVAL_MS = 60 * 60_000
const MAX_DELETED_ROWS = 1_000

/** Sends what waits in the outbox. Dispose stops, finishes what is being sent under a deadline, closes the transport. */
export interface Mailer extends Closable {
  /** Tells it that mail was committed; it looks at once. Never waits or throws. */
  nudge(): void
  /** Takes no more mail from now on. Dispose still waits for what is being sent. */
  stop(): void
}

export interface MailerOptions {
  db: Db
  transport: MailTransport
  /** Origin that links lead to. Mail waits until it is known. */
  publicUrl: string | Promise<string>
  logger: Logger
  metrics: Metrics
  /** Mails being sent at once. Default 5. */
  maxAtOnce?: number
  /** How often it looks without a nudge, which mail from other processes gives none. Default 1 s. */
  pollIntervalMs?: number
  /** How long an attempt may take. Default 60 s. */
  sendDeadlineMs?: number
  /** When an attempt of a process that is gone is made again; well above `sendDeadlineMs`. Default 120 s. */
  leaseMs?: number
  /** How long after stop what is being sent may take. Default 7 s. */
  closeDeadlineMs?: number
}

/**
 * Starts the mailer. Any number may run on one database: each mail is taken by one of them, which has it for the length
 * of a lease. A mail is sent at least once, and twice only when a process or the database goes away between the
 * server's answer and its note in the table; both have the same Message-ID.
 */
export function startMailer(options: MailerOptions): Mailer {
  const { db, transport, logger, maxAtOnce = 5, pollIntervalMs = 1_000 } = options
  const { sendDeadlineMs = 60_000, leaseMs = 120_000, closeDeadlineMs = 7_000 } = options
  const metrics = createMailerMetrics(options.metrics, readOldestSeconds)
  const delivery = { db, transport, metrics, logger, sendDeadlineMs }
  const sending = new Set<Promise<void>>()
  const stopping = Promise.withResolvers<void>()
  const aborting = new AbortController()
  let isStopping = false
  let news = Promise.withResolvers<void>()
  let wasFailing = false
  let deletedAt = Number.NEGATIVE_INFINITY
  let closeTimer: NodeJS.Timeout | undefined
  let closing: Promise<void> | undefined

  async function run(): Promise<void> {
    const publicUrl = await Promise.race([options.publicUrl, stopping.promise])
    while (publicUrl !== undefined && !isStopping) {
      news = Promise.withResolvers()
      try {
        await sendDue({ publicUrl })
        await deleteDone()
        wasFailing = false
      } catch (error) {
        // Said once: while the database is away every look fails.
        if (!wasFailing) logger.warn({ err: error }, 'mailer.outbox_unreachable')
        wasFailing = true
      }
      await pause()
    }
  }

  /** Begins to send what is due, as much as may be at once. */
  async function sendDue(site: { publicUrl: string }): Promise<void> {
    const free = maxAtOnce - sending.size
    if (free <= 0 || !(await hasDueMail(db))) return
    const taken = await takeDue(free)
    for (const mail of taken) {
      const done = deliverMail(delivery, mail, site, aborting.signal).finally(() => {
        sending.delete(done)
        // Another may be waiting for the place.
        news.resolve()
      })
      sending.add(done)
    }
  }

  async function takeDue(limit: number): Promise<TakenMail[]> {
    const take = async (tx: Db) => {
      const mails = await lockDueMail(tx, limit)
      const ids = mails.map(mail => mail.id)
      if (ids.length > 0) await leaseMail(tx, ids, leaseMs)
      return mails
    }
    return await db.transaction(take, { isolationLevel: 'read committed' })
  }

  async function readOldestSeconds(): Promise<number> {
    const oldest = await findOldestWaitingMail(db)
    return oldest === null ? 0 : Math.max(0, Date.now() - timeOfId(oldest)) / 1000
  }

  async function deleteDone(): Promise<void> {
    if (performance.now() - deletedAt < DELETE_INTERVAL_MS) return
    deletedAt = performance.now()
    const before = idLowerBound(Date.now() - KEEP_MS)
    while ((await deleteDoneMail(db, before, MAX_DELETED_ROWS)) === MAX_DELETED_ROWS && !isStopping);
  }

  async function pause(): Promise<void> {
    const timer = new AbortController()
    const poll = sleep(pollIntervalMs, undefined, { signal: timer.signal }).catch(() => {})
    await Promise.race([news.promise, poll])
    timer.abort()
  }

  function stop(): void {
    if (isStopping) return
    isStopping = true
    stopping.resolve()
    news.resolve()
    closeTimer = setTimeout(() => aborting.abort(), closeDeadlineMs)
  }

  async function close(): Promise<void> {
    stop()
    await running
    await Promise.all(sending)
    clearTimeout(closeTimer)
    await transport[Symbol.asyncDispose]()
  }

  const running = run()

  return {
    nudge: () => news.resolve(),
    stop,
    async [Symbol.asyncDispose]() {
      closing ??= close()
      await closing
    },
  }
}
