import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where the product keeps its data, as far as known: their own counters are read there. */
export interface StoreAddresses {
  /** mysql://… */
  readonly databaseUrl: string | null
  /** redis://… or unix://… */
  readonly redisUrl: string | null
  readonly ingestRedisUrl: string | null
}

/** Finds the servers that a product has started on its data folder: README says where their sockets are. */
export function findEmbeddedStores(dataDir: string): StoreAddresses {
  const socket = (folder: string, name: string) => findSocket(join(dataDir, folder), name)
  const [mariaDb, live, ingest] = [
    socket('mariadb', 'mariadb'),
    socket('redis-live', 'live'),
    socket('redis-ingest', 'ingest'),
  ]
  return {
    databaseUrl:
      mariaDb === null ? null : `mysql://nuvion@localhost/nuvion?socketPath=${encodeURIComponent(mariaDb)}`,
    redisUrl: live === null ? null : `unix://${live}`,
    ingestRedisUrl: ingest === null ? null : `unix://${ingest}`,
  }
}

/** Sockets whose paths would be too long lie in a folder that a note names. */
function findSocket(dir: string, name: string): string | null {
  const note = join(dir, `${name}.socket-folder`)
  const folders = existsSync(note) ? [readFileSync(note, 'utf8'), dir] : [dir]
  return folders.map(folder => join(folder, `${name}.sock`)).find(path => existsSync(path)) ?? null
}
