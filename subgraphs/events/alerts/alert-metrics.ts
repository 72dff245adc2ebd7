import { Counter, Histogram } from 'prom-client'
import type { Metrics } from '../../shared/metrics.ts'

/** What the worker counts of alerts. */
export type AlertMetrics = ReturnType<typeof createAlertMetrics>

/** Registers the metrics of alerts; once per registry. */
export function createAlertMetrics(metrics: Metrics) {
  const registers = [metrics]
  return {
    alerts: new Counter({
      name: 'nuvion_alerts_total',
      help: 'Alerts written, by channel and by what they are held for. Rising STORM or FLAPPING: something is wrong with many devices, or with the network of one, and people get digests.',
      labelNames: ['channel', 'held_for'] as const,
      registers,
    }),
    digests: new Counter({
      name: 'nuvion_alert_digests_total',
      help: 'Digests written, by channel. Rising as fast as alerts: digests hold one alert each, and their interval is too short.',
      labelNames: ['channel'] as const,
      registers,
    }),
    withdrawn: new Counter({
      name: 'nuvion_alerts_withdrawn_total',
      help: 'Alerts that became pointless before they went out: mostly devices that were back in time. Rising means that devices come and go.',
      registers,
    }),
    webhooks: new Counter({
      name: 'nuvion_alert_webhook_attempts_total',
      help: 'Attempts at webhooks by outcome. Rising failed: receivers are away and are tried again; refused: they do not want it, or lead to private addresses.',
      labelNames: ['outcome'] as const,
      registers,
    }),
    jobs: new Counter({
      name: 'nuvion_alert_jobs_total',
      help: 'Jobs of alerts by kind and outcome. Rising failed: the database or Redis is away; the jobs are done again.',
      labelNames: ['kind', 'outcome'] as const,
      registers,
    }),
    delaySeconds: new Histogram({
      name: 'nuvion_alert_job_delay_seconds',
      help: 'From the time that a job is due to its end. Rising means that the worker does not keep up: alerts come late.',
      buckets: [0.05, 0.1, 0.5, 1, 5, 30, 120, 600],
      registers,
    }),
  }
}
