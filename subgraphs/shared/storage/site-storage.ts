import { join } from 'node:path'
import type { HttpPath } from '../http/http-handoff.ts'
import type { Site } from '../site.ts'
import { createFileHttp } from './file-http.ts'
import { createFileLinks, FILE_LINKS_PATH } from './file-links.ts'
import { createFileStorage, type FileStorage } from './file-storage.ts'
import type { ObjectStorage } from './object-storage.ts'
import { createS3Storage } from './s3-storage.ts'

/** Where a site keeps objects. */
export interface SiteStorage {
  readonly storage: ObjectStorage
  /** The same, where it is files; null on an S3 server. */
  readonly files: FileStorage | null
  /** What the gateway answers for it. */
  readonly paths: readonly HttpPath[]
}

/**
 * Creates the storage of a process: the bucket that is configured, else files in `clips` of the data folder, which all
 * processes of the site share then. `origin` is what links to files begin with.
 */
export function createSiteStorage(
  { config, internalSecret, logger }: Pick<Site, 'config' | 'internalSecret' | 'logger'>,
  origin: () => string,
): SiteStorage {
  if (config.s3 !== null) return { storage: createS3Storage(config.s3), files: null, paths: [] }
  const links = createFileLinks(internalSecret)
  const storage = createFileStorage({ dir: join(config.dataDir, 'clips'), links, origin })
  const handler = { handleRequest: createFileHttp({ storage, links, logger }) }
  return { storage, files: storage, paths: [{ prefix: FILE_LINKS_PATH, handler, boundsBodies: true }] }
}
