import type { OutboxListener } from '../../shared/outbox-listener.ts'
import { openRedisOf, type Site, type Stores } from '../../shared/site.ts'
import { createAlertDesk } from './alert-desk.ts'
import { createAlertMetrics } from './alert-metrics.ts'
import { createAlertListener, openAlertQueue } from './alert-queue.ts'
import { startAlertWorker } from './alert-worker.ts'
import { createRecipients } from './recipients.ts'
import { createUnsubscribeTokens } from './unsubscribe.ts'
import { createWebhookSender } from './webhook-sender.ts'

/** Jobs that ingest leaves waiting when no worker does them. */
const MAX_WAITING_JOBS = 100_000

async function openQueueOf(site: Site, stores: Pick<Stores, 'redisIngestUrl'>, maxWaiting?: number) {
  const { lifecycle, logger } = site
  const redis = await openRedisOf(site, stores.redisIngestUrl, 'alert-queue')
  return lifecycle.own(
    'alert queue',
    openAlertQueue({ redis, logger, ...(maxWaiting === undefined ? {} : { maxWaiting }) }),
  )
}

/** Opens the way from ingest to the jobs of alerts, until the process ends. */
export async function openAlertListener(
  site: Site,
  stores: Pick<Stores, 'redisIngestUrl'>,
): Promise<OutboxListener> {
  return createAlertListener(await openQueueOf(site, stores, MAX_WAITING_JOBS))
}

/** Starts to do the jobs of alerts, until the process ends. Mails are written to the outbox, whose mailer finds them. */
export async function startAlertsPart(
  site: Site,
  { db, pool, redisIngestUrl }: Pick<Stores, 'db' | 'pool' | 'redisIngestUrl'>,
): Promise<void> {
  const { config, lifecycle, logger, internalSecret: secret } = site
  const metrics = createAlertMetrics(site.metrics)
  const queue = await openQueueOf(site, { redisIngestUrl })
  const desk = createAlertDesk({
    db,
    recipients: createRecipients({ pool }),
    queue,
    webhooks: createWebhookSender({ allowPrivate: config.allowsPrivateWebhooks }),
    makeUnsubscribeToken: createUnsubscribeTokens({ secret }).make,
    metrics,
    logger,
  })
  const worker = startAlertWorker({ redisUrl: redisIngestUrl, db, desk, queue, metrics, logger })
  lifecycle.own('alert worker', worker)
}
