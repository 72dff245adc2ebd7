import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { RevocationEvent } from '../../../schema/live-event.ts'
import { membership, space } from '../../../schema/mysql/device-tables.ts'
import { and, eq } from '../../../schema/mysql/drizzle.ts'
import { startRedis } from '../embedded/redis.ts'
import { createLivePublisher } from '../live-topic/live-publisher.ts'
import { startLiveReader } from '../live-topic/live-reader.ts'
import { createLogger } from '../logger.ts'
import { openRedis } from '../redis/open-redis.ts'
import type { Role } from '../space-access.ts'
import { openTestDatabase } from '../testkit/open-test-database.ts'
import { openTestRedis } from '../testkit/open-test-redis.ts'
import { waitFor } from '../testkit/wait-for.ts'
import { newId } from '../uuid-v7.ts'
import { type RightsChange, startRightsWatch } from './rights-watch.ts'
import { createSpaceAccess } from './space-access.ts'

const logger = createLogger({ level: 'silent', role: 'test' })
const database = await openTestDatabase()
const redis = await openTestRedis()
afterAll(() => Promise.all([database[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()]))
const { db } = database
const publisher = createLivePublisher({ redis: redis.live })

/** Collects changes; `next` resolves with the first that was not yet returned. */
function collect(watch: ReturnType<typeof startRightsWatch>) {
  const changes: RightsChange[] = []
  const stop = watch.onChange(change => changes.push(change))
  return { changes, stop, next: () => waitFor(() => changes.shift()) }
}

/** A watch that has told of its start. */
async function openWatch() {
  const liveReader = startLiveReader({ url: redis.liveUrl, redis: redis.live, logger })
  const access = createSpaceAccess({ db })
  const watch = startRightsWatch({ liveReader, access, logger })
  const seen = collect(watch)
  expect(await seen.next()).toEqual({ kind: 'unknown' })
  return {
    access,
    watch,
    liveReader,
    ...seen,
    async [Symbol.asyncDispose]() {
      await watch[Symbol.asyncDispose]()
      expect([liveReader.subscriptionCount, liveReader.topicCount]).toEqual([0, 0])
      await liveReader[Symbol.asyncDispose]()
    },
  }
}

async function addMember(role: Role) {
  const key = { userId: newId(), spaceId: newId() }
  const createdAt = new Date()
  await db.insert(space).values({ id: key.spaceId, name: 'Factory', timezone: 'UTC', createdAt })
  await db.insert(membership).values({ ...key, role, joinedAt: createdAt })
  const setRole = (role: Role) =>
    db
      .update(membership)
      .set({ role })
      .where(and(eq(membership.userId, key.userId), eq(membership.spaceId, key.spaceId)))
  return { ...key, setRole }
}

describe('the watch over rights', () => {
  it('tells every listener of every change, in order', async () => {
    await using opened = await openWatch()
    const other = collect(opened.watch)
    const [userId, spaceId] = [newId(), newId()]
    const events: RevocationEvent[] = [
      { kind: 'session-ended', userId, sessionId: newId() },
      { kind: 'sessions-ended', userId },
      { kind: 'membership-changed', userId, spaceId },
      { kind: 'space-changed', spaceId },
      { kind: 'credential-revoked', deviceId: newId(), spaceId },
    ]
    await publisher.publish('revocation', events)
    for (const event of events) {
      expect(await opened.next()).toEqual(event)
      expect(await other.next()).toEqual(event)
    }
    opened.stop()
    await publisher.publish('revocation', events.slice(0, 1))
    await other.next()
    expect(opened.changes).toEqual([])
  })

  it.each([
    ['a member', ({ userId, spaceId }: { userId: string; spaceId: string }) => ({ userId, spaceId })],
    ['a space', ({ spaceId }: { spaceId: string }) => ({ spaceId })],
  ])('has forgotten the roles of %s before it tells', async (_, keyOf) => {
    await using opened = await openWatch()
    const member = await addMember('OWNER')
    const bystander = await addMember('OWNER')
    const ask = () => opened.access.roleOf(member.userId, member.spaceId)
    expect([await ask(), await opened.access.roleOf(bystander.userId, bystander.spaceId)]).toEqual([
      'OWNER',
      'OWNER',
    ])
    await Promise.all([member.setRole('VIEWER'), bystander.setRole('VIEWER')])
    expect(await ask()).toBe('OWNER')
    const told = Promise.withResolvers<Role | null>()
    opened.watch.onChange(() => told.resolve(ask()))
    const key = keyOf(member)
    const kind = 'userId' in key ? 'membership-changed' : 'space-changed'
    await publisher.publish('revocation', [{ kind, ...key } as RevocationEvent])
    expect(await told.promise).toBe('VIEWER')
    expect(await opened.access.roleOf(bystander.userId, bystander.spaceId)).toBe('OWNER')
  })

  it('goes on when a listener throws', async () => {
    await using opened = await openWatch()
    opened.watch.onChange(() => {
      throw new Error('mine')
    })
    const later = collect(opened.watch)
    await publisher.publish('revocation', [{ kind: 'sessions-ended', userId: 'u' }])
    expect(await later.next()).toEqual({ kind: 'sessions-ended', userId: 'u' })
  })

  it('waits for Redis at the start, misses nothing over a restart, and says so when it may have', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'nuvion-rights-'))
    const start = () => startRedis({ dataDir: join(dir, 'redis'), name: 'live', appendfsync: 'always' })
    let server = await start()
    await server.close()
    const client = openRedis({ url: server.url, name: 'commands' })
    const liveReader = startLiveReader({ url: server.url, redis: client.redis, logger, deadlineMs: 50 })
    const access = createSpaceAccess({ db })
    const watch = startRightsWatch({ liveReader, access, logger })
    const { next, changes } = collect(watch)
    const own = createLivePublisher({ redis: client.redis })
    const publish = (userId: string) =>
      waitFor(() => own.publish('revocation', [{ kind: 'sessions-ended', userId }]).then(() => true))
    try {
      server = await start()
      expect(await next()).toEqual({ kind: 'unknown' })
      await publish('a')
      expect(await next()).toEqual({ kind: 'sessions-ended', userId: 'a' })

      await server.close()
      server = await start()
      await publish('b')
      expect(await next()).toEqual({ kind: 'sessions-ended', userId: 'b' })
      expect(changes).toEqual([])

      const member = await addMember('OWNER')
      expect(await access.roleOf(member.userId, member.spaceId)).toBe('OWNER')
      await member.setRole('VIEWER')
      await server.close()
      rmSync(join(dir, 'redis'), { recursive: true })
      server = await start()
      expect(await next()).toEqual({ kind: 'unknown' })
      expect(await access.roleOf(member.userId, member.spaceId)).toBe('VIEWER')
      await publish('c')
      expect(await next()).toEqual({ kind: 'sessions-ended', userId: 'c' })
    } finally {
      await watch[Symbol.asyncDispose]()
      await liveReader[Symbol.asyncDispose]()
      await client[Symbol.asyncDispose]()
      await server.close()
      rmSync(dir, { recursive: true, force: true })
    }
  })
})
