import { mkdir } from 'node:fs/promises'
import { blame } from '../blame.ts'
import type { Config } from '../config.ts'
import type { Site } from '../site.ts'
import { readInternalSecret } from './internal-secret.ts'
import { followSigningKeys } from './signing-keys.ts'

/** Reads keys and secrets, from the configuration or kept in the data folder. Rejects with the variable at fault. */
export async function readSiteSecrets(
  { dataDir, signingKeys: configured, internalSecret }: Config,
  { logger, lifecycle }: Pick<Site, 'logger' | 'lifecycle'>,
): Promise<Pick<Site, 'keys' | 'internalSecret'>> {
  await blame('NUVION_DATA', mkdir(dataDir, { recursive: true, mode: 0o700 }))
  const keys = followSigningKeys({ configured, dataDir, logger })
  const secret = readInternalSecret({ configured: internalSecret, dataDir })
  return {
    keys: lifecycle.own(
      'signing keys',
      await blame(configured === null ? 'NUVION_DATA' : 'NUVION_SIGNING_KEYS', keys),
    ),
    internalSecret: await blame('NUVION_DATA', secret),
  }
}
