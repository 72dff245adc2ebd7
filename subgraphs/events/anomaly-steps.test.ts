import type { RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AnomalyState } from '../../schema/live-event.ts'
import type { UserViewer, Viewer } from '../shared/auth/viewer.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../shared/testkit/open-test-redis.ts'
import { newId, newIdAt } from '../shared/uuid-v7.ts'
import { asUser, type EventsFixture, makeAnomaly, openEventsFixture } from './events-fixture.ts'

const ANSWER = `anomaly { id status version acknowledgedAt acknowledgedBy { id } resolvedAt resolvedBy { id }
  comments { nodes { kind step body author { id } } totalCount } }
  conflict { anomalyId status at by { id } anomaly { id status } } userErrors { code message field }`
const step = (name: string) => `mutation ($input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) {
  ${name}(input: $input) { ${ANSWER} }
}`
const [ACKNOWLEDGE, RESOLVE, REOPEN] = ['acknowledgeAnomaly', 'resolveAnomaly', 'reopenAnomaly'].map(
  step,
) as [string, string, string]
const ACKNOWLEDGE_MANY = `mutation ($input: AcknowledgeAnomaliesInput!) { acknowledgeAnomalies(input: $input) {
  anomalies { id } conflicts { anomalyId by { id } } userErrors { code message field }
} }`

let database: TestDatabase
let redis: TestRedis
let events: EventsFixture
let space: { spaceId: string; deviceIds: string[]; member: Viewer }
let kim: UserViewer
let lee: UserViewer

beforeAll(async () => {
  database = await openTestDatabase()
  redis = await openTestRedis()
  events = openEventsFixture(database, redis)
})
afterAll(async () => {
  await events[Symbol.asyncDispose]()
  await Promise.all([database[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
})
beforeEach(async () => {
  space = await events.createSpace(1)
  kim = await events.addMember(space.spaceId, 'OPERATOR', 'Kim')
  lee = await events.addMember(space.spaceId, 'ADMIN', 'Lee')
})

async function raise(fields: Partial<AnomalyState> = {}): Promise<AnomalyState> {
  const { spaceId, deviceIds } = space
  const type = `T-${newId()}`
  const anomaly = makeAnomaly({ spaceId, deviceId: deviceIds[0] ?? '', type, ...fields }, Date.now())
  await events.insertAnomalies([anomaly])
  return anomaly
}

async function take(viewer: Viewer | null, source: string, input: object, at = events) {
  const { data, errors } = await at.run(viewer, source, { input })
  return errors.length > 0 ? errors : Object.values(data as object)[0]
}

describe('a step of an anomaly', () => {
  it('is taken by the first, and tells the second who that was and when', async () => {
    const { id } = await raise()
    const first = await take(kim, ACKNOWLEDGE, { anomalyId: id })
    expect(first.userErrors).toEqual([])
    expect(first.anomaly).toMatchObject({
      ...{ id, status: 'ACKNOWLEDGED', version: 2, acknowledgedBy: { id: kim.userId } },
      comments: {
        nodes: [{ kind: 'SYSTEM', step: 'ACKNOWLEDGED', body: 'Acknowledged.', author: { id: kim.userId } }],
        totalCount: 1,
      },
    })
    const at = first.anomaly.acknowledgedAt
    expect(await take(lee, ACKNOWLEDGE, { anomalyId: id })).toEqual({
      anomaly: null,
      conflict: {
        ...{ anomalyId: id, status: 'ACKNOWLEDGED', at, by: { id: kim.userId } },
        anomaly: { id, status: 'ACKNOWLEDGED' },
      },
      userErrors: [{ code: 'CONFLICT', message: `Acknowledged by Kim at ${at}.`, field: 'anomalyId' }],
    })
    const again = await take(kim, ACKNOWLEDGE, { anomalyId: id })
    expect(again.userErrors[0].message).toBe(`Acknowledged by you at ${at}.`)
  })

  it('resolves with a comment, and reopens as if nobody had taken care', async () => {
    const { id } = await raise()
    await take(kim, ACKNOWLEDGE, { anomalyId: id })
    const resolved = await take(lee, RESOLVE, { anomalyId: id, comment: '  Cleaned.\r\nTwice.  ' })
    expect(resolved.anomaly).toMatchObject({ status: 'RESOLVED', resolvedBy: { id: lee.userId }, version: 3 })
    expect(resolved.anomaly.comments.nodes.slice(1)).toEqual([
      { kind: 'USER', step: null, body: 'Cleaned.\nTwice.', author: { id: lee.userId } },
      { kind: 'SYSTEM', step: 'RESOLVED', body: 'Resolved.', author: { id: lee.userId } },
    ])
    const late = await take(kim, ACKNOWLEDGE, { anomalyId: id })
    expect(late.userErrors[0].message).toMatch(/^Resolved by Lee at /)
    const reopened = await take(kim, REOPEN, { anomalyId: id })
    expect(reopened.anomaly).toMatchObject({
      ...{ status: 'OPEN', version: 4, acknowledgedAt: null, acknowledgedBy: null },
      ...{ resolvedAt: null, resolvedBy: null },
    })
    const second = await take(lee, REOPEN, { anomalyId: id })
    expect(second.userErrors[0].message).toMatch(/^It is open\. Reopened by Kim at /)
    expect(second.conflict.by).toEqual({ id: kim.userId })
  })

  it('is not resolved before its last occurrence, where the clock of its device is ahead', async () => {
    const ahead = Date.now() + 60_000
    const { id } = await raise({ lastOccurrenceId: newIdAt(ahead) })
    const { anomaly } = await take(kim, RESOLVE, { anomalyId: id })
    expect(anomaly.resolvedAt).toBe(new Date(ahead).toISOString())
    const [rows] = await database.pool.query<RowDataPacket[]>(
      'SELECT resolved_at FROM anomaly WHERE id = ?',
      [id],
    )
    expect(rows[0]?.resolved_at.getTime()).toBe(ahead)
  })

  it('names the device where it was first', async () => {
    const { id } = await raise({ status: 'RESOLVED', resolvedAt: Date.UTC(2026, 0, 1) })
    const { userErrors, conflict } = await take(kim, RESOLVE, { anomalyId: id })
    expect(userErrors[0].message).toBe('Resolved by its device at 2026-01-01T00:00:00.000Z.')
    expect(conflict.by).toBeNull()
  })

  it('does not reopen while another of its device and type is not resolved, and names that', async () => {
    const old = await raise({ status: 'RESOLVED', resolvedAt: Date.now() })
    const other = await raise({ type: old.type })
    await take(lee, ACKNOWLEDGE, { anomalyId: other.id })
    const { anomaly, conflict, userErrors } = await take(kim, REOPEN, { anomalyId: old.id })
    expect(anomaly).toBeNull()
    expect(conflict).toMatchObject({ anomalyId: old.id, by: { id: lee.userId }, anomaly: { id: other.id } })
    expect(userErrors[0]).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining(other.id) })
    expect(userErrors[0].message).toContain('Acknowledged by Lee')
    const [rows] = await database.pool.query('SELECT status, version FROM anomaly WHERE id = ?', [old.id])
    expect(rows).toMatchObject([{ status: 'RESOLVED', version: 1 }])
  })

  it('is told live, whole and in order', async () => {
    const follow = (name: string) =>
      events.follow(
        kim,
        `subscription ($spaceId: ID!) { ${name}(spaceId: $spaceId) { id status version device { id } } }`,
        { spaceId: space.spaceId },
      )
    const [raised, updated] = await Promise.all([follow('anomalyRaised'), follow('anomalyUpdated')])
    const anomaly = await raise()
    await events.publisher.publish('anomaly', [{ change: 'RAISED', anomaly }])
    await take(kim, ACKNOWLEDGE, { anomalyId: anomaly.id })
    await take(kim, RESOLVE, { anomalyId: anomaly.id })
    await take(kim, REOPEN, { anomalyId: anomaly.id })
    const next = async (stream: AsyncIterator<unknown>) =>
      (await stream.next()).value as { data: Record<string, unknown> }
    expect((await next(raised)).data.anomalyRaised).toMatchObject({
      id: anomaly.id,
      status: 'OPEN',
      version: 1,
    })
    for (const [status, version] of [
      ['ACKNOWLEDGED', 2],
      ['RESOLVED', 3],
      ['OPEN', 4],
    ] as const)
      expect((await next(updated)).data.anomalyUpdated).toMatchObject({
        ...{ id: anomaly.id, status, version, device: { id: anomaly.deviceId } },
      })
    await Promise.all([raised.return?.(), updated.return?.()])
  })

  it('is refused to those who may only read, and hidden from strangers', async () => {
    const { id } = await raise()
    for (const source of [ACKNOWLEDGE, RESOLVE, REOPEN]) {
      expect(await take(space.member, source, { anomalyId: id })).toEqual([
        'FORBIDDEN This needs the role OPERATOR.',
      ])
      for (const anomalyId of [id, newId(), 'no id', "' OR 1=1", '\0', 'é'.repeat(5_000)]) {
        const viewer = anomalyId === id ? asUser(newId()) : kim
        expect((await take(viewer, source, { anomalyId })).userErrors).toEqual([
          { code: 'NOT_FOUND', message: 'There is no such anomaly.', field: 'anomalyId' },
        ])
      }
    }
  })

  it('keeps nothing of a comment that cannot be', async () => {
    const { id } = await raise()
    for (const comment of [
      '',
      ' \n ',
      '\0',
      'a\u202eb',
      '\ud800',
      'é'.repeat(2_049),
      'x'.repeat(1_000_000),
    ]) {
      const { anomaly, userErrors } = await take(kim, RESOLVE, { anomalyId: id, comment })
      expect([anomaly, userErrors[0].code, userErrors[0].field]).toEqual([null, 'BAD_USER_INPUT', 'comment'])
    }
    const longest = await take(kim, RESOLVE, { anomalyId: id, comment: 'é'.repeat(2_048) })
    expect(longest.userErrors).toEqual([])
  })
})

describe('many anomalies at once', () => {
  it('are acknowledged where they are OPEN; each other one is told by its place', async () => {
    const [open, done, mine] = [await raise(), await raise(), await raise()]
    await take(lee, ACKNOWLEDGE, { anomalyId: done.id })
    const anomalyIds = [mine.id, done.id, 'nothing', open.id, mine.id]
    const answer = await take(kim, ACKNOWLEDGE_MANY, { anomalyIds })
    expect(answer.anomalies).toEqual([{ id: mine.id }, { id: open.id }])
    expect(answer.conflicts).toEqual([{ anomalyId: done.id, by: { id: lee.userId } }])
    expect(answer.userErrors).toEqual([
      { code: 'CONFLICT', message: expect.stringMatching(/^Acknowledged by Lee at /), field: 'anomalyIds.1' },
      { code: 'NOT_FOUND', message: 'There is no such anomaly.', field: 'anomalyIds.2' },
    ])
    for (const ids of [[], Array.from({ length: 1_001 }, newId)]) {
      const { userErrors } = await take(kim, ACKNOWLEDGE_MANY, { anomalyIds: ids })
      expect(userErrors).toMatchObject([{ code: 'BAD_USER_INPUT', field: 'anomalyIds' }])
    }
    expect(await take(space.member, ACKNOWLEDGE_MANY, { anomalyIds })).toEqual([
      'FORBIDDEN This needs the role OPERATOR.',
    ])
  })

  it('cost as many statements as few', async () => {
    const cost = async (count: number) => {
      const raised = Array.from({ length: count }, (_, i) =>
        makeAnomaly(
          { spaceId: space.spaceId, deviceId: space.deviceIds[0] ?? '', type: `${count}-${i}` },
          Date.now(),
        ),
      )
      await events.insertAnomalies(raised)
      database.statements.length = 0
      const answer = await take(kim, ACKNOWLEDGE_MANY, { anomalyIds: raised.map(({ id }) => id) })
      expect(answer.anomalies).toHaveLength(count)
      return database.statements.map(sql => sql.split(' ')[0]?.toUpperCase())
    }
    const few = await cost(1)
    expect(few.filter(word => word !== 'SET')).toEqual([
      'SELECT',
      'BEGIN',
      'SELECT',
      'UPDATE',
      'INSERT',
      'COMMIT',
    ])
    expect(await cost(500)).toEqual(few)
  })

  it('have one winner each when 100 operators take the same 1,000', { timeout: 90_000 }, async () => {
    const raised = Array.from({ length: 1_000 }, (_, i) =>
      makeAnomaly({ spaceId: space.spaceId, deviceId: space.deviceIds[0] ?? '', type: `R-${i}` }, Date.now()),
    )
    await events.insertAnomalies(raised)
    const ids = raised.map(({ id }) => id)
    const people = await Promise.all(
      Array.from({ length: 100 }, (_, i) => events.addMember(space.spaceId, 'OPERATOR', `Operator ${i}`)),
    )
    // As in several processes.
    await using second = openEventsFixture(database, redis)
    await using third = openEventsFixture(database, redis)
    const processes = [events, second, third]
    const answers = await Promise.all(
      people.map((person, i) =>
        // Each asks in an order of their own.
        take(
          person,
          ACKNOWLEDGE_MANY,
          { anomalyIds: [...ids.slice(i * 10), ...ids.slice(0, i * 10)] },
          processes[i % 3],
        ),
      ),
    )
    const winners = new Map<string, string>()
    expect(answers.filter(Array.isArray)).toEqual([])
    for (const [i, { anomalies, conflicts, userErrors }] of answers.entries()) {
      for (const { id } of anomalies) {
        expect(winners.has(id)).toBe(false)
        winners.set(id, people[i]?.userId ?? '')
      }
      expect(conflicts.length).toBe(1_000 - anomalies.length)
      expect(userErrors.length).toBe(conflicts.length)
    }
    expect(winners.size).toBe(1_000)
    for (const { conflicts } of answers)
      for (const { anomalyId, by } of conflicts) expect(by.id).toBe(winners.get(anomalyId))
    const [rows] = await database.pool.query(
      `SELECT COUNT(*) total, COUNT(DISTINCT anomaly_id) anomalies FROM anomaly_comment
       JOIN anomaly ON anomaly.id = anomaly_id AND anomaly.acknowledged_by = author_id AND version = 2
       WHERE anomaly_comment.space_id = ? AND step = 'ACKNOWLEDGED'`,
      [space.spaceId],
    )
    expect(rows).toMatchObject([{ total: 1_000, anomalies: 1_000 }])
  })
})
