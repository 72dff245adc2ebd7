import type { RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Cluster, startCluster } from '../../subgraphs/shared/testkit/cluster.ts'
import { graphqlData, signIn } from '../../subgraphs/shared/testkit/graphql-request.ts'
import { connectStompDevice } from '../../subgraphs/shared/testkit/stomp-device.ts'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import { newId } from '../../subgraphs/shared/uuid-v7.ts'

const BATCHES = 20
const BATCH = 100
const ENTITIES = 100
const READ_TABLES = [
  ...['anomaly', 'anomaly_occurrence', 'log', 'presence_event'],
  ...[
    'anomaly_rollup_fine',
    'anomaly_rollup_coarse',
    'anomaly_rollup_device',
    'log_rollup_fine',
    'log_rollup_coarse',
  ],
]
const DEADLINE = { deadlineMs: 40_000 }

const REPORTS = `query ($spaceId: ID!, $from: DateTime!, $to: DateTime!) {
  anomalyReport(spaceId: $spaceId, from: $from, to: $to, interval: HOUR, groupBy: [DEVICE, TYPE, SEVERITY]) { total }
  logReport(spaceId: $spaceId, from: $from, to: $to, interval: HOUR, groupBy: [LINE, LEVEL]) { total }
  availabilityReport(spaceId: $spaceId, from: $from, to: $to, groupBy: [DEVICE]) { rows { onlineRatio } }
  responseReport(spaceId: $spaceId, from: $from, to: $to, groupBy: [SEVERITY]) { rows { raised } }
  space(id: $spaceId) { devices(first: 100) { nodes { anomalyCount(from: $from, to: $to) } } }
}`
const EXPORT = `mutation ($input: ExportReportInput!) { exportReport(input: $input) { url userErrors { message } } }`

let cluster: Cluster
let token: string
beforeAll(async () => {
  // A server of its own, whose counts are of nobody else.
  cluster = await startCluster({ NUVION_RATE_LIMIT: '0' }, { own: ['mariadb'] })
  token = await signIn(cluster.gatewayUrl)
}, 90_000)
afterAll(() => cluster?.[Symbol.asyncDispose](), 60_000)

const ask = <T>(query: string, variables: Record<string, unknown>) =>
  graphqlData<T>(cluster.gatewayUrl, query, { token, variables })

async function makeFactory() {
  const { createSpace } = await ask<{ createSpace: { space: { id: string } } }>(
    'mutation ($input: CreateSpaceInput!) { createSpace(input: $input) { space { id } userErrors { message } } }',
    { input: { name: 'Locked', timezone: 'Asia/Seoul' } },
  )
  const spaceId = createSpace.space.id
  const { registerDevices } = await ask<{
    registerDevices: { registered: { device: { id: string }; credential: string }[] }
  }>(
    `mutation ($input: RegisterDevicesInput!) {
      registerDevices(input: $input) { registered { device { id } credential } userErrors { message } }
    }`,
    {
      input: {
        spaceId,
        devices: Array.from({ length: ENTITIES }, (_, n) => ({ code: `L-${n}`, name: 'x' })),
      },
    },
  )
  return { spaceId, logins: registerDevices.registered.slice(0, 8) }
}

/** What InnoDB has counted since it began. */
async function readLocks(): Promise<Record<'waits' | 'waitedMs' | 'deadlocks', number>> {
  const [rows] = await cluster.database.pool.query<RowDataPacket[]>(
    "SHOW GLOBAL STATUS WHERE Variable_name IN ('Innodb_row_lock_waits', 'Innodb_row_lock_time', 'Innodb_deadlocks')",
  )
  const of = (name: string) => Number(rows.find(row => row.Variable_name === name)?.Value)
  return {
    waits: of('Innodb_row_lock_waits'),
    waitedMs: of('Innodb_row_lock_time'),
    deadlocks: of('Innodb_deadlocks'),
  }
}

it('reports, counts and exports lock no row, nor wait for one, while devices write', async () => {
  const { spaceId, logins } = await makeFactory()
  const devices = await Promise.all(
    logins.map(({ device, credential }) =>
      connectStompDevice(cluster.doorUrl, { deviceId: device.id, credential }),
    ),
  )
  const range = () => ({
    spaceId,
    from: new Date(Date.now() - 86_400_000).toISOString(),
    to: new Date(Date.now() + 86_400_000).toISOString(),
  })
  let sent = 0
  async function load(): Promise<void> {
    for (let batch = 0; batch < BATCHES; batch++) {
      await Promise.all(
        devices.map((device, n) =>
          batch % 2 === 0
            ? device.send(
                '/app/log',
                Array.from({ length: BATCH }, () => ({ id: newId(), level: 'INFO', message: 'x' })),
              )
            : device.send(
                '/app/anomaly',
                Array.from({ length: BATCH }, () => ({ id: newId(), type: `T${n}`, severity: 'MAJOR' })),
              ),
        ),
      )
    }
    sent += (BATCHES / 2) * BATCH * devices.length
    await waitFor(async () => {
      const { logReport, anomalyReport } = await ask<Record<string, { total: number }>>(
        `query ($spaceId: ID!, $from: DateTime!, $to: DateTime!) {
          logReport(spaceId: $spaceId, from: $from, to: $to, interval: DAY) { total }
          anomalyReport(spaceId: $spaceId, from: $from, to: $to, interval: DAY) { total }
        }`,
        range(),
      )
      return logReport?.total === sent && anomalyReport?.total === sent
    }, DEADLINE)
  }

  async function measure(work: () => Promise<unknown>) {
    const before = await readLocks()
    const startedAt = performance.now()
    await work()
    const after = await readLocks()
    return {
      waits: after.waits - before.waits,
      waitedMs: after.waitedMs - before.waitedMs,
      deadlocks: after.deadlocks - before.deadlocks,
      tookMs: Math.round(performance.now() - startedAt),
    }
  }

  const off = await measure(load)
  let isLoading = true
  let asked = 0
  let exported = 0
  const seen = { statements: 0, locking: [] as RowDataPacket[] }
  const loops = async () => {
    while (isLoading) {
      await ask(REPORTS, range())
      asked++
    }
  }
  const exporting = async () => {
    while (isLoading) {
      const { exportReport } = await ask<{ exportReport: { url: string } }>(EXPORT, {
        input: { ...range(), kind: exported % 2 === 0 ? 'LOGS' : 'ANOMALIES' },
      })
      const response = await fetch(new URL(exportReport.url, cluster.gatewayUrl))
      expect(response.status).toBe(200)
      await response.arrayBuffer()
      exported++
    }
  }
  /** Looks for statements of reports and exports among the transactions; what reads consistently locks nothing. */
  const watching = async () => {
    while (isLoading) {
      const [rows] = await cluster.database.pool.query<RowDataPacket[]>(
        `SELECT trx_state AS state, trx_rows_locked AS locked, trx_lock_structs AS structs, trx_query AS query
         FROM information_schema.INNODB_TRX
         WHERE trx_query LIKE 'SELECT id, received_at, device_id%' OR trx_query LIKE '%SELECT%AS slot%'
           OR trx_query LIKE '%FROM presence WINDOW%' OR trx_query LIKE '%WITH raised AS%'
           OR trx_query LIKE '%AS id, SUM(info + minor%'`,
      )
      seen.statements += rows.length
      seen.locking.push(...rows.filter(({ state, locked }) => state === 'LOCK WAIT' || Number(locked) > 0))
    }
  }
  const on = await measure(async () => {
    const loaded = load().finally(() => {
      isLoading = false
    })
    await Promise.all([loaded, loops(), loops(), exporting(), watching()])
  })
  expect(seen.locking, JSON.stringify({ off, on, asked, exported })).toEqual([])
  expect(asked).toBeGreaterThan(0)
  expect(exported).toBeGreaterThan(0)

  // Somebody holds every row that they read.
  const other = await cluster.database.pool.getConnection()
  await other.beginTransaction()
  for (const table of READ_TABLES) await other.query(`SELECT COUNT(*) FROM ${table} FOR UPDATE`)
  // What waited for it would not be answered.
  await ask(REPORTS, range())
  const { exportReport } = await ask<{ exportReport: { url: string } }>(EXPORT, {
    input: { ...range(), kind: 'ANOMALIES' },
  })
  const file = await (await fetch(new URL(exportReport.url, cluster.gatewayUrl))).text()
  expect(file.split('\r\n').length).toBe(sent + 2)
  await other.rollback()
  other.release()
  await Promise.all(devices.map(device => device[Symbol.asyncDispose]()))
}, 150_000)
