import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RowDataPacket } from 'mysql2/promise'
import { expect, it } from 'vitest'
import { openTestDatabase } from '../../shared/testkit/open-test-database.ts'
import { openTestRedis } from '../../shared/testkit/open-test-redis.ts'
import { startProduct } from '../../shared/testkit/product.ts'
import { waitFor } from '../../shared/testkit/wait-for.ts'

it('runs as a role of its own, sweeps when it starts, and ends cleanly', async () => {
  await using database = await openTestDatabase()
  await using redis = await openTestRedis()
  const dataDir = await mkdtemp(join(tmpdir(), 'nuvion-worker-'))
  const env = { DATABASE_URL: database.url, REDIS_URL: redis.liveUrl, REDIS_INGEST_URL: redis.ingestUrl }
  await using worker = await startProduct({ roles: ['worker'], env: { ...env, NUVION_DATA: dataDir } })
  expect((await fetch(`${worker.url}/readyz`)).status).toBe(200)
  const isDone = async () => {
    const [rows] = await database.pool.query<RowDataPacket[]>(
      "SELECT 1 FROM job_lease WHERE job = 'retention' AND finished_at > NOW() - INTERVAL 1 HOUR",
    )
    return rows.length === 1
  }
  await waitFor(isDone, { deadlineMs: 30_000 })
  const [weeks] = await database.pool.query<RowDataPacket[]>(
    "SELECT 1 FROM information_schema.PARTITIONS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'log'",
  )
  expect(weeks.length).toBeGreaterThan(15)
  expect(await worker.end('SIGTERM')).toBe(0)
  await rm(dataDir, { recursive: true, force: true })
})
