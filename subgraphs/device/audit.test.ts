import { afterAll, describe, expect, it } from 'vitest'
import { audit, invitation, membership } from '../../schema/mysql/device-tables.ts'
import { openTestDatabase } from '../shared/testkit/open-test-database.ts'
import { openTestRedis } from '../shared/testkit/open-test-redis.ts'
import { newId } from '../shared/uuid-v7.ts'
import { listAudit } from './audit-repository.ts'
import { listOpenInvitations } from './invitation-repository.ts'
import { listMembers } from './member-repository.ts'
import { digestSecret } from './opaque-secret.ts'
import { openSpaceFixture, type Person } from './space-fixture.ts'

const database = await openTestDatabase()
const redis = await openTestRedis()
const fixture = await openSpaceFixture(database, redis)
afterAll(async () => {
  await fixture[Symbol.asyncDispose]()
  await Promise.all([database[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
})
const { db, statements } = database
const { take, createPerson, createTeam, addMember, accounts } = fixture

async function ask(person: Person, source: string, variables: Record<string, unknown> = {}) {
  const { data, errors } = await accounts.device.run(person.viewer, source, variables)
  expect(errors).toEqual([])
  return data
}

const AUDIT = `query ($id: ID!, $first: Int, $after: String) { auditLog(spaceId: $id, first: $first, after: $after) {
  totalCount pageInfo { hasNextPage endCursor }
  nodes { id occurredAt action targetType targetId targetName details actor { id name } } } }`

describe('auditLog', () => {
  it('says who changed what, newest first, page by page', async () => {
    const { OWNER, ADMIN, VIEWER, spaceId } = await createTeam()
    const registered = await take(
      ADMIN,
      'registerDevice',
      { spaceId, code: 'P-1', name: 'Press' },
      'device { id }',
    )
    await take(OWNER, 'updateSpace', { spaceId, name: 'Busan' })
    await take(ADMIN, 'removeMember', { spaceId, userId: VIEWER.userId })
    const first = (await ask(ADMIN, AUDIT, { id: spaceId, first: 2 })).auditLog
    expect(first).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } })
    const after = first.pageInfo.endCursor
    const second = (await ask(ADMIN, AUDIT, { id: spaceId, first: 2, after })).auditLog
    expect(second.pageInfo.hasNextPage).toBe(false)
    const entries = [...first.nodes, ...second.nodes]
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'member.removed',
      'space.updated',
      'device.registered',
    ])
    expect(entries[2]).toEqual({
      id: expect.any(String),
      occurredAt: expect.stringMatching(/Z$/),
      action: 'device.registered',
      targetType: 'device',
      targetId: registered.device.id,
      targetName: 'Press',
      details: { code: 'P-1' },
      actor: { id: ADMIN.userId, name: expect.any(String) },
    })
  })

  it('is for admins and owners', async () => {
    const team = await createTeam()
    const errorsOf = async (person: Person) =>
      (await accounts.device.run(person.viewer, AUDIT, { id: team.spaceId })).errors
    for (const person of [team.OPERATOR, team.VIEWER])
      expect(await errorsOf(person)).toEqual([expect.stringMatching(/^FORBIDDEN/)])
    expect(await errorsOf(await createPerson())).toEqual([expect.stringMatching(/^NOT_FOUND/)])
  })

  it('keeps nothing of what was refused or failed', async () => {
    const { ADMIN, spaceId } = await createTeam()
    const input = { spaceId, code: 'P-1', name: 'Press' }
    await take(ADMIN, 'registerDevice', input)
    await fixture.expectRefused(ADMIN, 'registerDevice', input, ['CONFLICT', 'code'])
    expect(await fixture.auditOf(spaceId)).toHaveLength(1)
  })
})

describe('members, invitations and changes', () => {
  const PEOPLE = `query ($first: Int) { spaces(first: 50) { nodes { id
    members(first: $first) { totalCount nodes { role user { name } } pageInfo { endCursor } }
    invitations(first: $first) { totalCount nodes { email invitedBy { name } } } } } }`

  it('of many spaces take no more statements than those of one', async () => {
    const costOf = async (person: Person, first: number) => {
      statements.length = 0
      const { spaces } = await ask(person, PEOPLE, { first })
      return { spaces: spaces.nodes, cost: statements.length }
    }
    const [one, many] = [await createPerson(), await createPerson()]
    for (const [person, count] of [
      [one, 1],
      [many, 12],
    ] as const) {
      for (let i = 0; i < count; i++) {
        const { space } = await take(
          person,
          'createSpace',
          { name: `S ${i}`, timezone: 'UTC' },
          'space { id }',
        )
        for (let j = 0; j < 3; j++) await addMember(space.id, 'VIEWER')
        const email = `${newId()}@example.com`
        await take(person, 'inviteMember', { spaceId: space.id, email, role: 'VIEWER' })
      }
    }
    // What is remembered from here on is so for both.
    for (const person of [one, many]) await costOf(person, 1)
    const [small, large] = [await costOf(one, 2), await costOf(many, 100)]
    expect(small.spaces[0]).toMatchObject({ members: { totalCount: 4 }, invitations: { totalCount: 1 } })
    expect(small.spaces[0].members.nodes).toHaveLength(2)
    expect(large.spaces).toHaveLength(12)
    for (const space of large.spaces)
      expect(space).toMatchObject({
        members: { nodes: { length: 4 } },
        invitations: { nodes: { length: 1 } },
      })
    // Two lists and their totals, and their people in one statement, or in two when one list comes before the other.
    for (const { cost } of [small, large]) expect([6, 7]).toContain(cost)
  })

  it('come page by page, each once', async () => {
    const { OWNER, spaceId } = await createTeam()
    const emails = ['c', 'a', 'e', 'b', 'd'].map(name => `${name}@example.com`)
    for (const email of emails) {
      await addMember(spaceId, 'VIEWER')
      await take(OWNER, 'inviteMember', { spaceId, email, role: 'VIEWER' })
    }
    const walk = async (field: string, node: string) => {
      const seen: unknown[] = []
      const source = `query ($id: ID!, $after: String) { space(id: $id) {
        list: ${field}(first: 2, after: $after) { nodes { ${node} } pageInfo { hasNextPage endCursor } } } }`
      let page: { hasNextPage: boolean; endCursor: string | null } = { hasNextPage: true, endCursor: null }
      while (page.hasNextPage) {
        const { list } = (await ask(OWNER, source, { id: spaceId, after: page.endCursor })).space
        seen.push(...list.nodes)
        page = list.pageInfo
      }
      return seen
    }
    expect(await walk('invitations', 'email')).toEqual(emails.toSorted().map(email => ({ email })))
    const members = (await walk('members', 'user { id }')) as { user: { id: string } }[]
    const ids = members.map(({ user }) => user.id)
    expect(ids).toHaveLength(9)
    expect(new Set(ids).size).toBe(9)
    expect(ids).toEqual(ids.toSorted())
  })

  it('are read in the order of an index, however many there are', async () => {
    const { spaceId } = await createTeam()
    const now = new Date()
    const later = new Date(now.getTime() + 60_000)
    const spaces = Array.from({ length: 20 }, newId)
    const rows = [spaceId, ...spaces].flatMap(id => Array.from({ length: 50 }, () => id))
    await db
      .insert(membership)
      .values(rows.map(id => ({ spaceId: id, userId: newId(), role: 'VIEWER' as const, joinedAt: now })))
    await db.insert(invitation).values(
      rows.map((id, i) => ({
        id: newId(),
        spaceId: id,
        email: `${i}@example.com`,
        pendingEmail: `${i}@example.com`,
        role: 'VIEWER' as const,
        digest: digestSecret(newId()),
        invitedBy: newId(),
        createdAt: now,
        expiresAt: later,
      })),
    )
    const change = { actorId: null, action: 'x', targetType: 'space', targetId: null }
    await db.insert(audit).values(rows.map(id => ({ ...change, spaceId: id, id: newId() })))
    await database.pool.query('ANALYZE TABLE membership, invitation, audit')
    const middle = newId()
    for (const [read, key, parameters] of [
      [() => listMembers(db, [{ spaceId, afterUserId: middle, limit: 3 }]), 'PRIMARY', [spaceId, middle, 3]],
      [
        () => listOpenInvitations(db, [{ spaceId, afterEmail: '5', limit: 3 }], now),
        'invitation_pending',
        [spaceId, '5', now, 3],
      ],
      [() => listAudit(db, { spaceId, beforeId: middle, limit: 3 }), 'PRIMARY', [spaceId, middle, 3]],
    ] as const) {
      statements.length = 0
      await read()
      const [plan] = await database.pool.query(`EXPLAIN ${statements[0]}`, [...parameters])
      expect(plan).toEqual([expect.objectContaining({ type: 'range', key })])
      expect(JSON.stringify(plan)).not.toMatch(/filesort|temporary/)
    }
  })
})
