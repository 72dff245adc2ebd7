import { expect, it } from 'vitest'
import { invitation, membership, space } from '../../schema/mysql/device-tables.ts'
import { and, eq } from '../../schema/mysql/drizzle.ts'
import { createLogger } from '../shared/logger.ts'
import { openTestDatabase } from '../shared/testkit/open-test-database.ts'
import { openTestRedis } from '../shared/testkit/open-test-redis.ts'
import { newId, newIdAt } from '../shared/uuid-v7.ts'
import { digestSecret } from './opaque-secret.ts'
import { openSpaceFixture } from './space-fixture.ts'
import { startSpaceSweep } from './space-sweep.ts'

const TEAMS = 4
const ROUNDS = 4
const WEEK_MS = 7 * 24 * 60 * 60_000

it('all that people do with spaces at once, while they are swept, is answered, and each keeps an owner', async () => {
  await using database = await openTestDatabase()
  await using redis = await openTestRedis()
  await using fixture = await openSpaceFixture(database, redis)
  const { db } = database
  const logger = createLogger({ level: 'silent', role: 'test' })
  const { accounts, attempt, createTeam, createPerson } = fixture

  for (let round = 0; round < ROUNDS; round++) {
    const teams = await Promise.all(Array.from({ length: TEAMS }, createTeam))
    const guest = await createPerson()
    // Expired long ago: closed by who invites, deleted by who sweeps.
    const expiresAt = new Date(Date.now() - WEEK_MS)
    const old = teams.flatMap(({ spaceId }) =>
      Array.from({ length: 50 }, (_, i) => ({
        id: newIdAt(Date.now() - 2 * WEEK_MS),
        ...{ spaceId, email: `${i}@example.com`, pendingEmail: `${i}@example.com`, role: 'VIEWER' as const },
        digest: digestSecret(newId()),
        ...{ invitedBy: newId(), createdAt: expiresAt, expiresAt },
      })),
    )
    await db.insert(invitation).values(old)
    await using _sweep = startSpaceSweep({ db, logger, intervalMs: 1 })
    await using _other = startSpaceSweep({ db, logger, intervalMs: 1 })

    const acts = teams.flatMap(({ spaceId, OWNER, ADMIN, OPERATOR, VIEWER }, i) => {
      const next = teams[(i + 1) % TEAMS]
      if (next === undefined) throw new Error('no team')
      const joins = async () => {
        const invited = { spaceId, email: guest.email, role: 'VIEWER' }
        await attempt(ADMIN.viewer, 'inviteMember', invited)
        const token = await accounts.newest(guest.email, 'token')
        return attempt(guest.viewer, 'acceptInvitation', { token })
      }
      const invite = { spaceId, email: next.VIEWER.email, role: 'VIEWER' }
      return [
        joins,
        joins,
        () => attempt(OWNER.viewer, 'inviteMember', invite),
        () => attempt(ADMIN.viewer, 'inviteMember', invite),
        () => attempt(OWNER.viewer, 'createSpace', { name: 'More', timezone: 'UTC' }),
        () => attempt(VIEWER.viewer, 'createSpace', { name: 'More', timezone: 'UTC' }),
        () => attempt(OWNER.viewer, 'updateSpace', { spaceId, name: 'Busan' }),
        () => attempt(ADMIN.viewer, 'updateSpace', { spaceId, retentionDays: 7 }),
        () => attempt(OWNER.viewer, 'transferOwnership', { spaceId, userId: ADMIN.userId }),
        () => attempt(OWNER.viewer, 'transferOwnership', { spaceId, userId: VIEWER.userId }),
        () => attempt(ADMIN.viewer, 'removeMember', { spaceId, userId: OPERATOR.userId }),
        () => attempt(OPERATOR.viewer, 'removeMember', { spaceId, userId: OPERATOR.userId }),
        () => attempt(OWNER.viewer, 'removeMember', { spaceId, userId: OWNER.userId }),
        () => attempt(OWNER.viewer, 'updateMemberRole', { spaceId, userId: ADMIN.userId, role: 'VIEWER' }),
        () => attempt(ADMIN.viewer, 'registerDevice', { spaceId, code: 'P-1', name: 'Press' }),
        () => attempt(OWNER.viewer, 'deleteSpace', { spaceId }),
        () => attempt(OWNER.viewer, 'restoreSpace', { spaceId }),
      ]
    })
    const shuffled = acts.map(act => ({ act, order: Math.random() })).sort((a, b) => a.order - b.order)
    const answers = await Promise.all(shuffled.map(({ act }) => act()))
    const unexpected = answers.flatMap(({ errors }) =>
      errors.filter(error => !/^(FORBIDDEN|NOT_FOUND) /.test(error)),
    )
    expect(unexpected).toEqual([])
    const owned = await db
      .selectDistinct({ id: space.id })
      .from(space)
      .innerJoin(membership, and(eq(membership.spaceId, space.id), eq(membership.role, 'OWNER')))
    expect(owned).toHaveLength(await db.$count(space))
  }
}, 30_000)
