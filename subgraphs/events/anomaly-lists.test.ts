import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnomalyState } from '../../schema/live-event.ts'
import { SEVERITIES } from '../../schema/severity.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../shared/testkit/open-test-redis.ts'
import { createRandom } from '../shared/testkit/random.ts'
import { newId, newIdAt, timeOfId } from '../shared/uuid-v7.ts'
import type { AnomalyOrder } from './anomaly-branch.ts'
import { type AnomalyFilterInput, createAnomalyTest, readAnomalySelection } from './anomaly-selection.ts'
import { type EventsFixture, makeAnomaly, openEventsFixture } from './events-fixture.ts'

const ANOMALIES = `query ($spaceId: ID!, $filter: AnomalyFilter, $orderBy: AnomalyOrder, $first: Int, $after: String) {
  anomalies(spaceId: $spaceId, filter: $filter, orderBy: $orderBy, first: $first, after: $after) {
    nodes { id }
    pageInfo { hasNextPage hasPreviousPage endCursor }
    totalCount
  }
}`
const OF_DEVICE = `query ($id: ID!, $filter: AnomalyFilter, $first: Int, $after: String) {
  _entities(representations: [{ __typename: "Device", id: $id }]) {
    ... on Device { anomalies(first: $first, after: $after, filter: $filter) {
      nodes { id } pageInfo { hasNextPage endCursor } totalCount
    } }
  }
}`

const START = Date.UTC(2026, 0, 1)
const HOUR_MS = 3_600_000
const STATUSES = ['OPEN', 'ACKNOWLEDGED', 'RESOLVED'] as const
const ORDERS = ['NEWEST', 'LAST_OCCURRED', 'SEVERITY'] as const
const TYPES = ['HEAT', 'heat', 'JAM', 'VIBRATION', '온도']
const seed = Math.floor(Math.random() * 2 ** 31)
const next = createRandom(seed)
const chance = (share: number) => next() < share
const oneOf = <T>(values: readonly T[]) => values[Math.floor(next() * values.length)] as T
const someOf = <T>(values: readonly T[]) =>
  Array.from({ length: 1 + Math.floor(next() * 3) }, () => oneOf(values))
const lineIds = Array.from({ length: 3 }, newId)
const processIds = Array.from({ length: 3 }, newId)

let database: TestDatabase
let redis: TestRedis
let events: EventsFixture
let space: Awaited<ReturnType<EventsFixture['createSpace']>>
let written: AnomalyState[]

beforeAll(async () => {
  database = await openTestDatabase()
  redis = await openTestRedis()
  events = openEventsFixture(database, redis)
  space = await events.createSpace(5)
  const other = await events.createSpace(1)
  const unresolved = new Set<string>()
  const make = (spaceId: string, deviceIds: readonly string[], i: number) => {
    const [deviceId, type, id] = [oneOf(deviceIds), oneOf(TYPES), newIdAt(START + i * HOUR_MS)]
    const status = unresolved.has(deviceId + type) || i < 300 ? 'RESOLVED' : oneOf(STATUSES)
    if (status !== 'RESOLVED') unresolved.add(deviceId + type)
    return makeAnomaly(
      {
        ...{ id, spaceId, deviceId, type, status, severity: oneOf(SEVERITIES) },
        lineId: chance(0.2) ? null : oneOf(lineIds),
        processId: chance(0.2) ? null : oneOf(processIds),
        lastOccurrenceId: chance(0.5) ? id : newIdAt(START + (i + Math.floor(next() * 50)) * HOUR_MS),
        message: chance(0.2) ? null : someOf(['motor', 'Motor', '100%', 'ΣΑΣ', 'äxte']).join(' '),
      },
      START + i * HOUR_MS,
    )
  }
  written = Array.from({ length: 400 }, (_, i) => make(space.spaceId, space.deviceIds, i))
  await events.insertAnomalies([
    ...written,
    ...Array.from({ length: 50 }, (_, i) => make(other.spaceId, other.deviceIds, i)),
  ])
})
afterAll(async () => {
  await events[Symbol.asyncDispose]()
  await Promise.all([database[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
})

function randomFilter(): AnomalyFilterInput {
  const from = new Date(START + Math.floor(next() * 300) * HOUR_MS)
  const hasText = chance(0.2)
  return {
    ...(chance(0.3) && { deviceIds: someOf(space.deviceIds) }),
    ...(chance(0.25) && { lineId: oneOf(lineIds) }),
    ...(chance(0.25) && { processId: oneOf(processIds) }),
    ...(chance(0.4) && { severities: someOf(SEVERITIES) }),
    ...(chance(0.4) && { statuses: someOf(STATUSES) }),
    ...(chance(0.3) && { types: someOf(TYPES) }),
    ...((hasText || chance(0.2)) && { from }),
    ...((hasText || chance(0.2)) && { to: new Date(from.getTime() + 160 * HOUR_MS) }),
    ...(hasText && { text: oneOf(['motor', '100%', 'σασ', 'ÄX']) }),
  }
}

const toJson = (filter: object) => JSON.parse(JSON.stringify(filter))

/** Ids as the list must hold them. */
function expectedIds(filter: AnomalyFilterInput, order: AnomalyOrder): string[] {
  const isSelected = createAnomalyTest(readAnomalySelection(filter))
  const keyOf = ({ severity, lastOccurrenceId }: AnomalyState) =>
    order === 'SEVERITY'
      ? String(SEVERITIES.indexOf(severity))
      : order === 'LAST_OCCURRED'
        ? lastOccurrenceId
        : ''
  const compare = (a: string, b: string) => (a < b ? 1 : a > b ? -1 : 0)
  return written
    .filter(isSelected)
    .sort((a, b) => compare(keyOf(a), keyOf(b)) || compare(a.id, b.id))
    .map(({ id }) => id)
}

describe(`lists of anomalies, compared with a model, seed ${seed}`, () => {
  it('hold what the filter selects, in each order, walked page by page', async () => {
    for (let round = 0; round < 120; round++) {
      const [filter, orderBy] = [randomFilter(), oneOf(ORDERS)]
      const first = 1 + Math.floor(next() * 60)
      const expected = expectedIds(filter, orderBy)
      const found: string[] = []
      let after: string | null = null
      do {
        const variables = { spaceId: space.spaceId, filter: toJson(filter), orderBy, first, after }
        const { data, errors } = await events.run(space.member, ANOMALIES, variables)
        expect(errors, JSON.stringify(filter)).toEqual([])
        const { nodes, pageInfo, totalCount } = data.anomalies
        expect(totalCount).toBe(expected.length)
        expect(pageInfo.hasPreviousPage).toBe(after !== null)
        found.push(...nodes.map(({ id }: { id: string }) => id))
        expect(pageInfo.hasNextPage).toBe(found.length < expected.length)
        after = pageInfo.hasNextPage ? pageInfo.endCursor : null
      } while (after !== null)
      expect(found, `${orderBy} ${JSON.stringify(filter)}`).toEqual(expected)
    }
  }, 60_000)

  it('of a device are those of the space that name it', async () => {
    for (let round = 0; round < 60; round++) {
      const [id, filter] = [oneOf(space.deviceIds), randomFilter()]
      const isNamed = filter.deviceIds?.includes(id) ?? true
      const expected = isNamed ? expectedIds({ ...filter, deviceIds: [id] }, 'NEWEST') : []
      const first = await events.run(space.member, OF_DEVICE, { id, filter: toJson(filter), first: 7 })
      expect(first.errors).toEqual([])
      const page = first.data._entities[0].anomalies
      expect(page.totalCount).toBe(expected.length)
      expect(page.nodes.map((node: { id: string }) => node.id)).toEqual(expected.slice(0, 7))
      const variables = { id, filter: toJson(filter), first: 100, after: page.pageInfo.endCursor }
      const rest = (await events.run(space.member, OF_DEVICE, variables)).data._entities[0].anomalies
      expect(rest.nodes.map((node: { id: string }) => node.id)).toEqual(expected.slice(7))
    }
  }, 60_000)

  it('answer a row whole', async () => {
    const [row] = written.slice(-1)
    const whole = await events.run(
      space.member,
      `query ($id: ID!) { anomaly(id: $id) {
        id type severity message occurredAt receivedAt firstOccurredAt lastOccurredAt occurrences status version
        clockReplaced score attributes acknowledgedAt resolvedAt device { id } line { id } process { id }
      } }`,
      { id: row?.id },
    )
    expect(whole.errors).toEqual([])
    expect(whole.data.anomaly).toMatchObject({
      id: row?.id,
      type: row?.type,
      severity: row?.severity,
      message: row?.message,
      occurredAt: new Date(timeOfId(row?.id ?? '')).toISOString(),
      lastOccurredAt: new Date(timeOfId(row?.lastOccurrenceId ?? '')).toISOString(),
      status: row?.status,
      device: { id: row?.deviceId },
      line: row?.lineId == null ? null : { id: row.lineId },
      process: row?.processId == null ? null : { id: row.processId },
    })
  })
})
