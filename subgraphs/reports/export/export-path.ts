import type { HttpPath } from '../../shared/http/http-handoff.ts'
import type { Site, Stores } from '../../shared/site.ts'
import type { SiteRights } from '../../shared/site-rights.ts'
import { createExportHandler } from './export-handler.ts'
import { EXPORT_PREFIX } from './export-link.ts'

/** Opens the path of exports in a process, until that ends. */
export function openExportPath(
  { lifecycle, logger, internalSecret: secret }: Site,
  { pool, db }: Pick<Stores, 'pool' | 'db'>,
  { access }: Pick<SiteRights, 'access'>,
): HttpPath {
  const handler = createExportHandler({ pool, db, access, secret, logger })
  return { prefix: EXPORT_PREFIX, handler: lifecycle.own('exports', handler) }
}
