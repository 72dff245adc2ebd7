import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ClipRecord, ClipRequest, ClipSender } from '../../shared/clip-desk.ts'
import { Refusal } from '../../shared/graphql/refusal.ts'
import { createS3Storage } from '../../shared/storage/s3-storage.ts'
import { openTestDatabase, type TestDatabase } from '../../shared/testkit/open-test-database.ts'
import { findS3Server, startS3Server } from '../../shared/testkit/s3-server.ts'
import { newId, newIdAt } from '../../shared/uuid-v7.ts'
import { CLIP_CONTENT_TYPES } from './clip-content.ts'
import { createClipDesk } from './clip-desk.ts'
import { makeContent, putClip, type ServedFiles, serveFiles } from './clip-fixture.ts'
import { keysOfClip } from './clip-keys.ts'
import { createClipLinks } from './clip-links.ts'

const s3Program = await findS3Server()
const MP4 = makeContent('video/mp4')
let database: TestDatabase
let files: ServedFiles
let sender: ClipSender
let ready: ClipRecord[]

beforeAll(async () => {
  database = await openTestDatabase()
  files = await serveFiles()
})
afterAll(async () => {
  await files[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})
beforeEach(() => {
  sender = { deviceId: newId(), spaceId: newId() }
  ready = []
  database.statements.length = 0
})

const desk = (options: Partial<Parameters<typeof createClipDesk>[0]> = {}) =>
  createClipDesk({ db: database.db, storage: files.storage, onReady: clip => ready.push(clip), ...options })
const wish = (more: Partial<ClipRequest> = {}): ClipRequest => ({
  ...{ eventId: newId(), contentType: 'video/mp4', sizeBytes: MP4.length },
  ...more,
})

/** `CODE field` of what a device can mend. */
async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error('Nothing was refused'),
    error => error,
  )
  if (!(error instanceof Refusal)) throw error
  return error.userErrors.map(({ code, field }) => `${code} ${field}`).join()
}

async function rows(): Promise<RowDataPacket[]> {
  const [found] = await database.pool.query<RowDataPacket[]>('SELECT * FROM clip WHERE device_id = ?', [
    sender.deviceId,
  ])
  return found
}

const read = (clip: ClipRecord) =>
  fetch(
    files.storage.presignGet({ key: keysOfClip(clip).media, contentType: 'video/mp4', expiresInMs: 60_000 }),
  )

describe('a clip', () => {
  it('is requested with one statement, uploaded, and completed with two', async () => {
    const upload = await desk().request(sender, wish({ durationMs: 1_500 }))
    expect(database.statements).toHaveLength(1)
    expect(upload.headers).toEqual({ 'content-type': 'video/mp4', 'content-length': String(MP4.length) })
    expect(await putClip(upload, MP4)).toBe(204)
    database.statements.length = 0
    const clip = await desk().complete(sender, upload.clip.id)
    expect(database.statements).toHaveLength(2)
    expect(clip).toMatchObject({ status: 'READY', durationMs: 1_500, sizeBytes: MP4.length })
    expect(Buffer.from(await (await read(clip)).arrayBuffer())).toEqual(MP4)
    expect(ready).toMatchObject([{ id: clip.id }])
    expect(await rows()).toMatchObject([{ status: 'READY', has_poster: 0 }])
  })

  it.each(CLIP_CONTENT_TYPES)('may be of the type %s, and of no other then', async contentType => {
    for (const real of CLIP_CONTENT_TYPES) {
      const body = makeContent(real)
      const upload = await desk().request(sender, wish({ contentType, sizeBytes: body.length }))
      expect(await putClip(upload, body)).toBe(204)
      const completing = desk().complete(sender, upload.clip.id)
      if (real === contentType) expect((await completing).status).toBe('READY')
      else expect(await refusal(completing)).toBe('BAD_USER_INPUT clipId')
    }
    expect(await rows()).toHaveLength(1)
    expect(await readdir(join(files.dir, 'incoming', sender.spaceId))).toEqual([])
    expect(await readdir(join(files.dir, 'media', sender.spaceId))).toHaveLength(1)
  })

  it('is refused, with what is wrong, before anything is stored', async () => {
    const refused = (more: Partial<ClipRequest>) => refusal(desk().request(sender, wish(more)))
    for (const contentType of ['text/html', 'video/mp4; codecs=x', '', 'image/svg+xml', 'constructor'])
      expect(await refused({ contentType })).toBe('BAD_USER_INPUT contentType')
    for (const sizeBytes of [0, -1, 1.5, Number.NaN, 512 * 1024 * 1024 + 1, 2 ** 60])
      expect(await refused({ sizeBytes })).toBe('BAD_USER_INPUT sizeBytes')
    for (const durationMs of [-1, 86_400_001, Number.POSITIVE_INFINITY])
      expect(await refused({ durationMs })).toBe('BAD_USER_INPUT durationMs')
    const days = 86_400_000
    for (const eventId of ['', 'x', '../..', newIdAt(Date.now() + 600_000), newIdAt(Date.now() - 91 * days)])
      expect(await refused({ eventId })).toBe('BAD_USER_INPUT eventId')
    expect(database.statements).toEqual([])
    await desk().request(sender, wish({ eventId: newIdAt(Date.now() - 89 * days).toUpperCase() }))
  })

  it('is one of 20 at most that wait, however many are asked for at a time', async () => {
    const results = await Promise.allSettled(Array.from({ length: 40 }, () => desk().request(sender, wish())))
    const uploads = results.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
    expect(uploads).toHaveLength(20)
    expect(await refusal(desk().request(sender, wish()))).toBe('LIMIT_REACHED null')
    const [first] = uploads
    if (first === undefined) throw new Error('No upload')
    expect(await putClip(first, MP4)).toBe(204)
    await desk().complete(sender, first.clip.id)
    await desk().request(sender, wish())
    const other = { ...sender, deviceId: newId() }
    await desk().request(other, wish())
  })

  it('cannot be completed before it is uploaded, and can after', async () => {
    const upload = await desk().request(sender, wish())
    expect(await refusal(desk().complete(sender, upload.clip.id))).toBe('CONFLICT clipId')
    expect(await putClip(upload, MP4)).toBe(204)
    expect((await desk().complete(sender, upload.clip.id)).status).toBe('READY')
  })

  it('is no other device’s to complete', async () => {
    const upload = await desk().request(sender, wish())
    await putClip(upload, MP4)
    for (const deviceId of [newId(), '', "' OR 1=1"])
      expect(await refusal(desk().complete({ ...sender, deviceId }, upload.clip.id))).toBe('NOT_FOUND clipId')
    for (const id of [newId(), 'x', '../..', `${upload.clip.id}/`])
      expect(await refusal(desk().complete(sender, id))).toBe('NOT_FOUND clipId')
    expect((await rows())[0]?.status).toBe('PENDING')
  })

  it('is completed once, and answered again each time', async () => {
    const upload = await desk().request(sender, wish())
    await putClip(upload, MP4)
    const all = await Promise.all(Array.from({ length: 8 }, () => desk().complete(sender, upload.clip.id)))
    expect(new Set(all.map(one => `${one.id} ${one.status}`))).toEqual(new Set([`${upload.clip.id} READY`]))
    expect(ready).toHaveLength(1)
    expect((await desk().complete(sender, upload.clip.id)).status).toBe('READY')
    expect(ready).toHaveLength(1)
  })

  it('keeps what was looked at, whatever its link is used for later', async () => {
    const upload = await desk().request(sender, wish())
    await putClip(upload, MP4)
    const clip = await desk().complete(sender, upload.clip.id)
    const others = Buffer.alloc(MP4.length, '<script>')
    expect(await putClip(upload, others)).toBe(204)
    expect((await desk().complete(sender, upload.clip.id)).status).toBe('READY')
    expect(Buffer.from(await (await read(clip)).arrayBuffer())).toEqual(MP4)
  })

  it('is completed where a crash had left it in the middle', async () => {
    const upload = await desk().request(sender, wish())
    await putClip(upload, MP4)
    const { incoming, media } = keysOfClip(upload.clip)
    const etag = (await files.storage.stat(incoming))?.etag ?? ''
    expect(await files.storage.move(incoming, media, etag)).toBe(true)
    expect((await desk().complete(sender, upload.clip.id)).status).toBe('READY')
  })

  it('cannot be uploaded once its link has expired', async () => {
    const upload = await desk({ storage: files.at(Date.now() - 5 * 60_000 - 1_000) }).request(sender, wish())
    expect(await putClip(upload, MP4)).toBe(403)
    expect(await refusal(desk().complete(sender, upload.clip.id))).toBe('CONFLICT clipId')
  })
})

describe.skipIf(s3Program === null)('a clip on an S3 server', () => {
  it('is uploaded, looked at, read, and out of reach of its link', async () => {
    await using server = await startS3Server(s3Program ?? '')
    const storage = createS3Storage(server.bucket)
    const onS3 = desk({ storage })
    const upload = await onS3.request(sender, wish())
    expect(await refusal(onS3.complete(sender, upload.clip.id))).toBe('CONFLICT clipId')
    expect(await putClip(upload, MP4)).toBe(200)
    const clip = await onS3.complete(sender, upload.clip.id)
    expect(await putClip(upload, Buffer.alloc(MP4.length, '<script>'))).toBe(200)
    expect((await onS3.complete(sender, upload.clip.id)).status).toBe('READY')
    const link = createClipLinks({ storage }).toMedia(clip)
    const answer = await fetch(link?.url ?? '', { headers: { range: 'bytes=4-7' } })
    expect([answer.status, await answer.text()]).toEqual([206, 'ftyp'])
    const hostile = await onS3.request(sender, wish())
    expect(await putClip(hostile, Buffer.alloc(MP4.length, '<script>'))).toBe(200)
    expect(await refusal(onS3.complete(sender, hostile.clip.id))).toBe('BAD_USER_INPUT clipId')
    expect(await storage.stat(keysOfClip(hostile.clip).incoming)).toBe(null)
  })

  it('cannot be completed while the server is away, and can after', async () => {
    const away = createS3Storage({
      ...{ endpoint: 'http://127.0.0.1:9', region: 'us-east-1', bucket: 'clips', isPathStyle: true },
      ...{ accessKey: 'a', secretKey: 'b' },
    })
    const upload = await desk().request(sender, wish())
    await putClip(upload, MP4)
    await expect(desk({ storage: away }).complete(sender, upload.clip.id)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    })
    expect((await desk().complete(sender, upload.clip.id)).status).toBe('READY')
  })
})

describe('links of a clip', () => {
  const clip: ClipRecord = {
    ...{ id: newId(), spaceId: newId(), deviceId: newId(), eventId: newId(), contentType: 'video/mp4' },
    ...{ sizeBytes: 1, durationMs: null, status: 'READY', hasPoster: false, createdAt: new Date() },
  }

  it('are signed once until they are about to expire', () => {
    const signed: string[] = []
    let now = 1_000_000
    const links = createClipLinks({
      storage: { presignGet: ({ key, expiresInMs }) => `${signed.push(key)} ${key} ${expiresInMs}` },
      now: () => now,
      maxLinks: 2,
    })
    const first = links.toMedia(clip)
    now += 4 * 60_000 - 1
    expect(links.toMedia(clip)).toBe(first)
    now += 2
    const second = links.toMedia(clip)
    expect(second?.url).not.toBe(first?.url)
    expect(second?.expiresAt.getTime()).toBe(now + 5 * 60_000)
    expect(signed).toHaveLength(2)
    for (let i = 0; i < 10; i++) links.toMedia({ ...clip, id: newId() })
    links.toMedia(clip)
    expect(signed).toHaveLength(13)
  })

  it('are none while it is pending, and lead to the image itself where there is no poster', () => {
    const links = createClipLinks({ storage: files.storage })
    const pending: ClipRecord = { ...clip, status: 'PENDING', hasPoster: true }
    expect([links.toMedia(pending), links.toPoster(pending)]).toEqual([null, null])
    expect(links.toPoster(clip)).toBe(null)
    const image = { ...clip, contentType: 'image/png' }
    expect(links.toPoster(image)).toBe(links.toMedia(image))
    expect(links.toPoster({ ...clip, hasPoster: true })?.url).toContain(`/poster/${clip.spaceId}/${clip.id}`)
  })
})
