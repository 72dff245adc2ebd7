import { fileURLToPath } from 'node:url'
import type { HttpPath } from '../subgraphs/shared/http/http-handoff.ts'
import type { Site } from '../subgraphs/shared/site.ts'
import { readPageFiles } from './page-files.ts'
import { createPageHandler } from './page-handler.ts'
import { createPageHeaders } from './page-headers.ts'

const BUILT = fileURLToPath(new URL('./dist/', import.meta.url))

/**
 * The dashboard as it was built, at `/` and wherever nobody else answers. Read once: a build that is replaced while the
 * process runs is served after the next start. Without a build the page says how to make one.
 */
export async function startDashboardPart({ config, logger }: Site): Promise<HttpPath> {
  const files = await readPageFiles(BUILT)
  if (files.size === 0) logger.warn('dashboard.not_built')
  const headers = createPageHeaders([config.publicUrl, originOf(config.s3)].filter(one => one !== null))
  return { prefix: '/', handler: createPageHandler({ files, headers }) }
}

/** Where links to files of a bucket lead. */
function originOf(bucket: Site['config']['s3']): string | null {
  if (bucket === null) return null
  const { protocol, host } = new URL(bucket.endpoint)
  return `${protocol}//${bucket.isPathStyle ? '' : `${bucket.bucket}.`}${host}`
}
