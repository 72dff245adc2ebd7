import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasMediaWorker } from '../../media/testing/start-test-media.ts'
import { device as deviceTable, space as spaceTable } from '../../schema/mysql/device-tables.ts'
import { eq } from '../../schema/mysql/drizzle.ts'
import { redisKeys } from '../../schema/redis-keys.ts'
import type { Viewer } from '../shared/auth/viewer.ts'
import { createLogger } from '../shared/logger.ts'
import { createMediaClient } from '../shared/media-client.ts'
import type { MediaPort } from '../shared/media-port.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../shared/testkit/open-test-redis.ts'
import { type Product, startProduct } from '../shared/testkit/product.ts'
import { waitFor } from '../shared/testkit/wait-for.ts'
import { newId } from '../shared/uuid-v7.ts'
import { type RemoteMedia, startRemoteMedia } from './testing/remote-media.ts'
import { openStreamingFixture, type StreamingFixture, type TestSpace } from './testing/streaming-fixture.ts'

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

  describe('that goes on while it cannot be reached', () => {
    let remote: RemoteMedia
    let cutOff: StreamingFixture<MediaPort>

    beforeAll(async () => {
      remote = await startRemoteMedia()
      cutOff = await openStreamingFixture(database, redis, {}, remote.client)
    })
    afterAll(async () => {
      await cutOff?.[Symbol.asyncDispose]()
      await remote?.[Symbol.asyncDispose]()
    })
    const start = async (space: TestSpace, deviceId = space.deviceId) => {
      await cutOff.desk.start({ deviceId, spaceId: space.spaceId }, { kind: 'WEBRTC' })
      await waitFor(() => readNote(deviceId))
    }
    const isThere = async (deviceId: string) => (await remote.there.findBroadcast({ deviceId })) !== null
    const isInside = (sessionId: string) =>
      remote.there.snapshotSession({ sessionId }).then(
        () => true,
        () => false,
      )

    it('ends the broadcast of a revoked device, and the session of who was removed, once it can', async () => {
      const revoked = await cutOff.addSpace()
      const kept = await cutOff.addSpace()
      for (const space of [revoked, kept]) await start(space)
      const join = async (viewer: Viewer) => {
        const input = { deviceId: kept.deviceId }
        return (await cutOff.run(viewer, JOIN, { input })).data.joinBroadcast.session.id as string
      }
      const { VIEWER, OWNER } = kept.people
      const [removed, staying] = [await join(VIEWER), await join(OWNER)]
      remote.cut()
      const { deviceId, spaceId } = revoked
      await cutOff.publisher.publish('revocation', [{ kind: 'credential-revoked', deviceId, spaceId }])
      await cutOff.removeMember(kept.spaceId, VIEWER.userId)
      await waitFor(() => ['closeBroadcast', 'leave'].every(call => remote.lost.includes(call)))
      expect([await isThere(deviceId), await isInside(removed)]).toEqual([true, true])
      remote.restore()
      await waitFor(async () => !(await isThere(deviceId)) && !(await isInside(removed)), {
        deadlineMs: 10_000,
      })
      expect([await isThere(kept.deviceId), await isInside(staying)]).toEqual([true, true])
    }, 30_000)

    it('ends all broadcasts of a deleted space, also after one that fails', async () => {
      const space = await cutOff.addSpace()
      const deviceIds = [space.deviceId, newId(), newId()]
      await cutOff.past.db.insert(deviceTable).values(
        deviceIds.slice(1).map((id, index) => ({
          ...{ id, spaceId: space.spaceId, code: `CAM-${index}`, name: 'Camera', createdAt: new Date() },
        })),
      )
      for (const deviceId of deviceIds) await start(space, deviceId)
      await cutOff.past.db
        .update(spaceTable)
        .set({ deletedAt: new Date() })
        .where(eq(spaceTable.id, space.spaceId))
      remote.cutNext('closeBroadcast')
      const before = remote.lost.length
      await cutOff.publisher.publish('revocation', [{ kind: 'space-changed', spaceId: space.spaceId }])
      await waitFor(async () => !(await Promise.all(deviceIds.map(isThere))).includes(true))
      expect(remote.lost.slice(before)).toEqual(['closeBroadcast'])
    })

    it('lets a device with another credential begin anew, in no broadcast that was to end', async () => {
      const renewed = await cutOff.addSpace()
      const revoked = await cutOff.addSpace()
      for (const space of [renewed, revoked]) await start(space)
      remote.cut()
      for (const { deviceId, spaceId } of [renewed, revoked]) {
        const before = remote.lost.length
        await cutOff.publisher.publish('revocation', [{ kind: 'credential-revoked', deviceId, spaceId }])
        await waitFor(() => remote.lost.slice(before).includes('closeBroadcast'))
      }
      await expect(start(renewed)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
      remote.restore()
      await start(renewed)
      // It was asked for after the other, and so is tried after it.
      await waitFor(async () => !(await isThere(revoked.deviceId)), { deadlineMs: 10_000 })
      expect(await isThere(renewed.deviceId)).toBe(true)
    })
  })
})
