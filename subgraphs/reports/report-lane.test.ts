import type { RowDataPacket } from 'mysql2/promise'
import { expect, it } from 'vitest'
import { openMysql } from '../shared/mysql/open-mysql.ts'
import { openTestDatabase } from '../shared/testkit/open-test-database.ts'
import { waitFor } from '../shared/testkit/wait-for.ts'
import { createReportLane } from './report-lane.ts'
import { openReportsFixture } from './reports-fixture.ts'

const REFUSED = { code: 'UNAVAILABLE', message: expect.stringMatching(/^Too many reports/) }

it('runs so many at once, the others in their order, also behind one that fails', async () => {
  const lane = createReportLane({ maxRunning: 2 })
  const order: string[] = []
  const gates = new Map<string, PromiseWithResolvers<void>>()
  const run = (name: string) => {
    const gate = Promise.withResolvers<void>()
    gates.set(name, gate)
    return lane(async () => {
      order.push(name)
      await gate.promise
      return name
    })
  }
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(run)
  await waitFor(() => order.length === 2)
  expect(order).toEqual(['a', 'b'])
  gates.get('b')?.reject(new Error('broken'))
  await expect(b).rejects.toThrow('broken')
  await waitFor(() => order.length === 3)
  gates.get('a')?.resolve()
  expect(await a).toBe('a')
  await waitFor(() => order.length === 4)
  expect(order).toEqual(['a', 'b', 'c', 'd'])
  for (const gate of gates.values()) gate.resolve()
  expect(await Promise.all([c, d])).toEqual(['c', 'd'])
  expect(await Promise.all(['e', 'f'].map(name => lane(async () => name)))).toEqual(['e', 'f'])
})

it('refuses who would be one more, and who has waited too long, and takes no place for them', async () => {
  const lane = createReportLane({ maxRunning: 1, maxWaiting: 1, waitMs: 50 })
  const gate = Promise.withResolvers<void>()
  const running = lane(() => gate.promise)
  const late = lane(async () => 'late')
  await expect(lane(async () => 'more')).rejects.toMatchObject(REFUSED)
  await expect(late).rejects.toMatchObject(REFUSED)
  gate.resolve()
  await running
  expect(await lane(async () => 'next')).toBe('next')
})

it('leaves connections to others while many reports read long', async () => {
  await using database = await openTestDatabase()
  await using reports = openReportsFixture(database)
  await using locker = openMysql({ url: database.url, poolSize: 1 })
  const { spaceId, member } = await reports.createSpace()
  await locker.pool.query('LOCK TABLES anomaly_rollup_coarse WRITE')
  const report = `anomalyReport(spaceId: "${spaceId}", timezone: "UTC", from: "2026-03-01T00:00:00Z", to: "2026-03-02T00:00:00Z")`
  const aliases = Array.from({ length: 30 }, (_, i) => `r${i}: ${report} { total }`)
  const asked = reports.run(member, `{ ${aliases.join(' ')} }`)
  const countWaiting = async () => {
    const [[row]] = await reports.others.pool.query<RowDataPacket[]>(
      "SELECT COUNT(*) AS total FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND STATE LIKE 'Waiting for table%'",
    )
    return Number(row?.total)
  }
  await waitFor(async () => (await countWaiting()) === 4)
  // The pool of the reports themselves.
  expect((await database.pool.query<RowDataPacket[]>('SELECT 7 AS seven'))[0]).toEqual([{ seven: 7 }])
  expect(await countWaiting()).toBe(4)
  await locker.pool.query('UNLOCK TABLES')
  const { data, errors } = await asked
  expect(errors).toEqual([])
  expect(Object.values(data)).toEqual(Array(30).fill({ total: 0 }))
})
