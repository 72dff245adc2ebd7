import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { graphqlData } from '../../subgraphs/shared/testkit/graphql-request.ts'
import { newId } from '../../subgraphs/shared/uuid-v7.ts'
import { addFactory, addPerson, addSession, type Factory } from './testing/factory-world.ts'
import { startWholeProduct, type WholeProduct } from './testing/whole-product.ts'

const PAGE = `query ($spaceId: ID!, $first: Int, $comments: Int) {
  anomalies(spaceId: $spaceId, first: $first, orderBy: LAST_OCCURRED) { nodes {
    id severity status lastOccurredAt device { name } line { name } process { name }
    acknowledgedBy { name } comments(first: $comments) { nodes { body author { name } } }
  } totalCount }
}`
const PLACES = `query ($spaceId: ID!, $first: Int) { space(id: $spaceId) {
  lines { openAnomalyCount } processes { openAnomalyCount }
  devices(first: $first) { nodes { openAnomalyCount lastAnomaly { id } anomalies(first: 3) { nodes { id } } } }
} }`

let product: WholeProduct
let factory: Factory
let outsider: string
let token: string

beforeAll(async () => {
  product = await startWholeProduct()
  factory = await addFactory(product, 'here', newId())
  outsider = await addPerson(product, 'Of elsewhere')
  const { spaceId, lineId, processId } = factory.ids
  const people = Object.values(factory.people)
  const devices = Array.from({ length: 99 }, (_, i) => [
    newId(),
    spaceId,
    lineId,
    processId,
    `D-${i}`,
    'Press',
  ])
  const now = new Date()
  const anomalies = devices.map(([deviceId], i) => {
    const id = newId()
    return [
      ...[id, spaceId, deviceId, lineId, processId, 'HEAT', 'MAJOR', false, now, id, id, 1, 'ACKNOWLEDGED'],
      ...[now, i === 0 ? outsider : people[i % people.length], 1],
    ]
  })
  const comments = anomalies.flatMap(([anomalyId], i) =>
    Array.from({ length: 5 }, (_, n) => [
      ...[newId(), anomalyId, spaceId, 'USER', people[(i + n) % people.length], `${n}`, now],
    ]),
  )
  const { pool } = product.past
  await pool.query(
    'INSERT INTO device (id, space_id, line_id, process_id, code, name, created_at) VALUES ?',
    [devices.map(device => [...device, now])],
  )
  await pool.query(
    `INSERT INTO anomaly (id, space_id, device_id, line_id, process_id, type, severity, clock_replaced, received_at,
     first_occurrence_id, last_occurrence_id, occurrences, status, acknowledged_at, acknowledged_by, version) VALUES ?`,
    [anomalies],
  )
  await pool.query(
    'INSERT INTO anomaly_comment (id, anomaly_id, space_id, kind, author_id, body, created_at) VALUES ?',
    [comments],
  )
  const userId = factory.people.VIEWER
  token = (await product.signer.signUser({ userId, sessionId: await addSession(product, userId) })).token
}, 60_000)
afterAll(() => product[Symbol.asyncDispose](), 60_000)

/** Runs a query twice, and counts what the second run costs, when roles and topology are remembered. */
async function cost<T>(query: string, variables: object) {
  const ask = () =>
    graphqlData<T>(product.url, query, {
      token,
      variables: { spaceId: factory.ids.spaceId, ...variables },
    })
  await ask()
  product.statements.length = 0
  product.redis.roundTrips.live.length = 0
  const data = await ask()
  return { data, statements: [...product.statements], roundTrips: product.redis.roundTrips.live.length }
}

interface Page {
  anomalies: {
    nodes: {
      device: { name: string }
      acknowledgedBy: { name: string } | null
      comments: { nodes: unknown[] }
    }[]
    totalCount: number
  }
}

describe('what people see of anomalies', () => {
  it('costs four statements a page, of 1 or of 100 with all that belongs to them', async () => {
    const small = await cost<Page>(PAGE, { first: 1, comments: 1 })
    const large = await cost<Page>(PAGE, { first: 100, comments: 3 })
    const { nodes, totalCount } = large.data.anomalies
    expect([nodes.length, totalCount]).toEqual([100, 101])
    expect(nodes.every(({ device }) => device.name.startsWith('Press'))).toBe(true)
    expect(nodes.filter(({ comments }) => comments.nodes.length === 3).length).toBeGreaterThan(90)
    const kinds = large.statements.map(sql => /from `?(\w+)/i.exec(sql)?.[1])
    // The page, its comments, its total, and all people in it.
    expect(kinds.toSorted()).toEqual(['anomaly', 'anomaly', 'anomaly_comment', 'user'])
    expect(large.statements.length).toBe(small.statements.length)
    expect([small.roundTrips, large.roundTrips]).toEqual([0, 0])
  })

  it('names people to those alone who share a space with them', async () => {
    const { data } = await cost<Page>(PAGE, { first: 100, comments: 1 })
    const names = data.anomalies.nodes.map(({ acknowledgedBy }) => acknowledgedBy?.name)
    expect(names.join()).toContain('OPERATOR here')
    expect(JSON.stringify(data)).not.toContain('Of elsewhere')
  })

  it('costs the same number of statements for counts of 1 device and of 100', async () => {
    const small = await cost(PLACES, { first: 1 })
    const large = await cost<{ space: { devices: { nodes: { lastAnomaly: { id: string } | null }[] } } }>(
      PLACES,
      { first: 100 },
    )
    expect(large.data.space.devices.nodes.filter(({ lastAnomaly }) => lastAnomaly !== null)).toHaveLength(100)
    expect(large.statements.length).toBe(small.statements.length)
    // Of lines, of processes, and of devices three.
    expect(large.statements).toHaveLength(5)
  })
})
