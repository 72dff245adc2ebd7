import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ClipSender, ClipUpload } from '../../shared/clip-desk.ts'
import { createLogger } from '../../shared/logger.ts'
import { createMetrics } from '../../shared/metrics.ts'
import { openTestDatabase, type TestDatabase } from '../../shared/testkit/open-test-database.ts'
import { waitFor } from '../../shared/testkit/wait-for.ts'
import { newId, newIdAt } from '../../shared/uuid-v7.ts'
import { createClipDesk } from '../clips/clip-desk.ts'
import { makeContent, putClip, type ServedFiles, serveFiles } from '../clips/clip-fixture.ts'
import { keysOfClip } from '../clips/clip-keys.ts'
import { createClipJobMetrics } from './clip-job-metrics.ts'
import { type ClipSweepOptions, sweepClipOrphans, sweepClips } from './clip-sweep.ts'
import { startClipWorker } from './clip-worker.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MP4 = makeContent('video/mp4')
const KINDS = ['incoming', 'media', 'poster'] as const
let database: TestDatabase
let files: ServedFiles
let sender: ClipSender

beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())
beforeEach(async () => {
  await database.pool.query('DELETE FROM clip')
  files = await serveFiles()
  sender = { deviceId: newId(), spaceId: await addSpace(null) }
  return () => files[Symbol.asyncDispose]()
})

async function addSpace(retentionDays: number | null): Promise<string> {
  const id = newId()
  await database.pool.query(
    "INSERT INTO space (id, name, timezone, created_at, retention_days) VALUES (?, 'Factory', 'UTC', NOW(3), ?)",
    [id, retentionDays],
  )
  return id
}

const desk = () => createClipDesk({ db: database.db, storage: files.storage })
const options = (now: number): ClipSweepOptions => ({
  ...{ db: database.db, storage: files.storage, files: files.storage, siteDays: 30, now },
  metrics: createClipJobMetrics(createMetrics({ group: 'test', withDefaults: false })),
  checkpoint: async () => {},
})

async function request(of = sender): Promise<ClipUpload> {
  const upload = await desk().request(of, {
    ...{ eventId: newId(), contentType: 'video/mp4', sizeBytes: MP4.length },
  })
  expect(await putClip(upload, MP4)).toBe(204)
  return upload
}

async function complete(of = sender): Promise<ClipUpload> {
  const upload = await request(of)
  await desk().complete(of, upload.clip.id)
  return upload
}

/** Makes a clip as if it had been requested then: objects of all kinds, and its row. */
async function insertAt(epochMs: number, spaceId: string, status = 'READY'): Promise<string> {
  const id = newIdAt(epochMs)
  await database.pool.query(
    `INSERT INTO clip VALUES (?, ?, ?, ?, 'video/mp4', 1, NULL, ?, 1, NOW(3), NULL)`,
    [...[id, spaceId, newId(), newId()], status],
  )
  for (const kind of KINDS) await files.storage.put(`${kind}/${spaceId}/${id}`, 'video/mp4', MP4)
  return id
}

async function ids(): Promise<string[]> {
  const [rows] = await database.pool.query<RowDataPacket[]>('SELECT id FROM clip ORDER BY id')
  return rows.map(({ id }) => id)
}

async function objectsOf(spaceId: string): Promise<Record<string, string[]>> {
  const entries = await Promise.all(
    KINDS.map(async kind => [kind, (await readdir(join(files.dir, kind, spaceId)).catch(() => [])).sort()]),
  )
  return Object.fromEntries(entries)
}

async function age(key: string, epochMs: number): Promise<void> {
  await utimes(files.storage.pathOf(key), epochMs / 1_000, epochMs / 1_000)
}

describe('the sweep of clips', () => {
  it('deletes what was requested an hour ago and not completed, and nothing else', async () => {
    const [pending, ready] = [await request(), await complete()]
    const requestedAt = pending.clip.createdAt.getTime()
    await sweepClips(options(requestedAt + HOUR_MS - 1_000))
    expect(await ids()).toEqual([pending.clip.id, ready.clip.id])
    await sweepClips(options(requestedAt + HOUR_MS + 60_000))
    expect(await ids()).toEqual([ready.clip.id])
    expect(await objectsOf(sender.spaceId)).toEqual({ incoming: [], media: [ready.clip.id], poster: [] })
  })

  it('deletes more than it takes at a time', async () => {
    const now = Date.now()
    for (let i = 0; i < 230; i++) await insertAt(now - 2 * HOUR_MS - i, sender.spaceId, 'PENDING')
    await sweepClips(options(now))
    expect(await ids()).toEqual([])
  })

  it('deletes clips and their objects when their space keeps them no longer, or is gone', async () => {
    const now = Date.now()
    const [short, gone] = [await addSpace(7), newId()]
    const kept = [await insertAt(now - 29 * DAY_MS, sender.spaceId), await insertAt(now - 6 * DAY_MS, short)]
    await insertAt(now - 31 * DAY_MS, sender.spaceId)
    await insertAt(now - 8 * DAY_MS, short)
    await insertAt(now - DAY_MS, gone)
    await sweepClips(options(now))
    expect(await ids()).toEqual(kept)
    expect(await objectsOf(gone)).toEqual({ incoming: [], media: [], poster: [] })
    expect((await objectsOf(short)).media).toEqual([kept[1]])
  })

  it('leaves the rows where the objects cannot be deleted', async () => {
    const now = Date.now()
    const id = await insertAt(now - 31 * DAY_MS, sender.spaceId)
    const storage = { ...files.storage, delete: () => Promise.reject(new Error('no storage')) }
    await expect(sweepClips({ ...options(now), storage })).rejects.toThrow('no storage')
    expect(await ids()).toEqual([id])
    await sweepClips(options(now))
    expect(await ids()).toEqual([])
  })

  it('deletes what was uploaded to links of clips that are done with', async () => {
    const { clip, ...upload } = await complete()
    expect(await putClip({ clip, ...upload }, MP4)).toBe(204)
    const { incoming } = keysOfClip(clip)
    await sweepClips(options(Date.now()))
    expect((await objectsOf(sender.spaceId)).incoming).toEqual([clip.id])
    await age(incoming, Date.now() - 4 * HOUR_MS)
    await sweepClips(options(Date.now()))
    expect(await objectsOf(sender.spaceId)).toEqual({ incoming: [], media: [clip.id], poster: [] })
  })

  it('deletes objects that no clip leads to once they are old', async () => {
    const { clip } = await complete()
    const orphan = { spaceId: sender.spaceId, id: newId() }
    const fresh = { spaceId: sender.spaceId, id: newId() }
    const longAgo = Date.now() - 4 * HOUR_MS
    for (const one of [orphan, fresh]) {
      for (const key of [keysOfClip(one).media, keysOfClip(one).poster])
        await files.storage.put(key, 'x', MP4)
    }
    for (const key of [keysOfClip(orphan).media, keysOfClip(orphan).poster, keysOfClip(clip).media])
      await age(key, longAgo)
    await sweepClipOrphans(options(Date.now()))
    const { media, poster } = await objectsOf(sender.spaceId)
    expect([media, poster]).toEqual([[clip.id, fresh.id].sort(), [fresh.id]])
  })

  it('is done by a worker as soon as it starts', async () => {
    await insertAt(Date.now() - 2 * HOUR_MS, sender.spaceId, 'PENDING')
    await using _ = startClipWorker({
      ...{ pool: database.pool, db: database.db, storage: files.storage, files: files.storage },
      ...{ owner: newId(), retentionDays: 30, ffmpeg: null },
      logger: createLogger({ level: 'silent', role: 'test' }),
      metrics: createMetrics({ group: 'test', withDefaults: false }),
    })
    await waitFor(async () => (await ids()).length === 0)
  })
})
