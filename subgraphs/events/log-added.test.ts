import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LogEvent } from '../../schema/live-event.ts'
import type { Viewer } from '../shared/auth/viewer.ts'
import { cursorOf, markOf } from '../shared/graphql/event-cursor.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../shared/testkit/open-test-redis.ts'
import { newId } from '../shared/uuid-v7.ts'
import { asUser, type EventsFixture, makeLog, openEventsFixture } from './events-fixture.ts'

const LOG_ADDED = `subscription ($spaceId: ID!, $filter: LogFilter) {
  logAdded(spaceId: $spaceId, filter: $filter) {
    id level message attributes clockReplaced occurredAt receivedAt device { id } line { id } process { id }
  }
}`

let database: TestDatabase
let redis: TestRedis
let events: EventsFixture
let space: { spaceId: string; deviceIds: string[]; member: Viewer }

beforeAll(async () => {
  database = await openTestDatabase()
  redis = await openTestRedis()
  events = openEventsFixture(database, redis)
  space = await events.createSpace(2)
})
afterAll(async () => {
  await events[Symbol.asyncDispose]()
  await Promise.all([database[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
})

const follow = (filter?: object, viewer: Viewer | null = space.member, spaceId = space.spaceId) =>
  events.follow(viewer, LOG_ADDED, { spaceId, filter })

function log(message: string, fields: Partial<LogEvent> = {}): LogEvent {
  const { spaceId, deviceIds } = space
  return makeLog({ spaceId, deviceId: deviceIds[0] ?? '', message, ...fields }, Date.UTC(2026, 0, 1))
}

async function nextMessage(stream: AsyncIterator<{ data?: unknown; errors?: unknown }>) {
  const { value } = await stream.next()
  expect(value.errors).toBeUndefined()
  return value.data.logAdded.message
}

describe('logAdded', () => {
  it('delivers the whole row of each new log, in order and without a statement', async () => {
    const stream = await follow()
    database.statements.length = 0
    const [lineId, processId] = [newId(), newId()]
    const full = log('first', { lineId, processId, attributes: { rpm: 3 }, level: 'WARN' })
    await events.publisher.publish('log', [full, log('second')])
    const { value } = await stream.next()
    expect(JSON.parse(JSON.stringify(value))).toEqual({
      data: {
        logAdded: {
          id: full.id,
          level: 'WARN',
          message: 'first',
          attributes: { rpm: 3 },
          clockReplaced: false,
          occurredAt: '2026-01-01T00:00:00.000Z',
          receivedAt: '2026-01-01T00:00:00.000Z',
          device: { id: full.deviceId },
          line: { id: lineId },
          process: { id: processId },
        },
      },
    })
    expect(await nextMessage(stream)).toBe('second')
    expect(database.statements).toEqual([])
    await stream.return?.()
  })

  it('carries the cursor of each event on its root value', async () => {
    const source = await events.followSource(space.member, LOG_ADDED, { spaceId: space.spaceId })
    await events.publisher.publish('log', [log('a'), log('b')])
    expect(markOf((await source.next()).value)).toEqual({
      cursor: expect.stringMatching(/^\d+-\d+\.99$/),
      isGap: false,
    })
    const cursors = [cursorOf((await source.next()).value), cursorOf((await source.next()).value)]
    expect(cursors).toEqual([expect.stringMatching(/^\d+-\d+\.0$/), expect.stringMatching(/^\d+-\d+\.1$/)])
    await source.return?.()
  })

  it('takes the role that was granted', async () => {
    const { spaceId } = space
    const request = { grant: { spaceId, role: 'VIEWER' } } as const
    const source = await events.followSource(asUser(newId()), LOG_ADDED, { spaceId }, request)
    expect(markOf((await source.next()).value)?.isGap).toBe(false)
    await source.return?.()
  })

  it('begins after a cursor, with what its filter selects', async () => {
    const variables = { spaceId: space.spaceId, filter: { levels: ['WARN'] } }
    const source = await events.followSource(space.member, LOG_ADDED, variables)
    const start = markOf((await source.next()).value)
    await events.publisher.publish('log', [
      log('before', { level: 'WARN' }),
      log('other'),
      log('missed', { level: 'WARN' }),
    ])
    const after = cursorOf((await source.next()).value)
    await source.return?.()
    expect(start?.isGap).toBe(false)
    const resumed = await events.followSource(space.member, LOG_ADDED, variables, { start: { after } })
    expect(markOf((await resumed.next()).value)).toEqual({ cursor: after, isGap: false })
    expect((await resumed.next()).value).toMatchObject({ logAdded: { message: 'missed' } })
    expect(markOf((await resumed.next()).value)?.isGap).toBe(false)
    await events.publisher.publish('log', [log('live', { level: 'WARN' })])
    expect((await resumed.next()).value).toMatchObject({ logAdded: { message: 'live' } })
    await resumed.return?.()
  })

  const [lineId, processId] = [newId(), newId()]
  it.each<[string, () => object, Partial<LogEvent>]>([
    ['devices', () => ({ deviceIds: [space.deviceIds[0]] }), { deviceId: newId() }],
    ['a line', () => ({ lineId }), { lineId: null }],
    ['a process', () => ({ processId }), { processId: newId() }],
    ['levels', () => ({ levels: ['WARN', 'ERROR'] }), { level: 'INFO' }],
    ['a text, in any case', () => ({ text: 'O' }), { message: 'elsewhere' }],
  ])('leaves out what a filter by %s does not select', async (_, filter, other) => {
    const stream = await follow(filter())
    const selected = { lineId, processId, level: 'ERROR' } as const
    await events.publisher.publish('log', [
      log('one', selected),
      log('other', { ...selected, ...other }),
      log('two', selected),
    ])
    expect([await nextMessage(stream), await nextMessage(stream)]).toEqual(['one', 'two'])
    await stream.return?.()
  })

  it('delivers nothing of another space', async () => {
    const other = await events.createSpace(1)
    const stream = await follow()
    await events.publisher.publish('log', [log('theirs', { spaceId: other.spaceId })])
    await events.publisher.publish('log', [log('ours')])
    expect(await nextMessage(stream)).toBe('ours')
    await stream.return?.()
  })

  it('ends at once when it is left, even while it waits', async () => {
    const source = await events.followSource(space.member, LOG_ADDED, { spaceId: space.spaceId })
    await source.next()
    const pending = source.next()
    await source.return?.()
    expect(await pending).toEqual({ done: true, value: undefined })
  })

  it('is authorised before it is opened', async () => {
    await expect(follow({}, null)).rejects.toThrow('UNAUTHENTICATED Sign in first.')
    await expect(follow({}, asUser(newId()))).rejects.toThrow('NOT_FOUND There is no such space.')
    await expect(follow({}, space.member, newId())).rejects.toThrow('NOT_FOUND There is no such space.')
  })

  it.each<[string, object, RegExp]>([
    ['from', { from: '2026-01-01T00:00:00Z' }, /^BAD_USER_INPUT filter.from and filter.to do not apply/],
    ['to', { to: '2026-01-01T00:00:00Z' }, /^BAD_USER_INPUT filter.from and filter.to do not apply/],
    ['an empty text', { text: '' }, /^BAD_USER_INPUT filter.text has 1 to 128 characters/],
    ['a malformed device', { deviceIds: ['x'] }, /^BAD_USER_INPUT filter.deviceIds is a UUIDv7/],
  ])('refuses %s in its filter', async (_, filter, message) => {
    await expect(follow(filter)).rejects.toThrow(message)
  })
})
