import { afterAll, expect, it } from 'vitest'
import { device, invitation, line, membership, process, space } from '../../schema/mysql/device-tables.ts'
import { eq, inArray } from '../../schema/mysql/drizzle.ts'
import { createLogger } from '../shared/logger.ts'
import { openTestDatabase } from '../shared/testkit/open-test-database.ts'
import { openTestRedis } from '../shared/testkit/open-test-redis.ts'
import { waitFor } from '../shared/testkit/wait-for.ts'
import { newId, newIdAt } from '../shared/uuid-v7.ts'
import { openSpaceFixture } from './space-fixture.ts'
import { startSpaceSweep } from './space-sweep.ts'

const database = await openTestDatabase()
const redis = await openTestRedis()
const fixture = await openSpaceFixture(database, redis)
const logger = createLogger({ level: 'silent', role: 'test' })
afterAll(async () => {
  await fixture[Symbol.asyncDispose]()
  await Promise.all([database[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
})
const { db } = database

const HOUR_MS = 60 * 60_000
const WEEK_MS = 7 * 24 * HOUR_MS

async function createFactory(deletedAgoMs: number | null, size: { lines: number; devices: number }) {
  const owner = await fixture.createPerson()
  const { spaceId } = await fixture.accounts.device.createSpace({ ...size, owner: owner.viewer })
  const invited = { spaceId, email: `${newId()}@example.com`, role: 'VIEWER' }
  await fixture.take(owner, 'inviteMember', invited)
  if (deletedAgoMs !== null)
    await db
      .update(space)
      .set({ deletedAt: new Date(Date.now() - deletedAgoMs) })
      .where(eq(space.id, spaceId))
  return spaceId
}

async function contentsOf(spaceId: string) {
  const [spaces, members, invitations, lines, processes, devices, kept, changes] = await Promise.all([
    db.$count(space, eq(space.id, spaceId)),
    db.$count(membership, eq(membership.spaceId, spaceId)),
    db.$count(invitation, eq(invitation.spaceId, spaceId)),
    db.$count(line, eq(line.spaceId, spaceId)),
    db.$count(process, eq(process.spaceId, spaceId)),
    db.$count(device, eq(device.spaceId, spaceId)),
    db.select({ removed: device.removed }).from(device).where(eq(device.spaceId, spaceId)),
    fixture.auditOf(spaceId),
  ])
  const removed = kept.filter(row => row.removed).length
  return { spaces, members, invitations, lines, processes, devices, removed, changes: changes.length }
}

it('spaces that nobody can restore any more go for good, by several sweeps at once; others stay whole', async () => {
  const size = { lines: 3, devices: 1_500 }
  const gone = await createFactory(WEEK_MS + 2 * HOUR_MS, size)
  const alsoGone = await createFactory(52 * WEEK_MS, { lines: 0, devices: 0 })
  const restorable = await createFactory(WEEK_MS - HOUR_MS, { lines: 1, devices: 2 })
  const live = await createFactory(null, { lines: 1, devices: 2 })
  const old = { id: newIdAt(Date.now() - 2 * WEEK_MS), spaceId: live, email: 'kim@example.com' }
  await db.insert(invitation).values({
    ...old,
    role: 'VIEWER',
    digest: Buffer.alloc(32),
    invitedBy: newId(),
    createdAt: new Date(),
    expiresAt: new Date(),
  })
  {
    await using _first = startSpaceSweep({ db, logger })
    await using _second = startSpaceSweep({ db, logger })
    await waitFor(async () => (await db.$count(space, inArray(space.id, [gone, alsoGone]))) === 0)
    await waitFor(async () => (await db.$count(invitation, eq(invitation.id, old.id))) === 0)
  }
  const nothing = { spaces: 0, members: 0, invitations: 0, lines: 0, processes: 0, changes: 0 }
  expect(await contentsOf(gone)).toEqual({ ...nothing, devices: 1_500, removed: 1_500 })
  expect(await contentsOf(alsoGone)).toEqual({ ...nothing, devices: 0, removed: 0 })
  const whole = {
    spaces: 1,
    members: 1,
    invitations: 1,
    lines: 1,
    processes: 1,
    devices: 2,
    removed: 0,
    changes: 1,
  }
  expect(await contentsOf(restorable)).toEqual(whole)
  expect(await contentsOf(live)).toEqual(whole)
})

it('sweeps again after a failure', async () => {
  const gone = await createFactory(2 * WEEK_MS, { lines: 0, devices: 0 })
  const broken = new Set(['once'])
  const failing = new Proxy(db, {
    get: (target, key, receiver) => {
      if (broken.delete('once')) throw new Error('The database is away.')
      return Reflect.get(target, key, receiver)
    },
  })
  await using _sweep = startSpaceSweep({ db: failing, logger, intervalMs: 5 })
  await waitFor(async () => (await db.$count(space, eq(space.id, gone))) === 0)
  expect(broken.size).toBe(0)
})
