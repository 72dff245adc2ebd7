import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { session } from '../../../schema/mysql/device-tables.ts'
import { eq } from '../../../schema/mysql/drizzle.ts'
import { createLivePublisher } from '../live-topic/live-publisher.ts'
import { startLiveReader } from '../live-topic/live-reader.ts'
import { createLogger } from '../logger.ts'
import { openMysql } from '../mysql/open-mysql.ts'
import { type RightsWatch, startRightsWatch } from '../permissions/rights-watch.ts'
import { openTestDatabase, type TestDatabase } from '../testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../testkit/open-test-redis.ts'
import { waitFor } from '../testkit/wait-for.ts'
import { newId } from '../uuid-v7.ts'
import { type EndedSessions, startEndedSessions } from './ended-sessions.ts'

const logger = createLogger({ level: 'silent', role: 'test' })
let database: TestDatabase
let redis: TestRedis
let liveReader: ReturnType<typeof startLiveReader>
let watch: RightsWatch
const userId = newId()
/** A watch that tells nothing. */
const deaf = { onChange: () => () => {} }

beforeAll(async () => {
  database = await openTestDatabase()
  redis = await openTestRedis()
  liveReader = startLiveReader({ url: redis.liveUrl, redis: redis.live, logger })
  watch = startRightsWatch({ liveReader, access: { flush() {} }, logger })
  const isFollowed = Promise.withResolvers<void>()
  const stop = watch.onChange(() => isFollowed.resolve())
  await isFollowed.promise
  stop()
})
afterAll(async () => {
  await watch[Symbol.asyncDispose]()
  await liveReader[Symbol.asyncDispose]()
  await Promise.all([database[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
})

async function addSession(endedMsAgo: number | null): Promise<string> {
  const id = newId()
  const revokedAt = endedMsAgo === null ? null : new Date(Date.now() - endedMsAgo)
  await database.db.insert(session).values({ id, userId, createdAt: new Date(), revokedAt })
  return id
}
const end = (id: string) =>
  database.db.update(session).set({ revokedAt: new Date() }).where(eq(session.id, id))
const start = (options: Partial<Parameters<typeof startEndedSessions>[0]> = {}) =>
  startEndedSessions({ db: database.db, watch, logger, ...options })
function isLive(sessions: EndedSessions, sessionId: string): boolean {
  const viewer = { kind: 'user', userId, sessionId, expiresAt: Date.now() + 60_000 } as const
  try {
    return sessions.requireLive(viewer) === viewer
  } catch (error) {
    expect(error).toMatchObject({ code: 'UNAUTHENTICATED' })
    return false
  }
}
const publish = (event: { kind: 'session-ended'; sessionId: string } | { kind: 'sessions-ended' }) =>
  createLivePublisher({ redis: redis.live }).publish('revocation', [{ userId, ...event }])

describe('ended sessions', () => {
  it('are those of the database that an access token may outlive, at the start', async () => {
    const [live, recent, old] = [
      await addSession(null),
      await addSession(60_000),
      await addSession(17 * 60_000),
    ]
    await using sessions = await start({ watch: deaf })
    expect([live, recent, old].map(id => isLive(sessions, id))).toEqual([true, false, true])
  })

  it('are told by the watch, one or all of a user, and cost no statement a request', async () => {
    const [first, second, third] = [await addSession(null), await addSession(null), await addSession(null)]
    await using sessions = await start({ refreshIntervalMs: 3_600_000 })
    await end(first)
    await publish({ kind: 'session-ended', sessionId: first })
    await waitFor(() => !isLive(sessions, first), { what: 'the end of one' })
    expect(isLive(sessions, second)).toBe(true)
    await Promise.all([end(second), end(third)])
    await publish({ kind: 'sessions-ended' })
    await waitFor(() => !isLive(sessions, second) && !isLive(sessions, third), { what: 'the end of all' })
    database.statements.length = 0
    for (let i = 0; i < 1_000; i++) isLive(sessions, newId())
    expect(database.statements).toEqual([])
  })

  it('are found without the watch, too', async () => {
    const id = await addSession(null)
    await using sessions = await start({ watch: deaf, refreshIntervalMs: 20 })
    expect(isLive(sessions, id)).toBe(true)
    await end(id)
    await waitFor(() => !isLive(sessions, id), { what: 'the end' })
  })

  it('are bounded: those that ended last stay', async () => {
    // Later than those of the other tests.
    const ids = [await addSession(-1_000), await addSession(-2_000), await addSession(-3_000)]
    await using sessions = await start({ watch: deaf, maxEntries: 2 })
    expect(ids.map(id => isLive(sessions, id))).toEqual([true, false, false])
  })

  it('say nothing of devices', async () => {
    await using sessions = await start({ watch: deaf })
    const viewer = { kind: 'device', deviceId: newId(), spaceId: newId(), expiresAt: 0 } as const
    expect(sessions.requireLive(viewer)).toBe(viewer)
  })

  it('are read from an index', async () => {
    database.statements.length = 0
    await using _ = await start({ watch: deaf })
    const [sql] = database.statements
    const [plan] = await database.pool.query(`EXPLAIN ${sql}`, [new Date(Date.now() - 1_000), 100])
    expect(plan).toEqual([
      expect.objectContaining({ type: 'range', key: 'session_revoked', Extra: 'Using where; Using index' }),
    ])
  })

  it('reject the start when the database does not answer', async () => {
    await using nowhere = openMysql({ url: 'mysql://root@127.0.0.1:1/none' })
    await expect(start({ db: nowhere.db })).rejects.toThrow()
  })
})
