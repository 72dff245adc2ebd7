import { setTimeout as sleep } from 'node:timers/promises'
import { withDeadline } from '../../shared/deadline.ts'
import type { Logger } from '../../shared/logger.ts'
import type { Db } from '../../shared/mysql/open-mysql.ts'
import { timeOfId } from '../../shared/uuid-v7.ts'
import { markMailFailed, markMailSent, postponeMail, type TakenMail } from './mail-repository.ts'
import { MailRefused, type MailTransport } from './mail-transport.ts'
import type { MailerMetrics } from './mailer-metrics.ts'
import { toOneLine } from './one-line.ts'
import { renderMail } from './render-mail.ts'
import { retryDelayMs } from './retry-delay.ts'
import type { MailSite } from './templates/template.ts'

/** Times that a result is written before it is left to the end of the lease, and the pause after the first. */
const RECORD_ATTEMPTS = 5
const RECORD_PAUSE_MS = 200

/** Characters of the reason that a row keeps. */
const MAX_ERROR_LENGTH = 500

export interface MailDeliveryOptions {
  db: Db
  transport: MailTransport
  metrics: MailerMetrics
  logger: Logger
  sendDeadlineMs: number
}

type Outcome = { type: 'sent' } | { type: 'retry' | 'refused'; error: unknown }

/**
 * Makes one attempt at a mail that was taken and writes down what came of it; never throws. When `closing` is aborted
 * the attempt is left as it is: nobody knows whether it has succeeded, and the end of the lease brings the next one,
 * with the same Message-ID.
 */
export async function deliverMail(
  options: MailDeliveryOptions,
  mail: TakenMail,
  site: MailSite,
  closing: AbortSignal,
): Promise<void> {
  const { db, metrics, logger } = options
  const outcome = await attempt(options, mail, site, closing)
  if (outcome.type === 'retry' && closing.aborted) return
  const { id, template, attempts } = mail
  const fields = { mailId: id, template, attempts }
  if (outcome.type === 'sent') {
    metrics.sent.inc()
    logger.info(fields, 'mailer.sent')
    await record(options, mail, () => markMailSent(db, mail))
    return
  }
  const { error } = outcome
  const delayMs = outcome.type === 'refused' ? null : retryDelayMs(attempts, Date.now() - timeOfId(id))
  const lastError = toOneLine(error instanceof Error ? error.message : String(error), MAX_ERROR_LENGTH)
  if (delayMs !== null) {
    metrics.retried.inc()
    logger.warn({ ...fields, err: error, delayMs }, 'mailer.send_failed')
    await record(options, mail, () => postponeMail(db, mail, { delayMs, lastError }))
  } else {
    metrics.failed.inc({ reason: outcome.type === 'refused' ? 'REFUSED' : 'EXPIRED' })
    logger.error({ ...fields, err: error }, 'mailer.given_up')
    await record(options, mail, () => markMailFailed(db, mail, lastError))
  }
}

async function attempt(
  { transport, sendDeadlineMs }: MailDeliveryOptions,
  { id, recipient, template, locale, params }: TakenMail,
  site: MailSite,
  closing: AbortSignal,
): Promise<Outcome> {
  try {
    const message = renderMail({ id, to: recipient, template, locale, params }, site)
    await withDeadline('Sending a mail', sendDeadlineMs, signal =>
      transport.send(message, AbortSignal.any([signal, closing])),
    )
    return { type: 'sent' }
  } catch (error) {
    return { type: error instanceof MailRefused ? 'refused' : 'retry', error }
  }
}

async function record(
  { logger }: MailDeliveryOptions,
  { id, attempts }: TakenMail,
  write: () => Promise<boolean>,
): Promise<void> {
  for (let written = 1; ; written++) {
    try {
      if (!(await write())) logger.error({ mailId: id, attempts }, 'mailer.lease_lost')
      return
    } catch (error) {
      logger.warn({ mailId: id, err: error }, 'mailer.result_not_kept')
      if (written === RECORD_ATTEMPTS) return
      await sleep(RECORD_PAUSE_MS * 2 ** (written - 1))
    }
  }
}
