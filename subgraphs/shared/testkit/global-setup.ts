import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startMariaDb } from '../embedded/mariadb.ts'
import { startRedis } from '../embedded/redis.ts'

declare module 'vitest' {
  interface ProvidedContext {
    mysqlUrl: string
    liveRedisUrl: string
    ingestRedisUrl: string
  }
}

/** Databases per Redis: one for each test file that asks, and again from the first when they are used up. */
export const REDIS_DATABASES = 1_024

/** Memory disks are often too small for a database server's files. */
const MIN_FREE_BYTES = 2 ** 30

/** Starts the servers that all test files share, one MariaDB and two Redis; returns their end. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const base = chooseBaseFolder()
  removeLeftovers(base)
  const dir = mkdtempSync(join(base, `nuvion-test-${process.pid}-`))
  const redis = { databases: REDIS_DATABASES, appendfsync: 'everysec', maxMemory: '512mb' } as const
  const [mysql, live, ingest] = await Promise.all([
    startMariaDb({ dataDir: join(dir, 'mariadb'), durability: 'crash', bufferPoolMiB: 128 }),
    startRedis({ ...redis, dataDir: join(dir, 'live'), name: 'live' }),
    startRedis({ ...redis, dataDir: join(dir, 'ingest'), name: 'ingest' }),
  ])
  project.provide('mysqlUrl', mysql.url)
  project.provide('liveRedisUrl', live.url)
  project.provide('ingestRedisUrl', ingest.url)
  return async () => {
    await Promise.all([mysql.close(), live.close(), ingest.close()])
    rmSync(dir, { recursive: true, force: true })
  }
}

/** A memory disk where there is a roomy one: fsync costs nothing there. */
function chooseBaseFolder(): string {
  const memoryDisk = '/dev/shm'
  if (!existsSync(memoryDisk)) return tmpdir()
  const { bavail, bsize } = statfsSync(memoryDisk)
  return bavail * bsize > MIN_FREE_BYTES ? memoryDisk : tmpdir()
}

/** A run that was killed leaves its folder, which on a memory disk is memory; its servers have ended with it. */
function removeLeftovers(base: string): void {
  for (const name of readdirSync(base)) {
    const pid = /^nuvion-test-(\d+)-/.exec(name)?.[1]
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      rmSync(join(base, name), { recursive: true, force: true })
  }
}
