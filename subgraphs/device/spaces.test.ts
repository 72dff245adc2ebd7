import { afterAll, describe, expect, it } from 'vitest'
import { membership, space } from '../../schema/mysql/device-tables.ts'
import { eq } from '../../schema/mysql/drizzle.ts'
import { openTestDatabase } from '../shared/testkit/open-test-database.ts'
import { openTestRedis } from '../shared/testkit/open-test-redis.ts'
import { newId } from '../shared/uuid-v7.ts'
import { asDevice } from './device-fixture.ts'
import { openSpaceFixture, type Person } from './space-fixture.ts'

const database = await openTestDatabase()
const redis = await openTestRedis()
const fixture = await openSpaceFixture(database, redis)
afterAll(async () => {
  await fixture[Symbol.asyncDispose]()
  await Promise.all([database[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
})
const { db } = database
const { take, expectRefused, expectError, createPerson, createTeam, addMember, auditOf, accounts } = fixture

const FACTORY = { name: ' Ulsan  plant ', timezone: 'asia/seoul' }
const BAD = 'BAD_USER_INPUT'

async function rowOf(spaceId: string) {
  const [row] = await db.select().from(space).where(eq(space.id, spaceId))
  return row
}

/** What a query answers, and its errors. */
const ask = (person: Person, source: string, variables?: Record<string, unknown>) =>
  accounts.device.run(person.viewer, source, variables)

describe('createSpace', () => {
  it('makes a space that the caller owns and finds at once', async () => {
    const person = await createPerson()
    await accounts.published()
    const { space: made } = await take(
      person,
      'createSpace',
      FACTORY,
      'space { id name timezone viewerRole version retentionDays deletedAt members { nodes { user { id } role } } }',
    )
    expect(made).toEqual({
      id: expect.any(String),
      name: 'Ulsan plant',
      timezone: 'Asia/Seoul',
      viewerRole: 'OWNER',
      version: 1,
      retentionDays: null,
      deletedAt: null,
      members: { nodes: [{ user: { id: person.userId }, role: 'OWNER' }] },
    })
    const { data } = await ask(person, '{ spaces { nodes { id } } }')
    expect(data.spaces.nodes).toEqual([{ id: made.id }])
    expect(await accounts.published()).toEqual([
      { kind: 'membership-changed', userId: person.userId, spaceId: made.id },
    ])
    expect(await auditOf(made.id)).toEqual([
      expect.objectContaining({ action: 'space.created', actorId: person.userId, targetName: 'Ulsan plant' }),
    ])
  })

  it('refuses names and zones that cannot be, all at once, and who has proven no address', async () => {
    const person = await createPerson()
    const bad = { name: 'a\u202eb', timezone: 'KST+9' }
    await expectRefused(person, 'createSpace', bad, [BAD, 'name'], [BAD, 'timezone'])
    await expectRefused(person, 'createSpace', { ...FACTORY, name: ' ' }, [BAD, 'name'])
    await expectRefused(person, 'createSpace', { ...FACTORY, timezone: '' }, [BAD, 'timezone'])
    const unproven = await createPerson({ isProven: false })
    await expectRefused(unproven, 'createSpace', FACTORY, ['EMAIL_NOT_VERIFIED', null])
    expect(await db.$count(membership, eq(membership.userId, person.userId))).toBe(0)
  })

  it('is for people', async () => {
    await expectError(null, 'createSpace', FACTORY, 'UNAUTHENTICATED')
    await expectError(asDevice({ id: newId(), spaceId: newId() }), 'createSpace', FACTORY, 'FORBIDDEN')
  })

  it('lets a person own 50, however many they make at once, deleted ones among them', async () => {
    const person = await createPerson()
    const rows = Array.from({ length: 47 }, (_, i) => ({ id: newId(), name: `S ${i}`, timezone: 'UTC' }))
    const joinedAt = new Date()
    await db.insert(space).values(rows.map(row => ({ ...row, createdAt: joinedAt, deletedAt: joinedAt })))
    await db
      .insert(membership)
      .values(
        rows.map(({ id }) => ({ spaceId: id, userId: person.userId, role: 'OWNER' as const, joinedAt })),
      )
    const attempts = await Promise.all(
      Array.from({ length: 8 }, () => fixture.attempt(person.viewer, 'createSpace', FACTORY)),
    )
    const codes = attempts.map(({ payload }) => payload.userErrors[0]?.code ?? 'made').sort()
    expect(codes).toEqual([...Array(5).fill('LIMIT_REACHED'), 'made', 'made', 'made'])
  })
})

describe('updateSpace', () => {
  it('changes what is given and keeps what was', async () => {
    const { OWNER, ADMIN, spaceId } = await createTeam()
    const selection = 'space { name timezone retentionDays version }'
    const renamed = await take(OWNER, 'updateSpace', { spaceId, name: 'Busan', version: 1 }, selection)
    expect(renamed.space).toEqual({ name: 'Busan', timezone: 'Asia/Seoul', retentionDays: null, version: 2 })
    const kept = await take(ADMIN, 'updateSpace', { spaceId, retentionDays: 30 }, selection)
    expect(kept.space).toEqual({ name: 'Busan', timezone: 'Asia/Seoul', retentionDays: 30, version: 3 })
    await take(ADMIN, 'updateSpace', { spaceId, retentionDays: null })
    await take(OWNER, 'updateSpace', { spaceId, name: 'Busan', timezone: 'UTC' })
    expect(await rowOf(spaceId)).toMatchObject({
      name: 'Busan',
      timezone: 'UTC',
      retentionDays: null,
      version: 5,
    })
    expect(
      (await auditOf(spaceId)).map(({ action, actorId, details }) => [action, actorId, details]),
    ).toEqual([
      ['space.updated', OWNER.userId, { name: { from: 'Factory', to: 'Busan' } }],
      ['space.updated', ADMIN.userId, { retentionDays: { from: null, to: 30 } }],
      ['space.updated', ADMIN.userId, { retentionDays: { from: 30, to: null } }],
      ['space.updated', OWNER.userId, { timezone: { from: 'Asia/Seoul', to: 'UTC' } }],
    ])
    await take(OWNER, 'updateSpace', { spaceId, name: 'Busan' })
    expect(await auditOf(spaceId)).toHaveLength(4)
  })

  it('lets one of many edits of a version be, and tells the others', async () => {
    const { OWNER, spaceId } = await createTeam()
    const attempts = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map(name =>
        fixture.attempt(OWNER.viewer, 'updateSpace', { spaceId, name, version: 1 }, 'space { name }'),
      ),
    )
    const won = attempts.filter(({ payload }) => payload.userErrors.length === 0)
    expect(won).toHaveLength(1)
    expect(await rowOf(spaceId)).toMatchObject({ name: won[0]?.payload.space.name, version: 2 })
    const codes = attempts.flatMap(({ payload }) => payload.userErrors.map((e: { code: string }) => e.code))
    expect(codes).toEqual(Array(4).fill('CONFLICT'))
  })

  it('refuses what cannot be, and changes nothing', async () => {
    const { OWNER, spaceId } = await createTeam()
    const before = await rowOf(spaceId)
    const refused = (input: object, ...errors: [string, string | null][]) =>
      expectRefused(OWNER, 'updateSpace', { spaceId, ...input }, ...errors)
    await refused({}, [BAD, null])
    await refused({ name: null, timezone: null, version: 1 }, [BAD, null])
    for (const retentionDays of [0, -1, 91, 2_147_483_647])
      await refused(
        { name: '', timezone: 'x', retentionDays },
        [BAD, 'name'],
        [BAD, 'timezone'],
        [BAD, 'retentionDays'],
      )
    await refused({ name: 'Busan', version: 2 }, ['CONFLICT', 'version'])
    expect(await rowOf(spaceId)).toEqual(before)
  })

  it('is for owners; retention alone for admins too', async () => {
    const { ADMIN, OPERATOR, VIEWER, spaceId } = await createTeam()
    const [name, retention] = [
      { spaceId, name: 'x' },
      { spaceId, retentionDays: 1 },
    ]
    await expectError(ADMIN.viewer, 'updateSpace', name, 'FORBIDDEN')
    await expectError(ADMIN.viewer, 'updateSpace', { ...retention, timezone: 'UTC' }, 'FORBIDDEN')
    for (const { viewer } of [OPERATOR, VIEWER]) {
      await expectError(viewer, 'updateSpace', name, 'FORBIDDEN')
      await expectError(viewer, 'updateSpace', retention, 'FORBIDDEN')
    }
    const { viewer } = await createPerson()
    await expectError(viewer, 'updateSpace', retention, 'NOT_FOUND')
    await expectError(viewer, 'updateSpace', { spaceId: "' OR 1=1", name: 'x' }, 'NOT_FOUND')
    await expectError(null, 'updateSpace', name, 'UNAUTHENTICATED')
  })

  it('goes by the rows, not by a role that was remembered', async () => {
    const { OWNER, spaceId } = await createTeam()
    await accounts.device.access.roleOf(OWNER.userId, spaceId)
    await db.update(membership).set({ role: 'VIEWER' }).where(eq(membership.userId, OWNER.userId))
    await expectError(OWNER.viewer, 'updateSpace', { spaceId, name: 'x' }, 'FORBIDDEN')
    await db.delete(membership).where(eq(membership.userId, OWNER.userId))
    await expectError(OWNER.viewer, 'updateSpace', { spaceId, name: 'x' }, 'NOT_FOUND')
  })
})

const REACH = `query ($id: ID!, $device: ID!) { spaces { totalCount nodes { id } } space(id: $id) { id }
  device(id: $device) { id } deviceByCode(spaceId: $id, code: "D-000") { id } }`

describe('deleteSpace and restoreSpace', () => {
  async function createFactory() {
    const owner = await createPerson()
    const factory = await accounts.device.createSpace({ lines: 1, devices: 1, owner: owner.viewer })
    const admin = await addMember(factory.spaceId, 'ADMIN')
    const device = factory.devices[0]
    if (device === undefined) throw new Error('no device')
    const reach = { id: factory.spaceId, device: device.id }
    return { owner, admin, spaceId: factory.spaceId, device, reach }
  }
  const NOTHING = { spaces: { totalCount: 0, nodes: [] }, space: null, device: null, deviceByCode: null }

  it('a deleted space is out of everyone’s reach, and back as it was when its owner restores it', async () => {
    const { owner, admin, spaceId, device, reach } = await createFactory()
    const [deviceViewer, people] = [asDevice(device), [owner, admin]]
    const DEVICE = 'query ($device: ID!) { device(id: $device) { space { id } } }'
    for (const person of people) expect((await ask(person, REACH, reach)).data).not.toEqual(NOTHING)
    expect((await accounts.device.run(deviceViewer, DEVICE, reach)).data.device).toEqual({
      space: { id: spaceId },
    })

    await accounts.published()
    const { space: deleted } = await take(
      owner,
      'deleteSpace',
      { spaceId },
      'space { id name deletedAt viewerRole version }',
    )
    expect(deleted).toMatchObject({ id: spaceId, viewerRole: null, version: 2 })
    expect(Date.parse(deleted.deletedAt)).toBeGreaterThan(Date.now() - 60_000)
    for (const person of people) {
      expect((await ask(person, REACH, reach)).data).toEqual(NOTHING)
      for (const [name, input] of [
        ['updateSpace', { spaceId, name: 'x' }],
        ['deleteSpace', { spaceId }],
        ['inviteMember', { spaceId, email: 'kim@example.com', role: 'VIEWER' }],
        ['removeMember', { spaceId, userId: person.userId }],
        ['registerDevice', { spaceId, code: 'x', name: 'x' }],
      ] as const)
        await expectError(person.viewer, name, input, 'NOT_FOUND')
      const { errors } = await ask(
        person,
        'query ($id: ID!) { auditLog(spaceId: $id) { nodes { id } } }',
        reach,
      )
      expect(errors).toEqual([expect.stringMatching(/^NOT_FOUND/)])
    }
    expect((await accounts.device.run(deviceViewer, DEVICE, reach)).data.device).toBeNull()
    await expectError(admin.viewer, 'restoreSpace', { spaceId }, 'NOT_FOUND')
    expect((await ask(admin, '{ deletedSpaces { id } }')).data.deletedSpaces).toEqual([])
    expect((await ask(owner, '{ deletedSpaces { id name } }')).data.deletedSpaces).toEqual([
      { id: spaceId, name: 'Factory' },
    ])

    await take(owner, 'restoreSpace', { spaceId }, 'space { viewerRole deletedAt devices { nodes { id } } }')
    for (const person of people)
      expect((await ask(person, REACH, reach)).data).toEqual({
        spaces: { totalCount: 1, nodes: [{ id: spaceId }] },
        space: { id: spaceId },
        device: { id: device.id },
        deviceByCode: { id: device.id },
      })
    expect(await accounts.published()).toEqual(Array(2).fill({ kind: 'space-changed', spaceId }))
    expect((await auditOf(spaceId)).map(({ action }) => action)).toEqual(['space.deleted', 'space.restored'])
  })

  it('what is in a deleted space is not told to who deletes it', async () => {
    const { owner, spaceId } = await createFactory()
    const IN_IT = [
      'lines { id }',
      'devices { nodes { id } }',
      'members { nodes { role } }',
      'deviceCounts { total }',
    ]
    for (const field of IN_IT) {
      const { errors } = await fixture.attempt(owner.viewer, 'deleteSpace', { spaceId }, `space { ${field} }`)
      expect(errors).toEqual([expect.stringMatching(/^NOT_FOUND/)])
      await take(owner, 'restoreSpace', { spaceId })
    }
  })

  it('deleting is for owners, restoring for 7 days, and each happens once', async () => {
    const { owner, admin, spaceId } = await createFactory()
    await expectError(admin.viewer, 'deleteSpace', { spaceId }, 'FORBIDDEN')
    await expectRefused(owner, 'restoreSpace', { spaceId }, ['CONFLICT', 'spaceId'])
    for (const id of [newId(), 'x'])
      await expectError(owner.viewer, 'restoreSpace', { spaceId: id }, 'NOT_FOUND')
    await expectError((await createPerson()).viewer, 'restoreSpace', { spaceId }, 'NOT_FOUND')

    const deletes = await Promise.all(
      Array.from({ length: 4 }, () => fixture.attempt(owner.viewer, 'deleteSpace', { spaceId })),
    )
    expect(deletes.filter(({ errors }) => errors.length === 0)).toHaveLength(1)
    const daysAgo = (days: number) => ({ deletedAt: new Date(Date.now() - days * 24 * 60 * 60_000) })
    await db.update(space).set(daysAgo(7.01)).where(eq(space.id, spaceId))
    await expectError(owner.viewer, 'restoreSpace', { spaceId }, 'NOT_FOUND')
    expect((await ask(owner, '{ deletedSpaces { id } }')).data.deletedSpaces).toEqual([])
    await db.update(space).set(daysAgo(6.99)).where(eq(space.id, spaceId))
    await take(owner, 'restoreSpace', { spaceId })
  })
})
