import { Counter, Gauge } from 'prom-client'
import type { Metrics } from '../../shared/metrics.ts'

/** What the mailer counts. */
export type MailerMetrics = ReturnType<typeof createMailerMetrics>

/** Registers the metrics of the mailer; once per registry. */
export function createMailerMetrics(metrics: Metrics) {
  const registers = [metrics]
  return {
    sent: new Counter({
      name: 'nuvion_mail_sent_total',
      help: 'Mails that the mail server, or the folder of files, has taken. Not rising while people sign up means that no mail leaves.',
      registers,
    }),
    retried: new Counter({
      name: 'nuvion_mail_retries_total',
      help: 'Attempts that failed and are made again later. Rising means that the mail server is away, busy, or refuses our sign-in, TLS or sender.',
      registers,
    }),
    failed: new Counter({
      name: 'nuvion_mail_failed_total',
      help: 'Mails given up, by why. Rising REFUSED: addresses that do not exist, or a mistake of ours; EXPIRED: the mail server was away for a day.',
      labelNames: ['reason'] as const,
      registers,
    }),
    oldestWaitingSeconds: new Gauge({
      name: 'nuvion_mail_oldest_waiting_seconds',
      help: 'Age of the oldest mail of the site that is not sent yet, 0 without one. Rising means that mail does not leave.',
      registers,
    }),
  }
}
