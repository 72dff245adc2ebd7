import { afterAll, describe, expect, it } from 'vitest'
import { membership, space } from '../../schema/mysql/device-tables.ts'
import { and, eq } from '../../schema/mysql/drizzle.ts'
import { ROLES, type Role } from '../shared/space-access.ts'
import { openTestDatabase } from '../shared/testkit/open-test-database.ts'
import { openTestRedis } from '../shared/testkit/open-test-redis.ts'
import { newId } from '../shared/uuid-v7.ts'
import { openSpaceFixture } from './space-fixture.ts'

const database = await openTestDatabase()
const redis = await openTestRedis()
const fixture = await openSpaceFixture(database, redis)
afterAll(async () => {
  await fixture[Symbol.asyncDispose]()
  await Promise.all([database[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
})
const { db } = database
const { take, attempt, expectRefused, expectError, createPerson, createTeam, addMember, auditOf, accounts } =
  fixture

async function rolesOf(spaceId: string): Promise<Record<string, Role>> {
  const rows = await db.select().from(membership).where(eq(membership.spaceId, spaceId))
  return Object.fromEntries(rows.map(({ userId, role }) => [userId, role]))
}

const setRole = (spaceId: string, userId: string, role: Role) =>
  db
    .update(membership)
    .set({ role })
    .where(and(eq(membership.spaceId, spaceId), eq(membership.userId, userId)))

const countOwners = async (spaceId: string) =>
  Object.values(await rolesOf(spaceId)).filter(role => role === 'OWNER').length

/** What attempts came to: `done`, the code of a user error, or that of an error. */
const outcomeOf = ({ payload, errors }: Awaited<ReturnType<typeof attempt>>): string =>
  errors[0]?.split(' ')[0] ?? payload.userErrors[0]?.code ?? 'done'

describe('updateMemberRole', () => {
  it('changes a role, at once for this process and for those who listen', async () => {
    const { OWNER, OPERATOR, spaceId } = await createTeam()
    const { userId } = OPERATOR
    expect(await accounts.device.access.roleOf(userId, spaceId)).toBe('OPERATOR')
    await accounts.published()
    const { membership: changed } = await take(
      OWNER,
      'updateMemberRole',
      { spaceId, userId, role: 'ADMIN', expectedRole: 'OPERATOR' },
      'membership { role joinedAt user { id } }',
    )
    expect(changed).toEqual({ role: 'ADMIN', joinedAt: expect.any(String), user: { id: userId } })
    expect(await accounts.device.access.roleOf(userId, spaceId)).toBe('ADMIN')
    expect(await accounts.published()).toEqual([{ kind: 'membership-changed', userId, spaceId }])
    expect(await auditOf(spaceId)).toEqual([
      expect.objectContaining({
        action: 'member.role-changed',
        actorId: OWNER.userId,
        targetId: userId,
        details: { role: { from: 'OPERATOR', to: 'ADMIN' } },
      }),
    ])
    await take(OWNER, 'updateMemberRole', { spaceId, userId, role: 'ADMIN' })
    expect(await auditOf(spaceId)).toHaveLength(1)
    expect(await accounts.published()).toEqual([])
  })

  it('is decided by both roles, for every pair of them', async () => {
    const team = await createTeam()
    const { spaceId } = team
    const allowed: string[] = []
    for (const actor of ROLES) {
      for (const target of ROLES) {
        for (const role of ['ADMIN', 'OPERATOR', 'VIEWER'] as const) {
          const { userId } = await addMember(spaceId, target)
          const outcome = outcomeOf(
            await attempt(team[actor].viewer, 'updateMemberRole', { spaceId, userId, role }),
          )
          expect(['done', 'FORBIDDEN']).toContain(outcome)
          expect((await rolesOf(spaceId))[userId]).toBe(outcome === 'done' ? role : target)
          if (outcome === 'done') allowed.push(`${actor}: ${target} to ${role}`)
        }
      }
    }
    const pairs = (actor: string, roles: string[]) =>
      roles.flatMap(from => roles.map(to => `${actor}: ${from} to ${to}`))
    expect(allowed).toEqual([
      ...pairs('OWNER', ['ADMIN', 'OPERATOR', 'VIEWER']),
      ...pairs('ADMIN', ['OPERATOR', 'VIEWER']),
    ])
  })

  it('lets members take less for themselves, and no more', async () => {
    const { ADMIN, OPERATOR, VIEWER, spaceId } = await createTeam()
    const own = (person: { userId: string }, role: Role) => ({ spaceId, userId: person.userId, role })
    await expectError(OPERATOR.viewer, 'updateMemberRole', own(OPERATOR, 'ADMIN'), 'FORBIDDEN')
    await expectError(VIEWER.viewer, 'updateMemberRole', own(VIEWER, 'OPERATOR'), 'FORBIDDEN')
    await take(OPERATOR, 'updateMemberRole', own(OPERATOR, 'VIEWER'))
    await take(ADMIN, 'updateMemberRole', own(ADMIN, 'OPERATOR'))
    await expectError(ADMIN.viewer, 'updateMemberRole', own(ADMIN, 'ADMIN'), 'FORBIDDEN')
  })

  it('refuses ownership, strangers, and a role that has changed since', async () => {
    const { OWNER, VIEWER, spaceId } = await createTeam()
    const { userId } = VIEWER
    const other = await createTeam()
    const refused = (input: object, code: string, field: string) =>
      expectRefused(OWNER, 'updateMemberRole', { spaceId, userId, role: 'ADMIN', ...input }, [code, field])
    await refused({ role: 'OWNER' }, 'BAD_USER_INPUT', 'role')
    await refused({ expectedRole: 'OPERATOR' }, 'CONFLICT', 'expectedRole')
    for (const id of [newId(), 'x', other.VIEWER.userId]) await refused({ userId: id }, 'NOT_FOUND', 'userId')
    await refused({ userId: OWNER.userId }, 'CONFLICT', 'userId')
    const { errors } = await attempt(OWNER.viewer, 'updateMemberRole', { spaceId, userId, role: 'BOSS' })
    expect(errors).toHaveLength(1)
    await expectError(other.OWNER.viewer, 'updateMemberRole', { spaceId, userId, role: 'ADMIN' }, 'NOT_FOUND')
    expect((await rolesOf(spaceId))[userId]).toBe('VIEWER')
  })

  it('of many at once that expect the same role one is done', async () => {
    const { OWNER, VIEWER, spaceId } = await createTeam()
    const { userId } = VIEWER
    const input = { spaceId, userId, expectedRole: 'VIEWER' }
    const outcomes = await Promise.all(
      ['ADMIN', 'OPERATOR', 'ADMIN', 'OPERATOR'].map(async role =>
        outcomeOf(await attempt(OWNER.viewer, 'updateMemberRole', { ...input, role })),
      ),
    )
    expect(outcomes.sort()).toEqual(['CONFLICT', 'CONFLICT', 'CONFLICT', 'done'])
  })
})

describe('removeMember', () => {
  it('removes a member, who is none at once and whom nobody finds', async () => {
    const { ADMIN, VIEWER, spaceId } = await createTeam()
    const { userId } = VIEWER
    expect(await accounts.device.access.roleOf(userId, spaceId)).toBe('VIEWER')
    await accounts.published()
    const removed = await take(ADMIN, 'removeMember', { spaceId, userId }, 'membership { role user { id } }')
    expect(removed.membership).toEqual({ role: 'VIEWER', user: { id: userId } })
    expect(await accounts.device.access.roleOf(userId, spaceId)).toBeNull()
    expect(await accounts.published()).toEqual([{ kind: 'membership-changed', userId, spaceId }])
    expect(await auditOf(spaceId)).toEqual([
      expect.objectContaining({
        action: 'member.removed',
        targetId: userId,
        details: { role: { from: 'VIEWER', to: null } },
      }),
    ])
    await expectRefused(ADMIN, 'removeMember', { spaceId, userId }, ['NOT_FOUND', 'userId'])
    await expectError(VIEWER.viewer, 'removeMember', { spaceId, userId }, 'NOT_FOUND')
  })

  it('is decided by both roles, for every pair of them, and open to all for themselves', async () => {
    const team = await createTeam()
    const { spaceId } = team
    const allowed: string[] = []
    for (const actor of ROLES) {
      for (const target of ROLES) {
        const { userId } = await addMember(spaceId, target)
        const outcome = outcomeOf(await attempt(team[actor].viewer, 'removeMember', { spaceId, userId }))
        expect(['done', 'FORBIDDEN']).toContain(outcome)
        if (outcome === 'done') allowed.push(`${actor} ${target}`)
      }
    }
    expect(allowed).toEqual([
      'OWNER ADMIN',
      'OWNER OPERATOR',
      'OWNER VIEWER',
      'ADMIN OPERATOR',
      'ADMIN VIEWER',
    ])
    for (const role of ['ADMIN', 'OPERATOR', 'VIEWER'] as const) {
      const { userId } = team[role]
      await take(team[role], 'removeMember', { spaceId, userId })
      expect(await rolesOf(spaceId)).not.toHaveProperty(userId)
    }
    expect((await auditOf(spaceId)).slice(-3).map(({ action }) => action)).toEqual(
      Array(3).fill('member.left'),
    )
  })

  it('takes back what the member had invited', async () => {
    const { OWNER, ADMIN, spaceId } = await createTeam()
    const invite = (person: typeof ADMIN) =>
      take(person, 'inviteMember', { spaceId, email: `${newId()}@example.com`, role: 'VIEWER' })
    await invite(ADMIN)
    await invite(ADMIN)
    await invite(OWNER)
    await take(OWNER, 'removeMember', { spaceId, userId: ADMIN.userId })
    const { data } = await accounts.device.run(
      OWNER.viewer,
      'query ($id: ID!) { space(id: $id) { invitations { totalCount nodes { invitedBy { id } } } } }',
      { id: spaceId },
    )
    expect(data.space.invitations).toEqual({ totalCount: 1, nodes: [{ invitedBy: { id: OWNER.userId } }] })
    expect((await auditOf(spaceId)).at(-1)?.details).toMatchObject({ invitationsRevoked: 2 })
  })
})

describe('the owner of a space', () => {
  it('cannot go or step down while there is no other', async () => {
    const { OWNER, spaceId } = await createTeam()
    const { userId } = OWNER
    await expectRefused(OWNER, 'removeMember', { spaceId, userId }, ['CONFLICT', 'userId'])
    const less = { spaceId, userId, role: 'ADMIN' }
    await expectRefused(OWNER, 'updateMemberRole', less, ['CONFLICT', 'userId'])
    await addMember(spaceId, 'OWNER')
    await take(OWNER, 'updateMemberRole', less)
    expect(await countOwners(spaceId)).toBe(1)
  })

  it('hands it over, and is an admin then', async () => {
    const { OWNER, VIEWER, spaceId } = await createTeam()
    await accounts.published()
    const handed = await take(
      OWNER,
      'transferOwnership',
      { spaceId, userId: VIEWER.userId },
      'space { viewerRole }',
    )
    expect(handed.space).toEqual({ viewerRole: 'ADMIN' })
    expect(await rolesOf(spaceId)).toMatchObject({ [OWNER.userId]: 'ADMIN', [VIEWER.userId]: 'OWNER' })
    expect(await accounts.published()).toEqual(
      [VIEWER, OWNER].map(({ userId }) => ({ kind: 'membership-changed', userId, spaceId })),
    )
    expect(await auditOf(spaceId)).toEqual([
      expect.objectContaining({
        action: 'ownership.transferred',
        details: {
          owner: { from: OWNER.userId, to: VIEWER.userId },
          role: { from: 'VIEWER', to: 'OWNER' },
        },
      }),
    ])
  })

  it('cannot have admins come who were invited before it was handed over', async () => {
    const { OWNER, VIEWER, spaceId } = await createTeam()
    for (const role of ['ADMIN', 'OPERATOR'])
      await take(OWNER, 'inviteMember', { spaceId, email: `${newId()}@example.com`, role })
    await take(OWNER, 'transferOwnership', { spaceId, userId: VIEWER.userId })
    const { data } = await accounts.device.run(
      VIEWER.viewer,
      'query ($id: ID!) { space(id: $id) { invitations { nodes { role } } } }',
      { id: spaceId },
    )
    expect(data.space.invitations.nodes).toEqual([{ role: 'OPERATOR' }])
    expect((await auditOf(spaceId)).at(-1)?.details).toMatchObject({ invitationsRevoked: 1 })
  })

  it('hands it over to members alone, and only the owner does', async () => {
    const { OWNER, ADMIN, VIEWER, spaceId } = await createTeam()
    const refused = (userId: string, code: string) =>
      expectRefused(OWNER, 'transferOwnership', { spaceId, userId }, [code, 'userId'])
    for (const userId of [newId(), 'x', (await createPerson()).userId]) await refused(userId, 'NOT_FOUND')
    await refused(OWNER.userId, 'BAD_USER_INPUT')
    await refused((await addMember(spaceId, 'OWNER')).userId, 'CONFLICT')
    for (const { viewer, userId } of [ADMIN, VIEWER])
      await expectError(viewer, 'transferOwnership', { spaceId, userId }, 'FORBIDDEN')
  })

  it('is not somebody who owns as many spaces as a person may', async () => {
    const { OWNER, VIEWER, spaceId } = await createTeam()
    const rows = Array.from({ length: 50 }, () => ({ id: newId(), name: 'x', timezone: 'UTC' }))
    const joinedAt = new Date()
    await db.insert(space).values(rows.map(row => ({ ...row, createdAt: joinedAt })))
    await db
      .insert(membership)
      .values(
        rows.map(({ id }) => ({ spaceId: id, userId: VIEWER.userId, role: 'OWNER' as const, joinedAt })),
      )
    await expectRefused(OWNER, 'transferOwnership', { spaceId, userId: VIEWER.userId }, [
      'LIMIT_REACHED',
      'userId',
    ])
  })

  it('is there whatever is done at once', async () => {
    for (let round = 0; round < 8; round++) {
      const { OWNER, ADMIN, spaceId } = await createTeam()
      const second = await addMember(spaceId, 'OWNER')
      const viewers = await Promise.all([addMember(spaceId, 'VIEWER'), addMember(spaceId, 'VIEWER')])
      const outcomes = await Promise.all([
        attempt(OWNER.viewer, 'removeMember', { spaceId, userId: OWNER.userId }),
        attempt(second.viewer, 'removeMember', { spaceId, userId: second.userId }),
        attempt(OWNER.viewer, 'updateMemberRole', { spaceId, userId: OWNER.userId, role: 'VIEWER' }),
        attempt(second.viewer, 'updateMemberRole', { spaceId, userId: second.userId, role: 'ADMIN' }),
        ...viewers.map(({ userId }) => attempt(OWNER.viewer, 'transferOwnership', { spaceId, userId })),
        ...viewers.map(({ userId }) => attempt(ADMIN.viewer, 'removeMember', { spaceId, userId })),
      ])
      const known = ['done', 'CONFLICT', 'FORBIDDEN', 'NOT_FOUND']
      for (const outcome of outcomes) expect(known).toContain(outcomeOf(outcome))
      expect(await countOwners(spaceId)).toBeGreaterThanOrEqual(1)
    }
  })

  it('is one of two who hand it over and leave at once', async () => {
    const { OWNER, ADMIN, spaceId } = await createTeam()
    await setRole(spaceId, ADMIN.userId, 'OWNER')
    const outcomes = await Promise.all(
      [OWNER, ADMIN].map(async ({ viewer, userId }) =>
        outcomeOf(await attempt(viewer, 'removeMember', { spaceId, userId })),
      ),
    )
    expect(outcomes.sort()).toEqual(['CONFLICT', 'done'])
    expect(await countOwners(spaceId)).toBe(1)
  })
})
