import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { alert } from '../../../schema/mysql/alert-tables.ts'
import { openTestDatabase } from '../../shared/testkit/open-test-database.ts'
import { newId } from '../../shared/uuid-v7.ts'
import { createAlertFixture } from './alert-fixture.ts'
import { listAlerts } from './alert-history.ts'
import {
  countAbsences,
  countRecentAlerts,
  deleteAlertsBelow,
  findAlertsOf,
  findDeviceNames,
  findWaitingDelivery,
  holdUntil,
  isOfflineSince,
  listOverdue,
  listStuckDeliveries,
  lockHeldAlerts,
  noteDelivery,
} from './alert-repository.ts'
import { createRecipients } from './recipients.ts'

const ROWS = 20_000

let database: Awaited<ReturnType<typeof openTestDatabase>>
let one: { spaceId: string; userId: string; subjectId: string; deviceId: string; deliveryId: string }

beforeAll(async () => {
  database = await openTestDatabase()
  const people = await createAlertFixture(database.db)
  for (let i = 0; i < 5; i++) await people.addMember()
  const spaces = Array.from({ length: 20 }, newId)
  const users = Array.from({ length: 20 }, newId)
  const rows = Array.from({ length: ROWS }, (_, index): typeof alert.$inferInsert => ({
    id: newId(),
    spaceId: spaces[index % 20] ?? '',
    userId: users[(index * 7 + Math.floor(index / 20)) % 20] ?? '',
    channel: 'EMAIL',
    kind: index % 5 === 0 ? 'OFFLINE' : 'ANOMALY',
    subjectId: newId(),
    deviceId: newId(),
    severity: 'MAJOR',
    status: index % 50 === 0 ? 'HELD' : index % 50 === 1 ? 'QUEUED' : 'MAILED',
    heldFor: index % 50 === 0 ? 'STORM' : null,
    dueAt: new Date(Date.now() - index * 1000),
    deliveryId: newId(),
    createdAt: new Date(Date.now() - index * 1000),
    doneAt: null,
    attempts: 0,
    lastError: null,
  }))
  for (let from = 0; from < ROWS; from += 1_000)
    await database.db.insert(alert).values(rows.slice(from, from + 1_000))
  await database.pool.query('ANALYZE TABLE alert')
  const { spaceId, userId, subjectId, deviceId, deliveryId } = rows[3] ?? {}
  one = { spaceId, userId, subjectId, deviceId, deliveryId } as typeof one
})

afterAll(async () => {
  await database?.[Symbol.asyncDispose]()
})

describe('each statement of alerts', () => {
  const moment = () => new Date(Date.now() - 60_000)
  const held = () => ({ ...one, channel: 'EMAIL' as const, dueAt: moment() })
  it.each<[string, () => Promise<unknown>]>([
    ['finds what was made of subjects', () => findAlertsOf(database.db, [one.subjectId, newId()])],
    ['counts what is recent', () => countRecentAlerts(database.db, one.spaceId, [one.userId], moment())],
    ['counts absences', () => countAbsences(database.db, [one.deviceId], [one.userId], moment())],
    ['finds names', () => findDeviceNames(database.db, [one.deviceId])],
    ['finds the newest presence', () => isOfflineSince(database.db, one.deviceId, one.subjectId)],
    ['finds a delivery', () => findWaitingDelivery(database.db, one.deliveryId)],
    ['notes a delivery', () => noteDelivery(database.db, one.deliveryId, { status: 'SENT' })],
    ['locks what is held', () => database.db.transaction(tx => lockHeldAlerts(tx, held(), 100))],
    ['puts off what is held', () => holdUntil(database.db, held(), new Date())],
    ['lists what is overdue', () => listOverdue(database.db, new Date(Date.now() - ROWS * 900), 100)],
    [
      'lists what is stuck',
      () => listStuckDeliveries(database.db, { after: '', before: new Date(Date.now() - ROWS * 900) }, 100),
    ],
    ['deletes the oldest', () => deleteAlertsBelow(database.db, '00000000-0000', 100)],
    ['lists a page of one', () => listAlerts(database.db, { ...one, after: null, limit: 51 })],
    [
      'lists a page of all',
      () => listAlerts(database.db, { ...one, userId: null, after: newId(), limit: 51 }),
    ],
    ['finds recipients', () => createRecipients({ pool: database.pool }).of(one.spaceId)],
  ])('goes along an index: it %s', async (_, run) => {
    database.statements.length = 0
    await run()
    const statements = database.statements.filter(sql => /^\s*(select|update|delete)/i.test(sql))
    expect(statements.length).toBeGreaterThan(0)
    for (const sql of statements) {
      const [plan] = await database.pool.query(`EXPLAIN ${sql}`)
      for (const row of plan as { table: string; type: string | null; key: string | null; rows: number }[]) {
        if (row.type === null) continue
        expect(row, sql).not.toMatchObject({ type: 'ALL' })
        expect(Number(row.rows), sql).toBeLessThan(ROWS / 4)
      }
    }
  })
})
