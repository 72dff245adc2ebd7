import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LogEvent } from '../../schema/live-event.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../shared/testkit/open-test-redis.ts'
import { newId } from '../shared/uuid-v7.ts'
import { type EventsFixture, makeLog, openEventsFixture } from './events-fixture.ts'
import { createLogTest, readLogSelection } from './log-selection.ts'

const LOGS = `query ($spaceId: ID!, $filter: LogFilter, $first: Int, $after: String, $last: Int, $before: String) {
  logs(spaceId: $spaceId, filter: $filter, first: $first, after: $after, last: $last, before: $before) {
    nodes { id message }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    totalCount
    totalCountIsAtLeast
  }
}`

const START = Date.UTC(2026, 0, 1)
const DAY_MS = 24 * 3_600_000
const LEVELS = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const
const WORDS = [
  'motor',
  'Motor',
  'ÄXTE',
  'äxte',
  '100%',
  '100_',
  'a!b',
  'ΣΑΣ',
  'σας',
  '온도',
  'x\\y',
  "d'or",
  '🔥',
]
const seed = Math.floor(Math.random() * 2 ** 31)

/** mulberry32: the same numbers for the same seed. */
function createRandom(start: number) {
  let state = start
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number) => Math.floor(next() * count)
  const oneOf = <T>(values: readonly T[]) => values[below(values.length)] as T
  const someOf = <T>(values: readonly T[]) => Array.from({ length: 1 + below(3) }, () => oneOf(values))
  const chance = (share: number) => next() < share
  return { below, oneOf, someOf, chance }
}

const random = createRandom(seed)
const lineIds = Array.from({ length: 3 }, newId)
const processIds = Array.from({ length: 3 }, newId)

let database: TestDatabase
let redis: TestRedis
let events: EventsFixture
let space: Awaited<ReturnType<EventsFixture['createSpace']>>
/** In the order of their ids. */
let written: LogEvent[]

beforeAll(async () => {
  database = await openTestDatabase()
  redis = await openTestRedis()
  events = openEventsFixture(database, redis)
  space = await events.createSpace(4)
  const other = await events.createSpace(1)
  const make = (spaceId: string, deviceIds: readonly string[]) =>
    makeLog(
      {
        spaceId,
        deviceId: random.oneOf(deviceIds),
        level: random.oneOf(LEVELS),
        lineId: random.chance(0.2) ? null : random.oneOf(lineIds),
        processId: random.chance(0.2) ? null : random.oneOf(processIds),
        message: random.someOf(WORDS).join(' '),
      },
      // Some of one millisecond.
      START + random.below(12 * 24 * 60) * 60_000,
    )
  written = Array.from({ length: 500 }, () => make(space.spaceId, space.deviceIds))
  written.sort((a, b) => (a.id < b.id ? -1 : 1))
  await events.insertLogs(written)
  await events.insertLogs(Array.from({ length: 200 }, () => make(other.spaceId, other.deviceIds)))
})
afterAll(async () => {
  await events[Symbol.asyncDispose]()
  await Promise.all([database[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
})

interface Filter {
  deviceIds?: string[]
  levels?: LogEvent['level'][]
  lineId?: string
  processId?: string
  from?: Date
  to?: Date
  text?: string
}

const lower = (text: string) => [...text].map(character => character.toLowerCase()).join('')

/** The model: what a filter means, said once more. */
function selects(filter: Filter, log: LogEvent): boolean {
  const at = Number.parseInt(log.id.replaceAll('-', '').slice(0, 12), 16)
  if (filter.deviceIds && !filter.deviceIds.includes(log.deviceId)) return false
  if (filter.levels && !filter.levels.includes(log.level)) return false
  if (filter.lineId && filter.lineId !== log.lineId) return false
  if (filter.processId && filter.processId !== log.processId) return false
  if (filter.from && at < filter.from.getTime()) return false
  if (filter.to && at >= filter.to.getTime()) return false
  return !filter.text || lower(log.message).includes(lower(filter.text))
}

/** Logs that a filter selects, in the order of their ids; what is new is judged by the same rules. */
function listSelected(filter: Filter): LogEvent[] {
  const isSelected = createLogTest(readLogSelection(space.spaceId, filter))
  const selected = written.filter(log => selects(filter, log))
  expect(written.filter(isSelected), JSON.stringify(filter)).toEqual(selected)
  return selected
}

/** As it comes over the wire. */
const toJson = (filter: Filter) => JSON.parse(JSON.stringify(filter))

function makeFilter(): Filter {
  const from = START + random.below(8) * DAY_MS
  const isRange = random.chance(0.5)
  return {
    ...(random.chance(0.4) && { deviceIds: random.someOf([...space.deviceIds, newId()]) }),
    ...(random.chance(0.4) && { levels: random.someOf(LEVELS) }),
    ...(random.chance(0.4) && { lineId: random.oneOf([...lineIds, newId()]) }),
    ...(random.chance(0.4) && { processId: random.oneOf(processIds) }),
    ...(isRange && { from: new Date(from), to: new Date(from + (1 + random.below(7)) * DAY_MS) }),
    ...(isRange &&
      random.chance(0.5) && { text: random.oneOf([...WORDS, 'OT', 'r ', '0%', '_', 'nowhere']) }),
  }
}

/** Walks a list from one of its ends to the other; checks what each page says of itself against the whole. */
async function walk(filter: Filter, size: number, direction: 'forward' | 'backward', expected: string[]) {
  const isForward = direction === 'forward'
  const walked: string[] = []
  let cursor: string | null = null
  for (;;) {
    const page: object = isForward ? { first: size, after: cursor } : { last: size, before: cursor }
    const variables = { spaceId: space.spaceId, filter: toJson(filter), ...page }
    const { data, errors } = await events.run(space.member, LOGS, variables)
    expect(errors).toEqual([])
    const { nodes, pageInfo, totalCount, totalCountIsAtLeast } = data.logs
    const ids = nodes.map((node: { id: string }) => node.id)
    if (isForward) walked.push(...ids)
    else walked.unshift(...ids)
    const rest = expected.length - walked.length
    expect({ ...pageInfo, startCursor: null, endCursor: null, totalCount, totalCountIsAtLeast }).toEqual({
      hasNextPage: isForward ? rest > 0 : cursor !== null,
      hasPreviousPage: isForward ? cursor !== null : rest > 0,
      startCursor: null,
      endCursor: null,
      totalCount: expected.length,
      totalCountIsAtLeast: false,
    })
    if (rest <= 0) return walked
    expect(ids).toHaveLength(size)
    cursor = isForward ? pageInfo.endCursor : pageInfo.startCursor
  }
}

describe(`lists of logs, compared with a model, seed ${seed}`, () => {
  it('hold what the filter selects, in order, walked either way', async () => {
    let selected = 0
    for (let round = 0; round < 50; round++) {
      const filter = makeFilter()
      const expected = listSelected(filter)
        .map(log => log.id)
        .toReversed()
      selected += expected.length
      for (const direction of ['forward', 'backward'] as const) {
        const size = random.oneOf([7, 20, 100])
        expect(await walk(filter, size, direction, expected), JSON.stringify({ filter, size })).toEqual(
          expected,
        )
      }
    }
    // Else the filters would select nothing, and any list be right.
    expect(selected).toBeGreaterThan(200)
  })

  it('are cut at any log, selected or not', async () => {
    for (let round = 0; round < 40; round++) {
      const filter = makeFilter()
      const at = random.below(100)
      const cursorId = written.at(-1 - at)?.id ?? ''
      const cut = await events.run(space.member, LOGS, { spaceId: space.spaceId, first: at + 1 })
      const cursor = cut.data.logs.pageInfo.endCursor
      const size = random.oneOf([1, 5, 20])
      const run = async (page: object) => {
        const answer = await events.run(space.member, LOGS, {
          spaceId: space.spaceId,
          filter: toJson(filter),
          ...page,
        })
        return answer.data.logs.nodes.map((node: { id: string }) => node.id)
      }
      const ids = listSelected(filter).map(log => log.id)
      const older = ids.filter(id => id < cursorId)
      const newer = ids.filter(id => id > cursorId)
      expect(await run({ first: size, after: cursor })).toEqual(older.slice(-size).toReversed())
      expect(await run({ last: size, before: cursor })).toEqual(newer.slice(0, size).toReversed())
    }
  })
})
