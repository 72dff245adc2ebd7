import type { RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { clip } from '../../../schema/mysql/anomaly-tables.ts'
import { anomalyOccurrence } from '../../../schema/mysql/ingest-tables.ts'
import { ensureWeekPartitions } from '../../shared/mysql/week-partitions.ts'
import { openTestDatabase, type TestDatabase } from '../../shared/testkit/open-test-database.ts'
import { newId, newIdAt } from '../../shared/uuid-v7.ts'
import type { AnomalyClipsRequest } from './clip-list-repository.ts'
import { createClipLoader } from './clip-loaders.ts'

const MINUTE_MS = 60_000
let database: TestDatabase
let spaceId: string
let now: number

beforeAll(async () => {
  database = await openTestDatabase()
  await ensureWeekPartitions(database.pool, { now: Date.now(), retentionDays: 90 })
})
afterAll(() => database[Symbol.asyncDispose]())
beforeEach(() => {
  spaceId = newId()
  now = Date.now()
})

interface Shape {
  readonly occurrences: number
  readonly clipsOfEach?: number
  readonly deviceId?: string
  readonly status?: 'PENDING' | 'READY'
  readonly everyMinutes?: number
}

/** Writes the occurrences of an anomaly, newest last, with clips of each; ids of the clips, newest first. */
async function addAnomaly({ occurrences, clipsOfEach = 1, deviceId = newId(), ...more }: Shape) {
  const { status = 'READY', everyMinutes = 1 } = more
  const eventIds = Array.from({ length: occurrences }, (_, i) =>
    newIdAt(now - (occurrences - i) * everyMinutes * MINUTE_MS),
  )
  const [id = ''] = eventIds
  await database.db.insert(anomalyOccurrence).values(
    eventIds.map(eventId => ({
      ...{ spaceId, id: eventId, deviceId, type: 'heat', severity: 'MINOR' as const, cleared: false },
      ...{ clockReplaced: false, receivedAt: new Date(now), anomalyId: id },
    })),
  )
  const clips = eventIds.flatMap(eventId =>
    Array.from({ length: clipsOfEach }, () => ({
      ...{ id: newId(), spaceId, deviceId, eventId, contentType: 'video/mp4', sizeBytes: 2 ** 29 },
      ...{ durationMs: 1, status, hasPoster: true, createdAt: new Date(now) },
    })),
  )
  if (clips.length > 0) await database.db.insert(clip).values(clips)
  const anomaly = {
    ...{ id, spaceId, deviceId },
    ...{ firstOccurrenceId: id, lastOccurrenceId: eventIds.at(-1) ?? id },
  }
  return { anomaly, clipIds: clips.map(one => one.id).reverse() }
}

async function load(requests: readonly AnomalyClipsRequest[]): Promise<string[][]> {
  const loader = createClipLoader(database.db)
  database.statements.length = 0
  const lists = await Promise.all(requests.map(request => loader.load(request)))
  return lists.map(list => list.map(({ id }) => id))
}

/** The plan of the last statement and the rows that it reads by indexes. */
async function inspect() {
  const [statement = ''] = database.statements
  const connection = await database.pool.getConnection()
  try {
    const [plans] = await connection.query<RowDataPacket[]>(`EXPLAIN PARTITIONS ${statement}`)
    await connection.query('FLUSH STATUS')
    await connection.query(statement)
    const [rows] = await connection.query<RowDataPacket[]>("SHOW SESSION STATUS LIKE 'Handler_read%'")
    const byIndex = rows.filter(row => row.Variable_name !== 'Handler_read_rnd_next')
    return {
      plans: plans.filter(plan => plan.table === 'c' || plan.table === 'o'),
      rowsRead: byIndex.reduce((sum, row) => sum + Number(row.Value), 0),
    }
  } finally {
    connection.release()
  }
}

describe('clips of anomalies', () => {
  it('are those of its occurrences, of the newest first', async () => {
    const { anomaly, clipIds } = await addAnomaly({ occurrences: 3, clipsOfEach: 2 })
    expect(await load([{ anomaly, limit: 100 }])).toEqual([clipIds])
    expect(await load([{ anomaly, limit: 3 }])).toEqual([clipIds.slice(0, 3)])
    const [first] = await createClipLoader(database.db).load({ anomaly, limit: 1 })
    expect(first).toMatchObject({
      ...{ sizeBytes: 2 ** 29, durationMs: 1, hasPoster: true, status: 'READY' },
      ...{ deviceId: anomaly.deviceId, createdAt: new Date(now) },
    })
  })

  it('are neither pending, nor those of other anomalies, devices or spaces', async () => {
    const deviceId = newId()
    await addAnomaly({ occurrences: 5, deviceId })
    await addAnomaly({ occurrences: 5 })
    const pending = await addAnomaly({ occurrences: 5, deviceId, status: 'PENDING' })
    const without = await addAnomaly({ occurrences: 5, deviceId, clipsOfEach: 0 })
    const { anomaly, clipIds } = await addAnomaly({ occurrences: 5, deviceId })
    const ask = (one: typeof anomaly) => ({ anomaly: one, limit: 10 })
    expect(await load([pending.anomaly, without.anomaly, anomaly].map(ask))).toEqual([[], [], clipIds])
    expect(await load([ask({ ...anomaly, spaceId: newId() })])).toEqual([[]])
    expect(await load([ask({ ...anomaly, deviceId: newId() })])).toEqual([[]])
  })

  it('of 100 anomalies take one statement, which reads no more than it answers', async () => {
    const all = await Promise.all(
      Array.from({ length: 100 }, () => addAnomaly({ occurrences: 20, everyMinutes: 60 })),
    )
    const answer = await load(all.map(({ anomaly }) => ({ anomaly, limit: 1 })))
    expect(answer).toEqual(all.map(({ clipIds }) => clipIds.slice(0, 1)))
    expect(database.statements).toHaveLength(1)
    const { plans, rowsRead } = await inspect()
    expect(plans).toHaveLength(200)
    for (const plan of plans) {
      expect(plan.Extra ?? '').not.toMatch(/filesort|temporary/)
      expect([plan.table, plan.type, plan.key]).toEqual(
        plan.table === 'c' ? ['c', 'range', 'clip_event'] : ['o', 'eq_ref', 'PRIMARY'],
      )
      if (plan.table === 'o') expect(plan.partitions.split(',').length).toBeLessThanOrEqual(2)
    }
    expect(rowsRead).toBeLessThan(100 * 5)
  })
})
