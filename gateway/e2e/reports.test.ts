import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SEVERITIES } from '../../schema/severity.ts'
import { graphqlData, signIn } from '../../subgraphs/shared/testkit/graphql-request.ts'
import { openTestDatabase, type TestDatabase } from '../../subgraphs/shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../../subgraphs/shared/testkit/open-test-redis.ts'
import { type Product, startProduct } from '../../subgraphs/shared/testkit/product.ts'
import { createRandom } from '../../subgraphs/shared/testkit/random.ts'
import { type ModelEvent, type ModelRow, reckonReport } from '../../subgraphs/shared/testkit/report-model.ts'
import {
  connectStompDevice,
  type DeviceLogin,
  type StompDevice,
} from '../../subgraphs/shared/testkit/stomp-device.ts'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import { newId, newIdAt, timeOfId } from '../../subgraphs/shared/uuid-v7.ts'

const DAY_MS = 24 * 60 * 60_000
const LEVELS = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const
const ZONES = ['Asia/Seoul', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'] as const
/** Longer than devices may be late, so that a change of clocks lies in it whatever the day of the test. */
const RETENTION_DAYS = 400
const seed = Math.floor(Math.random() * 2 ** 31)
const random = createRandom(seed)
const below = (count: number) => Math.floor(random() * count)
const oneOf = <T>(values: readonly T[]) => values[below(values.length)] as T

interface Place {
  readonly lineId: string | null
  readonly processId: string | null
}

let database: TestDatabase
let redis: TestRedis
let product: Product
let token: string
let dataDir: string

beforeAll(async () => {
  database = await openTestDatabase()
  redis = await openTestRedis()
  dataDir = await mkdtemp(join(tmpdir(), 'nuvion-reports-'))
  product = await startProduct({
    env: {
      ...{ NUVION_PROFILE: 'small', NUVION_DEMO: '1', NUVION_DATA: dataDir, HOST: '127.0.0.1' },
      ...{ DATABASE_URL: database.url, REDIS_URL: redis.liveUrl, REDIS_INGEST_URL: redis.ingestUrl },
      ...{ NUVION_RETENTION_DAYS: String(RETENTION_DAYS), NUVION_RATE_LIMIT: '0' },
    },
  })
  token = await signIn(product.url)
}, 60_000)
afterAll(async () => {
  await product?.[Symbol.asyncDispose]()
  await rm(dataDir, { recursive: true, force: true })
  await redis?.[Symbol.asyncDispose]()
  await database?.[Symbol.asyncDispose]()
}, 60_000)

const ask = <T>(query: string, variables: Record<string, unknown> = {}) =>
  graphqlData<T>(product.url, query, { token, variables })

/** Runs a mutation by its input; answers the id of what it made. */
async function make(mutation: string, selection: string, input: Record<string, unknown>): Promise<string> {
  const inputType = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input`
  const data = await ask<Record<string, Record<string, { id: string } | null>>>(
    `mutation ($input: ${inputType}!) { made: ${mutation}(input: $input) { ${selection} { id } userErrors { message } } }`,
    { input },
  )
  const id = data.made?.[selection]?.id
  if (id === undefined) throw new Error(JSON.stringify(data))
  return id
}

/** A space of two lines with a process each, and four devices that stand there in turns. */
async function makeFactory() {
  const spaceId = await make('createSpace', 'space', { name: 'Reported', timezone: 'Europe/Berlin' })
  const places: Place[] = [{ lineId: null, processId: null }]
  for (const name of ['A', 'B']) {
    const lineId = await make('createLine', 'line', { spaceId, name })
    places.push({ lineId, processId: await make('createProcess', 'process', { spaceId, lineId, name }) })
  }
  const { registerDevices } = await ask<{
    registerDevices: { registered: { device: { id: string }; credential: string }[] }
  }>(
    `mutation ($input: RegisterDevicesInput!) {
      registerDevices(input: $input) { registered { device { id } credential } userErrors { message } }
    }`,
    {
      input: {
        spaceId,
        devices: [0, 1, 2, 3].map(n => ({ code: `R-${n}`, name: `Reporter ${n}`, ...places[n % 3] })),
      },
    },
  )
  const logins = registerDevices.registered.map(
    ({ device, credential }): DeviceLogin => ({ deviceId: device.id, credential }),
  )
  return { spaceId, places, logins }
}

/** Nights of the last ten months in which clocks change in Europe or America. */
function listChanges(): number[] {
  const now = Date.now()
  const days = Array.from({ length: 300 }, (_, i) => now - (i + 6) * DAY_MS)
  const offsetAt = (zone: string, at: number) =>
    new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).format(at).slice(-6)
  return days.filter(at => ZONES.some(zone => offsetAt(zone, at) !== offsetAt(zone, at + DAY_MS)))
}

it(`reports say what devices sent: late, twice, and moved meanwhile (seed ${seed})`, async () => {
  const { spaceId, places, logins } = await makeFactory()
  const changes = listChanges()
  expect(changes.length).toBeGreaterThanOrEqual(2)
  const placeOf = new Map(logins.map(({ deviceId }, n) => [deviceId, places[n % 3] ?? places[0]]))
  const logs: ModelEvent[] = []
  const anomalies: ModelEvent[] = []
  const makeEvent = (deviceId: string, id: string): ModelEvent => ({
    ...{ at: timeOfId(id), device: deviceId, severity: below(4), type: oneOf(['heat', 'Heat', '과열']) },
    ...{ line: placeOf.get(deviceId)?.lineId ?? null, process: placeOf.get(deviceId)?.processId ?? null },
  })

  /** Sends a batch of what is late, and sends it again. */
  async function send(device: StompDevice, deviceId: string, count: number): Promise<void> {
    const ids = () =>
      Array.from({ length: count }, () => newIdAt(oneOf(changes) + below(4 * DAY_MS) - DAY_MS))
    const sentLogs = ids().map(id => ({ id, event: makeEvent(deviceId, id) }))
    const sentAnomalies = ids().map(id => ({ id, event: makeEvent(deviceId, id) }))
    const logBody = sentLogs.map(({ id, event }) => ({ id, level: LEVELS[event.severity], message: 'x' }))
    const anomalyBody = sentAnomalies.map(({ id, event: { type, severity } }) => {
      return { id, type, severity: SEVERITIES[severity] }
    })
    await Promise.all([
      ...[device.send('/app/log', logBody), device.send('/app/anomaly', anomalyBody)],
      ...[device.send('/app/log', logBody.slice(0, 50)), device.send('/app/anomaly', anomalyBody)],
    ])
    logs.push(...sentLogs.map(({ event }) => event))
    anomalies.push(...sentAnomalies.map(({ event }) => event))
  }

  const all = {
    ...{ from: Date.now() - 399 * DAY_MS, to: Date.now() + DAY_MS, interval: 'WEEK' as const },
    ...{ zone: 'Asia/Seoul', groupBy: [] },
  }

  /** Waits until all that was sent is written. */
  async function untilWritten(): Promise<void> {
    await waitFor(async () => (await report('anomaly', all)).total >= anomalies.length, {
      ...{ what: 'all anomalies', deadlineMs: 30_000 },
    })
    await waitFor(async () => (await report('log', all)).total >= logs.length, {
      ...{ what: 'all logs', deadlineMs: 30_000 },
    })
  }

  /**
   * Moves a device, and waits until what it sends is written there. An event gets the place that its device has when
   * it is written, not when it is receipted: so what was sent before is written first.
   */
  async function move(device: StompDevice, deviceId: string, place: Place): Promise<void> {
    await untilWritten()
    await make('updateDevice', 'device', { deviceId, ...place })
    const deadlineMs = 30_000
    await waitFor(
      async () => {
        const id = newId()
        await device.send('/app/log', { id, level: 'INFO', message: 'Where am I?' })
        const line = await waitFor(() => findLineOf(id), { what: 'the log', deadlineMs })
        const written = places.find(one => one.lineId === line.id) ?? places[0]
        placeOf.set(deviceId, written)
        logs.push({ ...makeEvent(deviceId, id), severity: 1 })
        return written === place
      },
      { what: 'a log at the new place', deadlineMs },
    )
  }

  async function findLineOf(id: string): Promise<{ id: string | null } | null> {
    const data = await ask<{ logs: { nodes: { id: string; line: { id: string } | null }[] } }>(
      'query ($spaceId: ID!) { logs(spaceId: $spaceId, first: 20) { nodes { id line { id } } } }',
      { spaceId },
    )
    const log = data.logs.nodes.find(log => log.id === id)
    return log === undefined ? null : { id: log.line?.id ?? null }
  }

  async function report(kind: 'anomaly' | 'log', asked: Parameters<typeof reckonReport>[2]) {
    const { from, to, interval, zone, groupBy } = asked
    const data = await ask<{ report: { total: number; rows: ModelRow[] } }>(
      `query ($spaceId: ID!, $from: DateTime!, $to: DateTime!) {
        report: ${kind}Report(spaceId: $spaceId, from: $from, to: $to, interval: ${interval}, timezone: "${zone}",
          groupBy: [${groupBy}]) {
          total rows {
            bucketStart line { id } process { id } device { id } ${kind === 'log' ? 'level' : 'type severity'} total
          }
        }
      }`,
      { spaceId, from: new Date(from).toISOString(), to: new Date(to).toISOString() },
    )
    return data.report
  }

  const devices = await Promise.all(logins.map(login => connectStompDevice(product.url, login)))
  for (const [n, { deviceId }] of logins.entries()) {
    const device = devices[n] as StompDevice
    await send(device, deviceId, 150)
    if (n < 2) await move(device, deviceId, oneOf(places.filter(place => place !== placeOf.get(deviceId))))
    await send(device, deviceId, 150)
  }
  await untilWritten()

  for (let round = 0; round < 60; round++) {
    const interval = oneOf(['HOUR', 'DAY', 'WEEK', 'MONTH'] as const)
    const kind = oneOf(['anomaly', 'log'] as const)
    const from = oneOf(changes) - below(2 * DAY_MS)
    const to = from + 1 + below({ HOUR: 4, DAY: 30, WEEK: 100, MONTH: 300 }[interval] * DAY_MS)
    const groups = ['LINE', 'PROCESS', 'DEVICE', ...(kind === 'log' ? ['LEVEL'] : ['TYPE', 'SEVERITY'])]
    const groupBy = groups.filter(() => random() < 0.3)
    const asked = { from, to, interval, zone: oneOf(ZONES), groupBy }
    const expected = reckonReport(kind === 'log' ? logs : anomalies, kind, asked)
    if (expected.rows.length > 10_000) continue
    expect(await report(kind, asked), JSON.stringify({ kind, ...asked })).toEqual(expected)
  }

  // What a page shows adds up to the same.
  const counts = await ask<{ space: Record<'lines' | 'devices', { nodes?: Counted[] } & Counted[]> }>(
    `query ($spaceId: ID!, $from: DateTime!, $to: DateTime!) {
      space(id: $spaceId) {
        lines { id anomalyCount(from: $from, to: $to) }
        devices(first: 100) { nodes {
          id anomalyCount(from: $from, to: $to) availability(from: $from, to: $to) { onlineRatio }
        } }
      }
    }`,
    { spaceId, from: new Date(Date.now() - 366 * DAY_MS + 60_000), to: new Date() },
  )
  for (const { id, anomalyCount } of counts.space.lines)
    expect(anomalyCount).toBe(anomalies.filter(e => e.line === id).length)
  expect(counts.space.devices.nodes).toHaveLength(4)
  for (const { id, anomalyCount, availability } of counts.space.devices.nodes ?? []) {
    expect(anomalyCount).toBe(anomalies.filter(e => e.device === id).length)
    expect(availability?.onlineRatio).toBeGreaterThan(0.5)
  }
  await Promise.all(devices.map(device => device[Symbol.asyncDispose]()))
}, 120_000)

interface Counted {
  id: string
  anomalyCount: number
  availability?: { onlineRatio: number }
}

it('a report that is asked for when a log is listed has counted it', async () => {
  const { spaceId, logins } = await makeFactory()
  await using device = await connectStompDevice(product.url, logins[0] as DeviceLogin)
  for (let total = 1; total <= 20; total++) {
    const id = newId()
    await device.send('/app/log', { id, level: 'WARN', message: 'fresh' })
    await waitFor(async () => {
      const { logs } = await ask<{ logs: { nodes: { id: string }[] } }>(
        'query ($spaceId: ID!) { logs(spaceId: $spaceId, first: 1) { nodes { id } } }',
        { spaceId },
      )
      return logs.nodes[0]?.id === id
    })
    const { logReport } = await ask<{ logReport: { total: number } }>(
      `query ($spaceId: ID!, $from: DateTime!, $to: DateTime!) {
        logReport(spaceId: $spaceId, from: $from, to: $to, interval: HOUR) { total }
      }`,
      { spaceId, from: new Date(Date.now() - DAY_MS), to: new Date() },
    )
    expect(logReport.total).toBe(total)
  }
}, 60_000)

it('a link of an export is opened at the address of the product', async () => {
  const { spaceId } = await makeFactory()
  const { exportReport } = await ask<{ exportReport: { url: string } }>(
    `mutation ($input: ExportReportInput!) { exportReport(input: $input) { url userErrors { message } } }`,
    { input: { spaceId, kind: 'LOG_REPORT', from: new Date(Date.now() - DAY_MS), to: new Date() } },
  )
  const response = await fetch(new URL(exportReport.url, product.url))
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('text/csv'),
  ])
  expect(await response.text()).toContain('bucketStart,total\r\n')
})
