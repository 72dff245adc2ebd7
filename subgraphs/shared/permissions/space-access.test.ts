import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { membership, space } from '../../../schema/mysql/device-tables.ts'
import { eq } from '../../../schema/mysql/drizzle.ts'
import { openTestDatabase } from '../testkit/open-test-database.ts'
import { newId } from '../uuid-v7.ts'
import { createSpaceAccess } from './space-access.ts'

const database = await openTestDatabase()
afterAll(() => database[Symbol.asyncDispose]())
const { db, statements } = database
const [ann, bob, factory, site] = [newId(), newId(), newId(), newId()] as const
const joinedAt = new Date()
const toSpace = (id: string) => ({ id, name: 'Factory', timezone: 'UTC', createdAt: joinedAt })
await db.insert(space).values([factory, site].map(toSpace))
await db.insert(membership).values([
  { userId: ann, spaceId: factory, role: 'OWNER', joinedAt },
  { userId: ann, spaceId: site, role: 'VIEWER', joinedAt },
  { userId: bob, spaceId: site, role: 'ADMIN', joinedAt },
])
beforeEach(() => {
  statements.length = 0
})

describe('the access to spaces', () => {
  it('answers many roles with one statement and the same again with none', async () => {
    const access = createSpaceAccess({ db })
    const ask = () =>
      Promise.all([
        access.roleOf(ann, factory),
        access.roleOf(ann, site),
        access.roleOf(bob, factory),
        access.roleOf(bob, site),
        access.roleOf(ann, factory),
      ])
    expect(await ask()).toEqual(['OWNER', 'VIEWER', null, 'ADMIN', 'OWNER'])
    expect(await ask()).toEqual(['OWNER', 'VIEWER', null, 'ADMIN', 'OWNER'])
    expect(statements).toHaveLength(1)
  })

  it('knows no role for what is no id, without a statement', async () => {
    const access = createSpaceAccess({ db })
    expect(await access.roleOf(ann, 'factory')).toBeNull()
    expect(await access.roleOf(`${ann}:`, factory)).toBeNull()
    expect(await access.roleOf(ann, 'é')).toBeNull()
    expect(statements).toEqual([])
  })

  it('knows no role in a deleted space, and none where there is no space', async () => {
    const access = createSpaceAccess({ db })
    const setDeleted = (deletedAt: Date | null) =>
      db.update(space).set({ deletedAt }).where(eq(space.id, factory))
    await setDeleted(new Date())
    expect(await access.roleOf(ann, factory)).toBeNull()
    expect(await access.roleOf(ann, site)).toBe('VIEWER')
    await setDeleted(null)
    access.flush(undefined, factory)
    expect(await access.roleOf(ann, factory)).toBe('OWNER')
    const nowhere = newId()
    await db.insert(membership).values({ userId: ann, spaceId: nowhere, role: 'OWNER', joinedAt })
    expect(await access.roleOf(ann, nowhere)).toBeNull()
  })

  it('forgets what it is told to, and only that', async () => {
    const access = createSpaceAccess({ db })
    const warm = () =>
      Promise.all([access.roleOf(ann, factory), access.roleOf(ann, site), access.roleOf(bob, site)])
    const countAfter = async (flush: () => void) => {
      await warm()
      flush()
      statements.length = 0
      await warm()
      return statements.length
    }
    expect(await countAfter(() => access.flush(newId()))).toBe(0)
    expect(await countAfter(() => access.flush(bob, factory))).toBe(0)
    expect(await countAfter(() => access.flush(bob, site))).toBe(1)
    expect(await countAfter(() => access.flush(undefined, factory))).toBe(1)
    expect(await countAfter(() => access.flush(ann))).toBe(1)
    expect(await countAfter(() => access.flush())).toBe(1)
  })

  it('finds memberships by an index', async () => {
    const access = createSpaceAccess({ db })
    const others = Array.from({ length: 1_000 }, newId)
    await db.insert(space).values(others.map(toSpace))
    await db.insert(membership).values(
      others.map(spaceId => ({
        userId: newId(),
        spaceId,
        role: 'VIEWER' as const,
        joinedAt,
      })),
    )
    statements.length = 0
    await Promise.all([access.roleOf(ann, factory), access.roleOf(ann, site), access.roleOf(bob, site)])
    const [plan] = await database.pool.query(`EXPLAIN ${statements[0]}`, [ann, factory, site, bob, site])
    const steps = plan as { type: string; key: string | null; rows: string }[]
    expect(steps).toHaveLength(2)
    for (const { type, key, rows } of steps) {
      expect(['range', 'ref', 'eq_ref']).toContain(type)
      expect(key).not.toBeNull()
      expect(Number(rows)).toBeLessThanOrEqual(5)
    }
  })
})
