import { createTokenSigner } from '../shared/auth/access-token.ts'
import type { Subgraph } from '../shared/graphql/subgraph.ts'
import { openRedisOf, type Site, type Stores } from '../shared/site.ts'
import type { SiteNews } from '../shared/site-news.ts'
import type { SiteRights } from '../shared/site-rights.ts'
import { startAccountSweep } from './account-sweep.ts'
import { createDeviceSubgraph } from './device-subgraph.ts'
import { startSpaceSweep } from './space-sweep.ts'

/** What the device subgraph needs of others. */
export interface DevicePorts {
  /** Tells the mailer that there is mail. */
  nudgeMailer(): void
}

/** Starts the device subgraph with its sweeps and the renewal of keys, until the process ends. */
export async function startDeviceRole(
  site: Site,
  { db, redisUrl }: Stores,
  { liveReader, topologyWatch }: SiteNews,
  { access }: Pick<SiteRights, 'access'>,
  { nudgeMailer }: DevicePorts,
): Promise<Subgraph> {
  const { config, keys, lifecycle, logger, internalSecret: secret } = site
  const live = await openRedisOf(site, redisUrl, 'subgraphs')
  lifecycle.own('account sweep', startAccountSweep({ db, logger }))
  lifecycle.own('space sweep', startSpaceSweep({ db, logger }))
  await startRotation(site)
  return createDeviceSubgraph({
    db,
    live,
    liveReader,
    topologyWatch,
    access,
    signer: createTokenSigner({ keys }),
    secret,
    nudgeMailer,
    spaceLimits: { maxRetentionDays: config.retentionDays },
    logger,
  })
}

/** Keys in the data folder are renewed; those of the configuration are for whoever configured them to renew. */
async function startRotation({ config, lifecycle, logger }: Site): Promise<void> {
  const { signingKeys, keyDays, dataDir } = config
  if (signingKeys !== null) return
  const { startKeyRotation } = await import('../shared/auth/key-rotation.ts')
  const maxAgeMs = keyDays === 0 ? Infinity : keyDays * 24 * 60 * 60_000
  lifecycle.own('key rotation', startKeyRotation({ dataDir, maxAgeMs, logger }))
}
