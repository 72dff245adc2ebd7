import { Counter, Gauge } from 'prom-client'
import { withDeadline } from '../../shared/deadline.ts'
import type { Metrics } from '../../shared/metrics.ts'

/** Below the second that the metrics of a process may take. */
const READ_DEADLINE_MS = 500

/** What the mailer counts. */
export type MailerMetrics = ReturnType<typeof createMailerMetrics>

/** Registers the metrics of the mailer; once per registry. `readOldestSeconds` is asked each time they are read. */
export function createMailerMetrics(metrics: Metrics, readOldestSeconds: () => Promise<number>) {
  const registers = [metrics]
  new Gauge({
    name: 'nuvion_mail_oldest_waiting_seconds',
    help: 'Age of the oldest mail of the site that is not sent yet, 0 without one; the last one known while the database is away. Rising means that mail does not leave.',
    registers,
    async collect() {
      const seconds = await withDeadline('Age of the oldest mail', READ_DEADLINE_MS, readOldestSeconds).catch(
        () => null,
      )
      if (seconds !== null) this.set(seconds)
    },
  })
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
  }
}
