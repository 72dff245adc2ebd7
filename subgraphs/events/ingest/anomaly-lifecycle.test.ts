import type { RowDataPacket } from 'mysql2/promise'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AnomalyItem } from '../../../schema/ingest-entry.ts'
import { redisKeys } from '../../../schema/redis-keys.ts'
import { openTestDatabase, type TestDatabase } from '../../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../../shared/testkit/open-test-redis.ts'
import { waitFor } from '../../shared/testkit/wait-for.ts'
import { newId, newIdAt } from '../../shared/uuid-v7.ts'
import { FIND_NEWEST, findResolved } from './anomaly-rows.ts'
import type { Ingest } from './ingest.ts'
import { createIngestFixture, type IngestFixture, LINE_ID, PROCESS_ID } from './ingest-fixture.ts'
import { findRollupFaults } from './rollup-faults.ts'

let database: TestDatabase
let redis: TestRedis
let fixture: IngestFixture
let ingest: Ingest | undefined
let deviceId: string
/** A minute ago: what devices say of before and after it is neither late nor early. */
let start: number
beforeAll(async () => {
  database = await openTestDatabase()
  redis = await openTestRedis()
})
beforeEach(async () => {
  fixture = createIngestFixture(database, redis)
  await redis.ingest.del(redisKeys.deadLetters())
  ingest = await fixture.start()
  deviceId = newId()
  start = Date.now() - 60_000
})
afterEach(async () => {
  await ingest?.[Symbol.asyncDispose]()
  ingest = undefined
})
afterAll(async () => {
  await redis[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

/** An occurrence at so many seconds after the start. */
const at = (second: number, overrides: Partial<AnomalyItem> = {}) =>
  fixture.anomaly(deviceId, { id: newIdAt(start + second * 1_000), ...overrides })
const clearedAt = (second: number, overrides: Partial<AnomalyItem> = {}) =>
  at(second, { cleared: true, ...overrides })

/** Writes bodies, one batch each. */
async function send(...bodies: AnomalyItem[][]): Promise<void> {
  for (const body of bodies) {
    await fixture.append(body)
    await waitFor(() => fixture.isWritten(), { what: 'the end of the log' })
  }
}

async function anomalies(space = fixture.spaceId): Promise<RowDataPacket[]> {
  const [rows] = await database.pool.query<RowDataPacket[]>(
    'SELECT * FROM anomaly WHERE space_id = ? ORDER BY id',
    [space],
  )
  return rows
}

/** Anomaly of each occurrence, in the order of their ids. */
async function joined(): Promise<(string | null)[]> {
  return (await fixture.rows('anomaly_occurrence')).map(row => row.anomaly_id)
}

async function steps(id: string): Promise<string[]> {
  const [rows] = await database.pool.query<RowDataPacket[]>(
    "SELECT step FROM anomaly_comment WHERE anomaly_id = ? AND kind = 'SYSTEM' ORDER BY id",
    [id],
  )
  return rows.map(({ step }) => step)
}

/** Takes a step as people do. */
async function set(id: string, assignments: string): Promise<void> {
  await database.pool.query(`UPDATE anomaly SET ${assignments}, version = version + 1 WHERE id = ?`, [id])
}

describe('an anomaly', () => {
  it('is opened by an occurrence, whole, and has its id', async () => {
    const first = at(0, {
      message: 'Lager heiß 🔥',
      score: 0.5,
      attributes: { axis: 'x' },
      clockReplaced: true,
    })
    await send([first])
    expect(await anomalies()).toMatchObject([
      {
        ...{ id: first.id, device_id: deviceId, line_id: LINE_ID, process_id: PROCESS_ID, type: first.type },
        ...{
          severity: 'MAJOR',
          message: 'Lager heiß 🔥',
          score: 0.5,
          attributes: '{"axis":"x"}',
          clock_replaced: 1,
        },
        ...{
          received_at: new Date(first.receivedAt),
          first_occurrence_id: first.id,
          last_occurrence_id: first.id,
        },
        ...{ occurrences: 1, status: 'OPEN', resolved_at: null, version: 1 },
      },
    ])
    expect(await steps(first.id)).toEqual(['RAISED'])
  })

  it('takes repeats, early and late, becomes as severe as the gravest, and says so once each', async () => {
    const items = [at(10), at(20), at(5, { severity: 'INFO' }), at(30, { severity: 'CRITICAL' }), at(25)]
    await send(...items.map(item => [item]))
    const [first, , early, gravest] = items
    expect(await anomalies()).toMatchObject([
      {
        ...{ id: first?.id, severity: 'CRITICAL', occurrences: 5, version: 5, status: 'OPEN' },
        ...{ first_occurrence_id: early?.id, last_occurrence_id: gravest?.id },
      },
    ])
    expect(new Set(await joined())).toEqual(new Set([first?.id]))
    expect(await steps(first?.id ?? '')).toEqual(['RAISED', 'ESCALATED'])
    const changes = await waitFor(async () => {
      const published = await fixture.published('anomaly')
      return published.length >= 5 ? published : undefined
    })
    expect(changes.map(({ change, anomaly }) => [change, anomaly.version])).toEqual([
      ...[
        ['RAISED', 1],
        ['REPEATED', 2],
        ['REPEATED', 3],
        ['ESCALATED', 4],
        ['REPEATED', 5],
      ],
    ])
  })

  it('stays acknowledged while it repeats and escalates, and is told of once a batch', async () => {
    const first = at(0)
    await send([first])
    await set(first.id, "status = 'ACKNOWLEDGED', acknowledged_at = NOW(3), acknowledged_by = id")
    await send([at(1), at(2, { severity: 'CRITICAL' }), at(3)])
    const [row] = await anomalies()
    expect(row).toMatchObject({
      status: 'ACKNOWLEDGED',
      acknowledged_by: first.id,
      occurrences: 4,
      version: 3,
    })
    const changes = await waitFor(async () => {
      const published = await fixture.published('anomaly')
      return published.length >= 2 ? published : undefined
    })
    expect(changes[1]).toMatchObject({
      change: 'ESCALATED',
      anomaly: {
        status: 'ACKNOWLEDGED',
        acknowledgedBy: first.id,
        acknowledgedAt: row?.acknowledged_at.getTime(),
      },
    })
  })

  it('ends when the device says so, unless it has occurred since, and the next one is another', async () => {
    const [first, repeat, over, next] = [at(0), at(10), clearedAt(20), at(30)]
    const early = clearedAt(5)
    await send([clearedAt(-5)], [first, repeat], [early], [over], [clearedAt(21)], [next])
    expect(await anomalies()).toMatchObject([
      {
        ...{ id: first.id, status: 'RESOLVED', resolved_at: new Date(start + 20_000), resolved_by: null },
        ...{ occurrences: 2, version: 2, last_occurrence_id: repeat.id },
      },
      { id: next.id, status: 'OPEN', occurrences: 1 },
    ])
    // In the order of ids: before, first, early, repeat, over, once more, next.
    expect(await joined()).toEqual([null, first.id, null, first.id, first.id, null, next.id])
    expect(await steps(first.id)).toEqual(['RAISED', 'CLEARED'])
  })

  it('takes what comes late from within its life, and stays resolved', async () => {
    const [first, over, next] = [at(0), clearedAt(20), at(30)]
    const late = at(10, { severity: 'CRITICAL' })
    const onTheEdge = at(20)
    await send([first], [over], [next], [late, onTheEdge])
    expect(await anomalies()).toMatchObject([
      {
        ...{ id: first.id, status: 'RESOLVED', occurrences: 3, severity: 'CRITICAL', version: 3 },
        ...{ last_occurrence_id: onTheEdge.id, resolved_at: new Date(start + 20_000) },
      },
      { id: next.id, status: 'OPEN', occurrences: 1, version: 1 },
    ])
    expect(await findRollupFaults(database.pool, fixture.spaceId)).toEqual([])
  })

  it('that people resolved takes what was on its way then, and what comes after it opens another one', async () => {
    const first = at(0)
    await send([first])
    await set(first.id, "status = 'RESOLVED', resolved_at = NOW(3), resolved_by = id")
    const onItsWay = at(1)
    const next = fixture.anomaly(deviceId, { id: newIdAt(Date.now() + 1_000) })
    await send([onItsWay, next])
    expect(await anomalies()).toMatchObject([
      { id: first.id, status: 'RESOLVED', resolved_by: first.id, occurrences: 2, version: 3 },
      { id: next.id, status: 'OPEN', occurrences: 1 },
    ])
  })

  it('may open, end, and open again within a batch', async () => {
    const items = [at(0), clearedAt(1), at(2), clearedAt(3), at(0.5), at(4)]
    await send(items)
    const [first, , second, , , third] = items
    expect(await anomalies()).toMatchObject([
      { id: first?.id, status: 'RESOLVED', occurrences: 2, version: 1 },
      { id: second?.id, status: 'RESOLVED', occurrences: 1, version: 1 },
      { id: third?.id, status: 'OPEN', occurrences: 1, version: 1 },
    ])
    const changes = await waitFor(async () => {
      const published = await fixture.published('anomaly')
      return published.length > 0 ? published : undefined
    })
    expect(changes.map(({ change, anomaly }) => [change, anomaly.id])).toEqual(
      [first, second, third].map(item => ['RAISED', item?.id]),
    )
    await send([clearedAt(5), at(6), at(7, { type: 'OTHER' })])
    expect(await anomalies()).toMatchObject([
      ...[{ status: 'RESOLVED' }, { status: 'RESOLVED' }, { status: 'RESOLVED', version: 2 }],
      ...[{ status: 'OPEN' }, { status: 'OPEN', type: 'OTHER' }],
    ])
  })

  it('is not changed by what is sent again, or by what another device says with its id', async () => {
    const [first, repeat] = [at(0), at(1)]
    await send([first, repeat], [repeat, first], [first, at(2), repeat])
    const other = fixture.anomaly(newId(), { id: first.id })
    await send([other])
    expect(await anomalies()).toMatchObject([{ id: first.id, occurrences: 3, version: 2 }])
    expect(await fixture.deadLetters()).toHaveLength(1)
  })

  it('keeps its id from a device of another space that uses it too, at once or later', async () => {
    const elsewhere = createIngestFixture(database, redis)
    const stolen = (id: string) => elsewhere.anomaly(newId(), { id })
    const [first, second] = [at(0), at(1, { type: 'OTHER' })]
    const good = elsewhere.anomaly(newId())
    await send([first], [stolen(first.id), good], [second])
    // The same batch: one entry.
    const third = at(2, { type: 'THIRD' })
    await redis.ingest.xadd(redisKeys.ingestLog(0), '*', 'v', JSON.stringify([third, stolen(third.id)]))
    await waitFor(() => fixture.isWritten())
    expect((await anomalies()).map(({ id }) => id)).toEqual([first.id, second.id, third.id])
    expect(await anomalies(elsewhere.spaceId)).toMatchObject([{ id: good.id }])
    expect((await fixture.deadLetters()).map(({ reason }) => reason.split(':')[0])).toEqual([
      'CONFLICT',
      'CONFLICT',
    ])
  })

  it('is of one type whatever the database takes for the same', async () => {
    await send([at(0, { type: 'heat' }), at(1, { type: 'heat  ' })], [at(2, { type: 'heat ' })])
    await send([at(3, { type: 'half \ud800' }), at(4, { type: 'half \ud801' })])
    expect(await anomalies()).toMatchObject([
      { type: 'heat', occurrences: 3 },
      { type: 'half \ufffd', occurrences: 2 },
    ])
  })
})

describe('an anomaly that is reopened while a batch is written', () => {
  it('is joined by what would have opened another one', async () => {
    const [first, over] = [at(0), clearedAt(1)]
    await send([first], [over])
    // Reopened and not yet committed: the batch does not see it, and waits where it would open a second one.
    const person = await database.pool.getConnection()
    await person.beginTransaction()
    await person.query(
      "UPDATE anomaly SET status = 'OPEN', resolved_at = NULL, version = version + 1 WHERE id = ?",
      [first.id],
    )
    const next = at(2)
    await fixture.append([next])
    await waitFor(async () => {
      const [rows] = await person.query<RowDataPacket[]>(
        "SELECT 1 FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND INFO LIKE 'INSERT INTO anomaly (%'",
      )
      return rows.length > 0
    })
    await person.commit()
    person.release()
    await waitFor(() => fixture.isWritten())
    expect(await anomalies()).toMatchObject([{ id: first.id, status: 'OPEN', occurrences: 2, version: 4 }])
    expect(await joined()).toEqual([first.id, first.id, first.id])
  })
})

describe('finding anomalies of a batch', () => {
  it('reads two entries of an index for each kind, and ranges of one for what comes late', async () => {
    const { pool } = database
    await send(
      Array.from({ length: 300 }, (_, i) =>
        at(-i * 2, { type: `T${i % 3}`, cleared: i % 2 === 1 }),
      ).toReversed(),
    )
    await pool.query('ANALYZE TABLE anomaly')
    const [newest] = await pool.query<RowDataPacket[]>(`EXPLAIN ${FIND_NEWEST}`, [
      JSON.stringify([
        [deviceId, 'T0'],
        [deviceId, 'T1'],
      ]),
    ])
    expect(
      newest.filter(row => row.table === 'anomaly').map(({ type, key, Extra }) => [type, key, Extra]),
    ).toEqual([
      ['ref', 'anomaly_kind', 'Using where; Using index'],
      ['eq_ref', 'anomaly_open', 'Using index'],
    ])
    const { sql, values } = findResolved([
      { deviceId, type: 'T0', since: start - 20_000, until: start },
      { deviceId, type: 'T1', since: start - 20_000, until: start },
    ])
    const [late] = await pool.query<RowDataPacket[]>(`EXPLAIN ${sql}`, values)
    expect(late).toMatchObject([{ type: 'range', key: 'anomaly_kind', Extra: 'Using where; Using index' }])
    expect(Number(late[0]?.rows)).toBeLessThan(30)
  })
})
