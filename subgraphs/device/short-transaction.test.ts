import { expect, it } from 'vitest'
import { membership } from '../../schema/mysql/device-tables.ts'
import { and, eq, sql } from '../../schema/mysql/drizzle.ts'
import { runShortTransaction } from '../shared/mysql/short-transaction.ts'
import { openTestDatabase } from '../shared/testkit/open-test-database.ts'
import { waitFor } from '../shared/testkit/wait-for.ts'
import { newId } from '../shared/uuid-v7.ts'
import { insertMember, setMemberRole } from './member-repository.ts'
import { insertSpace, lockSpace } from './space-change-repository.ts'

it('a transaction that the database sacrifices is run again, and another error is not', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  const [spaceId, userId, now] = [newId(), newId(), new Date()]
  const none = { retentionDays: null, createdBy: null, deletedAt: null }
  await insertSpace(db, {
    id: spaceId,
    name: 'Factory',
    timezone: 'UTC',
    createdAt: now,
    version: 1,
    ...none,
  })
  await insertMember(db, { spaceId, userId, role: 'VIEWER', joinedAt: now })
  const isWaiting = async () => {
    const [rows] = await database.pool.query(
      "SELECT 1 FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE 'update `membership`%'",
    )
    return (rows as object[]).length > 0
  }
  let runs = 0
  let sacrificed: Promise<void> | undefined
  await db.transaction(async tx => {
    // What has written more is spared.
    for (let i = 0; i < 50; i++)
      await insertMember(tx, { spaceId, userId: newId(), role: 'VIEWER', joinedAt: now })
    await setMemberRole(tx, { spaceId, userId, role: 'OPERATOR' })
    sacrificed = runShortTransaction(db, async other => {
      runs++
      await lockSpace(other, spaceId)
      await setMemberRole(other, { spaceId, userId, role: 'ADMIN' })
    })
    await waitFor(isWaiting)
    await lockSpace(tx, spaceId)
  })
  await sacrificed
  expect(runs).toBe(2)
  const [row] = await db
    .select({ role: membership.role })
    .from(membership)
    .where(and(eq(membership.spaceId, spaceId), eq(membership.userId, userId)))
  expect(row?.role).toBe('ADMIN')

  const broken = runShortTransaction(db, async tx => {
    runs++
    await tx.execute(sql`SELECT nothing`)
  })
  await expect(broken).rejects.toThrow()
  expect(runs).toBe(3)
})
