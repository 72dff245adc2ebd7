import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { LogEvent } from '../../schema/live-event.ts'
import type { Viewer } from '../shared/auth/viewer.ts'
import { encodeCursor } from '../shared/graphql/connection.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../shared/testkit/open-test-redis.ts'
import { newId, newIdAt } from '../shared/uuid-v7.ts'
import { asUser, type EventsFixture, makeLog, openEventsFixture } from './events-fixture.ts'

const LOGS = `query ($spaceId: ID!, $filter: LogFilter, $first: Int, $after: String, $last: Int, $before: String) {
  logs(spaceId: $spaceId, filter: $filter, first: $first, after: $after, last: $last, before: $before) {
    edges { cursor }
    nodes { id }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`

const START = Date.UTC(2026, 0, 1)
const iso = (ms: number) => new Date(ms).toISOString()

let database: TestDatabase
let redis: TestRedis
let events: EventsFixture
let spaceId: string
let member: Viewer
let deviceIds: string[]
const [lineId, processId] = [newId(), newId()]
/** Oldest first, one a second. */
let written: LogEvent[]

beforeAll(async () => {
  database = await openTestDatabase()
  redis = await openTestRedis()
  events = openEventsFixture(database, redis)
  ;({ spaceId, member, deviceIds } = await events.createSpace(3))
  written = Array.from({ length: 60 }, (_, i) =>
    makeLog(
      {
        spaceId,
        deviceId: deviceIds[i % 3] ?? '',
        level: (['DEBUG', 'INFO', 'WARN', 'ERROR'] as const)[i % 4] ?? 'INFO',
        lineId: i % 5 === 0 ? lineId : null,
        processId: i % 6 === 0 ? processId : null,
      },
      START + i * 1_000,
    ),
  )
  await events.insertLogs(written)
  const other = await events.createSpace(1)
  await events.insertLogs([
    makeLog({ spaceId: other.spaceId, deviceId: other.deviceIds[0] ?? '' }, START + 500),
  ])
})
afterAll(async () => {
  await events[Symbol.asyncDispose]()
  await Promise.all([database[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
})
beforeEach(() => {
  database.statements.length = 0
})

/** Ids of the selected logs, newest first. */
const idsOf = (test: (log: LogEvent, i: number) => boolean, from = written) =>
  from
    .filter(test)
    .map(log => log.id)
    .toReversed()

async function list(variables: Record<string, unknown>) {
  const { data, errors } = await events.run(member, LOGS, { spaceId, ...variables })
  expect(errors).toEqual([])
  const { nodes, edges, pageInfo } = data.logs
  return { ids: nodes.map((node: { id: string }) => node.id), edges, pageInfo }
}

describe('logs of a space', () => {
  it('come newest first, 20 at a time, and walk to the oldest', async () => {
    const ids: string[] = []
    let after: string | null = null
    for (let page = 0; page < 3; page++) {
      const { ids: next, pageInfo } = await list({ after })
      expect(next).toHaveLength(20)
      expect(pageInfo).toMatchObject({ hasNextPage: page < 2, hasPreviousPage: page > 0 })
      ids.push(...next)
      after = pageInfo.endCursor
    }
    expect(ids).toEqual(idsOf(() => true))
  })

  it('walk backward in the same order', async () => {
    const end = await list({ last: 5 })
    expect(end.ids).toEqual(idsOf((_, i) => i < 5))
    expect(end.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true })
    const before = await list({ last: 5, before: end.pageInfo.startCursor })
    expect(before.ids).toEqual(idsOf((_, i) => i >= 5 && i < 10))
    expect(before.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true })
  })

  it('keep their pages while newer ones come in', async () => {
    const space = await events.createSpace(1)
    const deviceId = space.deviceIds[0] ?? ''
    const logs = Array.from({ length: 6 }, (_, i) =>
      makeLog({ spaceId: space.spaceId, deviceId }, START + i * 1_000),
    )
    await events.insertLogs(logs)
    const run = async (args: object) =>
      (await events.run(space.member, LOGS, { spaceId: space.spaceId, ...args })).data.logs
    const first = await run({ first: 3 })
    await events.insertLogs([makeLog({ spaceId: space.spaceId, deviceId }, START + 60_000)])
    const second = await run({ first: 3, after: first.pageInfo.endCursor })
    expect([...first.nodes, ...second.nodes].map(node => node.id)).toEqual(idsOf(() => true, logs))
    const newer = await run({ last: 3, before: first.pageInfo.startCursor })
    expect(newer.nodes).toHaveLength(1)
    expect(newer.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false })
  })

  it('tell everything of a log', async () => {
    const space = await events.createSpace(1)
    const deviceId = space.deviceIds[0] ?? ''
    const id = newIdAt(START + 123)
    const full = { attributes: { a: [1, 'ä'] }, clockReplaced: true, receivedAt: START + 456 }
    await events.insertLogs([
      makeLog(
        { spaceId: space.spaceId, deviceId, id, lineId, processId, message: '温度 🔥', ...full },
        START,
      ),
    ])
    const { data } = await events.run(
      space.member,
      `query ($spaceId: ID!) { logs(spaceId: $spaceId) { edges { cursor node {
        id level message attributes clockReplaced occurredAt receivedAt device { id } line { id } process { id }
      } } } }`,
      { spaceId: space.spaceId },
    )
    expect(data.logs.edges).toEqual([
      {
        cursor: encodeCursor({ kind: 'log', parts: ['id'] }, [id]),
        node: {
          id,
          level: 'INFO',
          message: '温度 🔥',
          attributes: { a: [1, 'ä'] },
          clockReplaced: true,
          occurredAt: iso(START + 123),
          receivedAt: iso(START + 456),
          device: { id: deviceId },
          line: { id: lineId },
          process: { id: processId },
        },
      },
    ])
  })

  it('blank line and process when there was none', async () => {
    const { data } = await events.run(
      member,
      `query ($spaceId: ID!) { logs(spaceId: $spaceId, first: 1) { nodes { line { id } process { id } attributes } } }`,
      { spaceId },
    )
    expect(data.logs.nodes).toEqual([{ line: null, process: null, attributes: null }])
  })
})

describe('a filter of logs', () => {
  const all = { first: 100 }
  it.each<[string, () => object, (log: LogEvent, i: number) => boolean]>([
    ['one device', () => ({ deviceIds: [deviceIds[1]] }), (_, i) => i % 3 === 1],
    ['several devices', () => ({ deviceIds: [deviceIds[2], deviceIds[0]] }), (_, i) => i % 3 !== 1],
    ['a device named twice', () => ({ deviceIds: [deviceIds[0], deviceIds[0]] }), (_, i) => i % 3 === 0],
    ['a device of nowhere', () => ({ deviceIds: [newId()] }), () => false],
    ['no device', () => ({ deviceIds: [] }), () => false],
    ['a line', () => ({ lineId }), log => log.lineId === lineId],
    ['a process', () => ({ processId }), log => log.processId === processId],
    ['one level', () => ({ levels: ['ERROR'] }), log => log.level === 'ERROR'],
    ['several levels', () => ({ levels: ['WARN', 'ERROR'] }), log => /WARN|ERROR/.test(log.level)],
    ['all levels', () => ({ levels: ['DEBUG', 'INFO', 'WARN', 'ERROR', 'INFO'] }), () => true],
    ['no level', () => ({ levels: [] }), () => false],
    ['a beginning, itself included', () => ({ from: iso(START + 50_000) }), (_, i) => i >= 50],
    ['an end, itself left out', () => ({ to: iso(START + 10_000) }), (_, i) => i < 10],
    ['a range', () => ({ from: iso(START + 10_000), to: iso(START + 20_000) }), (_, i) => i >= 10 && i < 20],
    ['a range that ends before it begins', () => ({ from: iso(START + 9), to: iso(START) }), () => false],
    [
      'everything at once',
      () => ({ deviceIds: deviceIds.slice(0, 2), levels: ['DEBUG'], lineId, to: iso(START + 50_000) }),
      (log, i) => i % 3 < 2 && i % 4 === 0 && log.lineId === lineId && i < 50,
    ],
    [
      'levels of a line and a process',
      () => ({ levels: ['DEBUG', 'WARN'], lineId, processId }),
      (log, i) => i % 2 === 0 && log.lineId === lineId && log.processId === processId,
    ],
  ])('selects %s', async (_, filter, test) => {
    expect((await list({ ...all, filter: filter() })).ids).toEqual(idsOf(test))
    const { data } = await events.run(
      member,
      `query ($spaceId: ID!, $filter: LogFilter) { logs(spaceId: $spaceId, filter: $filter) { totalCount totalCountIsAtLeast } }`,
      { spaceId, filter: filter() },
    )
    expect(data.logs).toEqual({ totalCount: idsOf(test).length, totalCountIsAtLeast: false })
  })

  it('selects a text in a range of a week', async () => {
    const range = { from: iso(START), to: iso(START + 7 * 24 * 3_600_000) }
    const selected = await list({ ...all, filter: { ...range, text: `OF ${START + 7_000}` } })
    expect(selected.ids).toEqual(idsOf((_, i) => i === 7))
    expect((await list({ first: 100, filter: { ...range, text: 'LOG OF', lineId } })).ids).toEqual(
      idsOf(log => log.lineId === lineId),
    )
  })

  it('pages both ways over several devices, and over several levels', async () => {
    for (const [filter, test] of [
      [{ deviceIds: deviceIds.slice(0, 2) }, (_: LogEvent, i: number) => i % 3 !== 2],
      [{ levels: ['DEBUG', 'ERROR'] }, (_: LogEvent, i: number) => i % 4 === 0 || i % 4 === 3],
    ] as const) {
      const expected = idsOf(test)
      const first = await list({ first: 7, filter })
      const second = await list({ first: 7, after: first.pageInfo.endCursor, filter })
      expect([...first.ids, ...second.ids]).toEqual(expected.slice(0, 14))
      const back = await list({ last: 7, before: second.pageInfo.startCursor, filter })
      expect(back.ids).toEqual(first.ids)
      expect(back.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false })
      expect((await list({ last: 3, filter })).ids).toEqual(expected.slice(-3))
    }
  })

  it('makes one statement, whatever it says', async () => {
    for (const filter of [
      {},
      { deviceIds },
      { levels: ['WARN', 'ERROR'] },
      { deviceIds, levels: ['WARN'] },
    ]) {
      for (const first of [1, 100]) {
        database.statements.length = 0
        await list({ first, filter })
        expect(database.statements).toHaveLength(1)
      }
    }
  })

  it('makes none when nothing can match', async () => {
    await list({ filter: { deviceIds: [] } })
    await list({ filter: { levels: [] } })
    expect(database.statements).toEqual([])
  })
})

describe('totalCount', () => {
  it('stops at 10,000 and says so', async () => {
    const space = await events.createSpace(1)
    const deviceId = space.deviceIds[0] ?? ''
    const insert = (count: number, from: number) =>
      events.insertLogs(
        Array.from({ length: count }, (_, i) =>
          makeLog({ spaceId: space.spaceId, deviceId }, START + from + i),
        ),
      )
    const count = async () => {
      const query = `query ($spaceId: ID!) { logs(spaceId: $spaceId, first: 1) { totalCount totalCountIsAtLeast } }`
      return (await events.run(space.member, query, { spaceId: space.spaceId })).data.logs
    }
    await insert(10_000, 0)
    expect(await count()).toEqual({ totalCount: 10_000, totalCountIsAtLeast: false })
    await insert(1, 20_000)
    database.statements.length = 0
    expect(await count()).toEqual({ totalCount: 10_000, totalCountIsAtLeast: true })
    expect(database.statements).toHaveLength(2)
  })
})

describe('bad input of logs', () => {
  const cursor = (kind: string) => encodeCursor({ kind, parts: ['id'] }, [newId()])
  it.each<[string, object, RegExp]>([
    ['too large a page', { first: 1000 }, /^BAD_USER_INPUT first is a number from 0 to 100, not 1000/],
    ['first and last at once', { first: 1, last: 1 }, /^BAD_USER_INPUT first and last/],
    ['a malformed cursor', { after: 'x' }, /^BAD_USER_INPUT after is not a cursor of this list/],
    ['the cursor of another list', { after: cursor('device') }, /^BAD_USER_INPUT after is not a cursor/],
    ['a malformed space', { spaceId: 'x' }, /^BAD_USER_INPUT spaceId is a UUIDv7/],
    ['a malformed device', { filter: { deviceIds: ["' OR 1=1"] } }, /^BAD_USER_INPUT filter.deviceIds/],
    ['a malformed line', { filter: { lineId: 'x' } }, /^BAD_USER_INPUT filter.lineId/],
    ['a malformed process', { filter: { processId: 'x' } }, /^BAD_USER_INPUT filter.processId/],
    [
      'a text without a range',
      { filter: { text: 'x' } },
      /^BAD_USER_INPUT filter.text needs filter.from and/,
    ],
    ['a text without an end', { filter: { text: 'x', from: iso(0) } }, /^BAD_USER_INPUT filter.text needs/],
    [
      'a text in more than a week',
      { filter: { text: 'x', from: iso(0), to: iso(7 * 24 * 3_600_000 + 1) } },
      /^BAD_USER_INPUT filter.text needs filter.from and filter.to, at most 7 days apart/,
    ],
    [
      'an empty text',
      { filter: { text: '', from: iso(0), to: iso(1) } },
      /^BAD_USER_INPUT filter.text has 1 to/,
    ],
    [
      'a long text',
      { filter: { text: 'x'.repeat(129), from: iso(0), to: iso(1) } },
      /^BAD_USER_INPUT filter.text has 1 to 128 characters, without NUL, not 129/,
    ],
    ['a moment without offset', { filter: { from: '2026-01-01T00:00:00' } }, /^BAD_USER_INPUT .*DateTime/],
    [
      'more than 100 devices',
      { filter: { deviceIds: Array.from({ length: 101 }, newId) } },
      /^BAD_USER_INPUT filter.deviceIds names 100 devices at most, not 101/,
    ],
  ])('is refused without a statement: %s', async (_, variables, message) => {
    const { errors } = await events.run(member, LOGS, { spaceId, ...variables })
    expect(errors).toEqual([expect.stringMatching(message)])
    expect(database.statements).toEqual([])
  })
})

describe('who may read logs', () => {
  it('is nobody who is not signed in', async () => {
    const { errors } = await events.run(null, LOGS, { spaceId })
    expect(errors).toEqual(['UNAUTHENTICATED Sign in first.'])
    expect(database.statements).toEqual([])
  })

  it('is no outsider, who learns nothing of the space', async () => {
    const outsider = asUser(newId())
    const answers = [
      await events.run(outsider, LOGS, { spaceId }),
      await events.run(outsider, LOGS, { spaceId: newId() }),
    ]
    for (const { errors } of answers) expect(errors).toEqual(['NOT_FOUND There is no such space.'])
    expect(database.statements).toEqual([])
  })

  it('is no device', async () => {
    const viewer = {
      kind: 'device',
      deviceId: deviceIds[0] ?? '',
      spaceId,
      expiresAt: Date.now() + 1_000,
    } as const
    const { errors } = await events.run(viewer, LOGS, { spaceId })
    expect(errors).toEqual(['FORBIDDEN Only people may do this.'])
  })
})

const ENTITIES = `query ($representations: [_Any!]!, $first: Int, $after: String) {
  _entities(representations: $representations) {
    ... on Device { id logs(first: $first, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }
    ... on Log { id message }
  }
}`
const devices = (ids: string[]) => ids.map(id => ({ __typename: 'Device', id }))

describe('logs of devices', () => {
  it('are read in one statement for the whole page, whatever its size', async () => {
    for (const [count, first] of [
      [1, 3],
      [3, 3],
      [3, 10],
    ] as const) {
      database.statements.length = 0
      const { data, errors } = await events.run(member, ENTITIES, {
        representations: devices(deviceIds.slice(0, count)),
        first,
      })
      expect(errors).toEqual([])
      expect(data._entities).toHaveLength(count)
      for (const [d, entity] of data._entities.entries()) {
        expect(entity.logs.nodes.map((node: { id: string }) => node.id)).toEqual(
          idsOf((_, i) => i % 3 === d).slice(0, first),
        )
        expect(entity.logs.pageInfo.hasNextPage).toBe(true)
      }
      expect(database.statements).toHaveLength(1)
    }
  })

  it('go on after a cursor', async () => {
    const page = async (after: string | null) =>
      (
        await events.run(member, ENTITIES, {
          representations: devices(deviceIds.slice(0, 1)),
          first: 15,
          after,
        })
      ).data._entities[0].logs
    const first = await page(null)
    const second = await page(first.pageInfo.endCursor)
    expect([...first.nodes, ...second.nodes].map(node => node.id)).toEqual(idsOf((_, i) => i % 3 === 0))
    expect(second.pageInfo.hasNextPage).toBe(false)
  })

  it('take their own arguments under aliases, and count, in a statement each', async () => {
    const { data, errors } = await events.run(
      member,
      `query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on Device {
        one: logs(first: 1) { nodes { id } totalCount totalCountIsAtLeast }
        all: logs(first: 100) { nodes { id } totalCount }
        default: logs { nodes { id } }
      } } }`,
      { representations: devices(deviceIds) },
    )
    expect(errors).toEqual([])
    for (const entity of data._entities) {
      expect(entity.one).toMatchObject({ nodes: [{}], totalCount: 20, totalCountIsAtLeast: false })
      expect(entity.all.nodes).toHaveLength(20)
      expect(entity.all.totalCount).toBe(20)
      expect(entity.default.nodes).toHaveLength(20)
    }
    expect(database.statements).toHaveLength(2)
  })

  it('of several spaces are read in one statement', async () => {
    const others = await Promise.all([events.createSpace(2), events.createSpace(1)])
    const { userId } = member as { userId: string }
    for (const other of others) {
      await database.pool.query('UPDATE membership SET user_id = ? WHERE space_id = ?', [
        userId,
        other.spaceId,
      ])
      await events.insertLogs(
        other.deviceIds.map(deviceId => makeLog({ spaceId: other.spaceId, deviceId }, START)),
      )
    }
    database.statements.length = 0
    const ids = [...deviceIds, ...others.flatMap(other => other.deviceIds)]
    const { data, errors } = await events.run(member, ENTITIES, { representations: devices(ids), first: 1 })
    expect(errors).toEqual([])
    for (const entity of data._entities) expect(entity.logs.nodes).toHaveLength(1)
    expect(database.statements).toHaveLength(1)
  })

  it('of a device that the caller may not see are blank, and the rest of the page is not', async () => {
    const other = await events.createSpace(1)
    const strangers = [other.deviceIds[0] ?? '', newId(), "x' OR '1'='1"]
    const { data, errors } = await events.run(member, ENTITIES, {
      representations: devices([...strangers, ...deviceIds]),
      first: 2,
    })
    expect(errors).toEqual(strangers.map(() => 'NOT_FOUND There is no such device.'))
    expect(data._entities.map((entity: { logs: object | null }) => entity.logs !== null)).toEqual([
      ...strangers.map(() => false),
      ...deviceIds.map(() => true),
    ])
    expect(database.statements).toHaveLength(1)
  })

  it('are refused to those not signed in and to pages too large, without a statement', async () => {
    const representations = devices(deviceIds.slice(0, 1))
    const anonymous = await events.run(null, ENTITIES, { representations })
    expect(anonymous.errors).toEqual(['UNAUTHENTICATED Sign in first.'])
    const large = await events.run(member, ENTITIES, { representations, first: 1000 })
    expect(large.errors).toEqual([expect.stringMatching(/^BAD_USER_INPUT first/)])
    expect(database.statements).toEqual([])
  })
})

describe('a log by reference', () => {
  const logReference = (id: string) => ({ __typename: 'Log', id })

  it('is found in one statement for all, when the caller may see it', async () => {
    const other = await events.createSpace(1)
    const hidden = makeLog({ spaceId: other.spaceId, deviceId: other.deviceIds[0] ?? '' }, START)
    await events.insertLogs([hidden])
    const seen = written.slice(0, 3).map(log => log.id)
    database.statements.length = 0
    const { data, errors } = await events.run(member, ENTITIES, {
      representations: [...seen, hidden.id, newId(), 'x'].map(logReference),
    })
    expect(errors).toEqual([])
    expect(data._entities.map((log: { id: string } | null) => log?.id ?? null)).toEqual([
      ...seen,
      null,
      null,
      null,
    ])
    expect(database.statements).toHaveLength(1)
  })

  it('is refused to those not signed in, each by itself', async () => {
    const { data, errors } = await events.run(null, ENTITIES, {
      representations: written.slice(0, 2).map(log => logReference(log.id)),
    })
    expect(data._entities).toEqual([null, null])
    expect(errors).toEqual(['UNAUTHENTICATED Sign in first.', 'UNAUTHENTICATED Sign in first.'])
  })
})
