import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SHARD_COUNT } from '../../../schema/ingest-entry.ts'
import { LIVE_LISTENER, redisKeys } from '../../../schema/redis-keys.ts'
import { createMetrics, type Metrics } from '../../shared/metrics.ts'
import type { CommittedEvents, OutboxListener } from '../../shared/outbox-listener.ts'
import { openTestDatabase, type TestDatabase } from '../../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../../shared/testkit/open-test-redis.ts'
import { waitFor } from '../../shared/testkit/wait-for.ts'
import { newId } from '../../shared/uuid-v7.ts'
import type { Ingest } from './ingest.ts'
import { createIngestFixture, type directory, type IngestFixture } from './ingest-fixture.ts'

let database: TestDatabase
let redis: TestRedis
let fixture: IngestFixture
let ingest: Ingest | undefined
beforeAll(async () => {
  database = await openTestDatabase()
  redis = await openTestRedis()
})
beforeEach(() => {
  fixture = createIngestFixture(database, redis)
})
afterEach(async () => {
  await ingest?.[Symbol.asyncDispose]()
  ingest = undefined
})
afterAll(async () => {
  await redis[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const written = () => waitFor(() => fixture.isWritten(), { what: 'the end of the log', deadlineMs: 10_000 })
const newMetrics = () => createMetrics({ group: 'test', withDefaults: false })
const newLogs = (count: number) => {
  const senders = Array.from({ length: 5 }, newId)
  return Array.from({ length: count }, (_, i) => fixture.log(senders[i % 5] ?? ''))
}
const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id).toSorted()

/** A listener that keeps what it is told, and rejects while it is away. */
function createListener(name: string) {
  const told: CommittedEvents[] = []
  const repeats: CommittedEvents[] = []
  const listener = {
    name,
    isAway: false,
    attempts: 0,
    told,
    repeats,
    async deliver(events: CommittedEvents, { isRepeat }: { readonly isRepeat: boolean }) {
      listener.attempts++
      if (listener.isAway) throw new Error('away')
      ;(isRepeat ? repeats : told).push(events)
    },
    logs: () => [...told, ...repeats].flatMap(({ logs }) => logs),
  }
  return listener satisfies OutboxListener
}

async function readMetric(metrics: Metrics, name: string, labels: Record<string, unknown>): Promise<number> {
  const { values = [] } = (await metrics.getSingleMetric(name)?.get()) ?? {}
  const found = values.find(value =>
    Object.entries(labels).every(([label, wanted]) => value.labels[label] === wanted),
  )
  return found?.value ?? Number.NaN
}

async function logLength(): Promise<number> {
  const shards = Array.from({ length: SHARD_COUNT }, (_, shard) =>
    redis.ingest.xlen(redisKeys.ingestLog(shard)),
  )
  return (await Promise.all(shards)).reduce((sum, length) => sum + length, 0)
}

describe('listeners of the outbox', () => {
  it('are each told of logs, whole, and of presence once, and of nothing when there is neither', async () => {
    const [first, second] = [createListener('first'), createListener('second')]
    ingest = await fixture.start({ listeners: [first, second] })
    const logs = newLogs(200)
    const deviceId = newId()
    const presence = fixture.presence(deviceId, 1, true)
    await fixture.append([fixture.state(deviceId, 1_000)])
    await written()
    await fixture.append([...logs, presence], 20)
    for (const { told, logs: found } of [first, second]) {
      await waitFor(() => found().length >= 200 && told.some(events => events.presence.length > 0))
      expect(ids(found())).toEqual(ids(logs))
      expect(told.flatMap(events => events.presence)).toMatchObject([
        { id: presence.id, deviceId, online: true },
      ])
      expect(told.every(events => events.logs.length + events.presence.length > 0)).toBe(true)
    }
    const published = await waitFor(async () => {
      const events = await fixture.published('log')
      return events.length >= 200 ? events : undefined
    })
    const sorted = (events: readonly { id: string }[]) => events.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    expect(sorted(first.logs())).toEqual(sorted(published))
  })

  it('that fail do not hold up the writer, the live topics or one another, and are told all when they heal', async () => {
    const [well, ill] = [createListener('well'), createListener('ill')]
    ill.isAway = true
    const metrics = newMetrics()
    ingest = await fixture.start({ listeners: [well, ill], metrics })
    const logs = newLogs(120)
    for (let from = 0; from < 120; from += 3) {
      await fixture.append(logs.slice(from, from + 3))
      await written()
    }
    await waitFor(async () => well.logs().length >= 120 && (await fixture.published('log')).length >= 120)
    await waitFor(() => ill.attempts > 2)
    expect(ids(well.logs())).toEqual(ids(logs))
    expect(well.repeats).toEqual([])
    expect(ids(await fixture.published('log'))).toEqual(ids(logs))

    const lag = (listener: string) => readMetric(metrics, 'nuvion_ingest_outbox_lag_seconds', { listener })
    const before = await lag('ill')
    expect(before).toBeGreaterThan(0)
    await waitFor(async () => (await lag('ill')) > before + 0.2)
    await waitFor(async () => (await lag('well')) === 0 && (await lag(LIVE_LISTENER)) === 0)
    expect(
      await readMetric(metrics, 'nuvion_ingest_delivery_failures_total', { listener: 'ill' }),
    ).toBeGreaterThan(2)
    // The log keeps what one of them has not been told of.
    expect(await logLength()).toBeGreaterThan(0)

    ill.isAway = false
    await waitFor(() => ill.logs().length >= 120)
    expect(ids(ill.logs())).toEqual(ids(logs))
    await waitFor(async () => (await lag('ill')) === 0)
    await waitFor(async () => (await logLength()) === 0)
  })

  it('go on from positions of their own after a restart', async () => {
    const [well, ill] = [createListener('well'), createListener('ill')]
    ill.isAway = true
    const logs = newLogs(100)
    ingest = await fixture.start({ listeners: [well, ill] })
    await fixture.append(logs, 5)
    await waitFor(() => well.logs().length >= 100)
    await ingest[Symbol.asyncDispose]()
    const [again, healed] = [createListener('well'), createListener('ill')]
    ingest = await fixture.start({ listeners: [healed, again] })
    const more = newLogs(10)
    await fixture.append(more)
    await waitFor(() => healed.logs().length >= 110 && again.logs().length >= 10)
    expect(ids(again.logs())).toEqual(ids(more))
    expect(ids(healed.logs())).toEqual(ids([...logs, ...more]))
    expect(healed.repeats.flatMap(events => events.logs).length).toBeGreaterThanOrEqual(100)
  })

  it('begin, when they are new, with what comes then, while the publisher goes on from where it was', async () => {
    const dead = { publish: () => Promise.reject(new Error('the live Redis is away')) }
    ingest = await fixture.start({ livePublisher: dead })
    const before = newLogs(40)
    await fixture.append(before, 4)
    await written()
    await ingest[Symbol.asyncDispose]()
    const kept = await redis.ingest.get('nuvion:published:0')
    expect(kept).toMatch(/^\d+-\d+$/)
    const fresh = createListener('fresh')
    ingest = await fixture.start({ listeners: [fresh] })
    const after = newLogs(40)
    await fixture.append(after, 4)
    await waitFor(async () => fresh.logs().length >= 40 && (await fixture.published('log')).length >= 80)
    expect(ids(fresh.logs())).toEqual(ids(after))
    expect(ids(await fixture.published('log'))).toEqual(ids([...before, ...after]))
  })

  it('must have names that make keys', () => {
    for (const names of [['a', 'a'], [LIVE_LISTENER], [''], ['0'], ['a:b']])
      expect(() => fixture.launch({ listeners: names.map(createListener) })).toThrow(TypeError)
  })
})

describe('the lag of the writer', () => {
  it('rises while the writer is stuck', async () => {
    const metrics = newMetrics()
    const stuck = Promise.withResolvers<Awaited<ReturnType<typeof directory.placesOf>>>()
    ingest = await fixture.start({ metrics, directory: { placesOf: () => stuck.promise } })
    const deviceId = newId()
    await fixture.append([fixture.log(deviceId)])
    const lag = async () => {
      const { values = [] } = (await metrics.getSingleMetric('nuvion_ingest_lag_seconds')?.get()) ?? {}
      return Math.max(...values.map(({ value }) => value))
    }
    const early = await waitFor(async () => (await lag()) || undefined)
    await waitFor(async () => (await lag()) > early + 0.3)
    stuck.resolve(new Map())
    await written()
    const settled = await lag()
    expect(settled).toBeGreaterThan(0.3)
    await fixture.append([fixture.log(deviceId)])
    await waitFor(async () => (await lag()) < 0.3)
  })
})
