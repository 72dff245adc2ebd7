import type { DeviceDirectory } from '../shared/device-directory.ts'
import type { Subgraph } from '../shared/graphql/subgraph.ts'
import type { HttpPath } from '../shared/http/http-handoff.ts'
import type { Site, Stores } from '../shared/site.ts'
import type { SiteRights } from '../shared/site-rights.ts'
import { createExportHandler } from './export/export-handler.ts'
import { EXPORT_PREFIX } from './export/export-link.ts'
import { createReportsSubgraph } from './reports-subgraph.ts'

/** What the reports subgraph needs of others. */
export interface ReportsPorts {
  readonly devices: DeviceDirectory
}

/** Creates the reports subgraph of a process. */
export function createReportsRole(
  { internalSecret: secret }: Pick<Site, 'internalSecret'>,
  { db }: Pick<Stores, 'db'>,
  { access }: Pick<SiteRights, 'access'>,
  { devices }: ReportsPorts,
): Subgraph {
  return createReportsSubgraph({ db, access, devices, secret })
}

/** Opens links of exports, whoever has made them, until the process ends: where the site's address leads to. */
export function startExportsPart(
  { internalSecret: secret, lifecycle, logger }: Pick<Site, 'internalSecret' | 'lifecycle' | 'logger'>,
  { pool }: Pick<Stores, 'pool'>,
  { access }: Pick<SiteRights, 'access'>,
): HttpPath {
  const handler = lifecycle.own('exports', createExportHandler({ pool, access, secret, logger }))
  return { prefix: EXPORT_PREFIX, handler }
}
