import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasMediaWorker } from '../../media/testing/start-test-media.ts'
import { redisKeys } from '../../schema/redis-keys.ts'
import type { Viewer } from '../shared/auth/viewer.ts'
import { createLogger } from '../shared/logger.ts'
import { createMediaClient } from '../shared/media-client.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../shared/testkit/open-test-redis.ts'
import { type Product, startProduct } from '../shared/testkit/product.ts'
import { waitFor } from '../shared/testkit/wait-for.ts'
import { openStreamingFixture, type StreamingFixture } from './testing/streaming-fixture.ts'

const secret = 'a'.repeat(32)
const ERRORS = 'userErrors { code field }'
const START = `mutation ($input: StartBroadcastInput!) { startBroadcast(input: $input) { broadcast { id } ${ERRORS} } }`
const JOIN = `mutation ($input: JoinBroadcastInput!) { joinBroadcast(input: $input) { session { id } ${ERRORS} } }`
const PUBLISH = `mutation ($input: PublishBroadcastInput!) { publishBroadcast(input: $input) { session { id } ${ERRORS} } }`

describe.skipIf(!hasMediaWorker)('streaming whose media runs elsewhere', () => {
  let database: TestDatabase
  let redis: TestRedis
  let dataDir: string
  let product: Product
  let client: ReturnType<typeof createMediaClient>
  let fixture: StreamingFixture<typeof client>

  const startMedia = (PORT: string) =>
    startProduct({
      roles: ['media'],
      env: {
        ...{ PORT, HOST: '127.0.0.1', NUVION_DATA: dataDir, NUVION_INTERNAL_SECRET: secret },
        ...{ NUVION_MEDIA_LISTEN: '127.0.0.1', NUVION_MEDIA_WORKERS: '1' },
      },
    })

  beforeAll(async () => {
    database = await openTestDatabase()
    redis = await openTestRedis()
    dataDir = await mkdtemp(join(tmpdir(), 'nuvion-away-'))
    product = await startMedia('0')
    const logger = createLogger({ level: 'silent', role: 'test' })
    client = createMediaClient({ url: product.url, secret, logger })
    fixture = await openStreamingFixture(database, redis, {}, client)
  }, 60_000)
  afterAll(async () => {
    await fixture?.[Symbol.asyncDispose]()
    await client?.[Symbol.asyncDispose]()
    await product?.[Symbol.asyncDispose]()
    await redis?.[Symbol.asyncDispose]()
    await database?.[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
  })

  /** What comes of a call: the id of what it opened, the code of its first userError with the field, or of its first error. */
  async function outcome(viewer: Viewer, source: string, input: Record<string, unknown>): Promise<string> {
    const { data, errors } = await fixture.run(viewer, source, { input })
    if (errors[0] !== undefined) return errors[0].split(' ')[0] ?? ''
    const { userErrors, ...opened } = data[Object.keys(data)[0] ?? '']
    const [error] = userErrors
    return error === undefined ? (opened.broadcast ?? opened.session).id : `${error.code} ${error.field}`
  }
  const readNote = (deviceId: string) => redis.live.get(redisKeys.broadcast(deviceId))

  it('asks it whether a broadcast is there, before it says that one is in the way or that there is none', async () => {
    const { deviceId, camera, people } = await fixture.addSpace()
    const silent = await fixture.addSpace()
    const wish = { deviceId, kind: 'WEBRTC' }
    const broadcastId = await outcome(camera, START, wish)
    const note = await waitFor(() => readNote(deviceId))
    expect(note).toContain(broadcastId)
    expect(await outcome(people.OPERATOR, START, wish)).toBe('CONFLICT deviceId')
    expect(await outcome(silent.people.VIEWER, JOIN, { deviceId: silent.deviceId })).toBe('CONFLICT deviceId')
    await redis.live.del(redisKeys.broadcast(deviceId))
    expect(await outcome(people.VIEWER, JOIN, { deviceId })).not.toMatch(/[A-Z]/)

    await redis.live.set(redisKeys.broadcast(deviceId), note)
    await product.end('SIGKILL')
    for (const viewer of [people.OPERATOR, camera]) {
      expect(await outcome(viewer, START, wish)).toBe('UNAVAILABLE')
      expect(await outcome(viewer, PUBLISH, { deviceId })).toBe('UNAVAILABLE')
    }
    expect(await outcome(people.VIEWER, JOIN, { deviceId })).toBe('UNAVAILABLE')
    expect(await outcome(silent.people.VIEWER, JOIN, { deviceId: silent.deviceId })).toBe('UNAVAILABLE')
    expect(await readNote(deviceId)).toContain(broadcastId)

    product = await startMedia(new URL(product.url).port)
    await waitFor(async () => (await readNote(deviceId)) === null, { deadlineMs: 10_000 })
    // Noted again, as it is to a process that has not yet heard that media has lost it.
    await redis.live.set(redisKeys.broadcast(deviceId), note)
    expect(await outcome(people.VIEWER, JOIN, { deviceId })).toBe('CONFLICT deviceId')
    expect(await outcome(people.OPERATOR, PUBLISH, { deviceId })).toBe('CONFLICT deviceId')
    const anew = await outcome(people.OPERATOR, START, wish)
    expect(anew).not.toMatch(/[A-Z]/)
    expect(anew).not.toBe(broadcastId)
    expect(await outcome(people.VIEWER, JOIN, { deviceId })).not.toMatch(/[A-Z]/)
  }, 60_000)
})
