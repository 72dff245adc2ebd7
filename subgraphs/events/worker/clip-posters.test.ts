import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLogger } from '../../shared/logger.ts'
import { createMetrics } from '../../shared/metrics.ts'
import { findFfmpeg } from '../../shared/testkit/ffmpeg.ts'
import { openTestDatabase } from '../../shared/testkit/open-test-database.ts'
import { waitFor } from '../../shared/testkit/wait-for.ts'
import { newId } from '../../shared/uuid-v7.ts'
import { createClipDesk } from '../clips/clip-desk.ts'
import { makeContent, putClip, serveFiles } from '../clips/clip-fixture.ts'
import { keysOfClip } from '../clips/clip-keys.ts'
import { startClipWorker } from './clip-worker.ts'
import { takePoster } from './poster.ts'

const ffmpeg = (await findFfmpeg()) ?? ''
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'nuvion-poster-'))
})
afterAll(() => rm(dir, { recursive: true }))

/** A second of moving colours. */
async function makeVideo(name: string, ...codec: string[]): Promise<Buffer> {
  const path = join(dir, name)
  const source = ['-f', 'lavfi', '-i', 'testsrc=size=1280x720:rate=5:duration=1']
  await promisify(execFile)(ffmpeg, ['-v', 'error', '-y', ...source, ...codec, path])
  return await readFile(path)
}

const posterOf = async (contentType: string, bytes: Buffer | string, deadlineMs?: number) => {
  const path = join(dir, newId())
  await writeFile(path, bytes)
  const source = { url: `file:${path}`, protocols: ['file'] }
  return await takePoster({ ffmpeg, source, contentType, deadlineMs })
}

/** Width and height of a JPEG, from its start of frame. */
function sizeOf(jpeg: Buffer): [width: number, height: number] {
  const at = jpeg.indexOf(Buffer.of(0xff, 0xc0))
  return [jpeg.readUInt16BE(at + 7), jpeg.readUInt16BE(at + 5)]
}

describe.skipIf(ffmpeg === '')('a poster', () => {
  it.each([
    ['video/mp4', 'a.mp4', ['-c:v', 'libx264', '-pix_fmt', 'yuv420p']],
    ['video/quicktime', 'a.mov', ['-c:v', 'libx264', '-pix_fmt', 'yuv420p']],
    ['video/webm', 'a.webm', ['-c:v', 'libvpx', '-deadline', 'realtime']],
  ])('is the first frame of %s, 640 pixels wide', async (contentType, name, codec) => {
    const poster = await posterOf(contentType, await makeVideo(name, ...codec))
    expect(poster && sizeOf(poster)).toEqual([640, 360])
  })

  it.each(['video/mp4', 'video/webm', 'video/quicktime'])(
    'is none where a file only begins as %s does',
    async contentType => {
      expect(await posterOf(contentType, makeContent(contentType))).toBe(null)
      expect(await posterOf('image/png', makeContent('image/png'))).toBe(null)
    },
  )

  it('asks for nothing that a file names', async () => {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.end()
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const other = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret`
    const secret = join(dir, 'secret.mp4')
    await writeFile(secret, await makeVideo('b.mp4', '-c:v', 'libx264', '-pix_fmt', 'yuv420p'))
    const lists = [
      `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${other}\n#EXT-X-ENDLIST\n`,
      `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:${secret}\n#EXT-X-ENDLIST\n`,
      `ffconcat version 1.0\nfile '${secret}'\n`,
    ]
    for (const list of lists) {
      for (const type of ['video/mp4', 'video/webm']) expect(await posterOf(type, list)).toBe(null)
    }
    expect(asked).toEqual([])
    server.close()
  })

  it('is given up when it takes too long', async () => {
    const video = await makeVideo('c.mp4', '-c:v', 'libx264', '-pix_fmt', 'yuv420p')
    expect(await posterOf('video/mp4', video, 1)).toBe(null)
  })

  it('is taken by a worker of each video that is completed, once', async () => {
    await using database = await openTestDatabase()
    await using files = await serveFiles()
    const desk = createClipDesk({ db: database.db, storage: files.storage })
    const sender = { deviceId: newId(), spaceId: newId() }
    await database.pool.query(
      "INSERT INTO space (id, name, timezone, created_at) VALUES (?, 'Factory', 'UTC', NOW(3))",
      [sender.spaceId],
    )
    const upload = async (contentType: string, body: Buffer) => {
      const wish = { eventId: newId(), contentType, sizeBytes: body.length }
      const requested = await desk.request(sender, wish)
      await putClip(requested, body)
      return await desk.complete(sender, requested.clip.id)
    }
    const broken = await upload('video/mp4', makeContent('video/mp4'))
    await upload('image/png', makeContent('image/png'))
    const metrics = createMetrics({ group: 'test', withDefaults: false })
    await using _ = startClipWorker({
      ...{ pool: database.pool, db: database.db, storage: files.storage, files: files.storage },
      ...{ owner: newId(), retentionDays: 30, ffmpeg, posterPollMs: 20, metrics },
      logger: createLogger({ level: 'silent', role: 'test' }),
    })
    const video = await makeVideo('d.mp4', '-c:v', 'libx264', '-pix_fmt', 'yuv420p')
    const clip = await upload('video/mp4', video)
    const isPostered = async () => {
      const [rows] = await database.pool.query<RowDataPacket[]>('SELECT id FROM clip WHERE has_poster = 1')
      return rows.length > 0 && rows
    }
    expect(await waitFor(isPostered, { deadlineMs: 30_000 })).toMatchObject([{ id: clip.id }])
    expect((await files.storage.stat(keysOfClip(clip).poster))?.sizeBytes).toBeGreaterThan(1_000)
    const counts = await metrics.getSingleMetric('nuvion_worker_posters_total')?.get()
    const of = (outcome: string) => counts?.values.find(one => one.labels.outcome === outcome)?.value
    expect([of('taken'), of('failed')]).toEqual([1, 1])
    expect(await files.storage.stat(keysOfClip(broken).poster)).toBe(null)
  })
})
