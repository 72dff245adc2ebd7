import type { Pool, RowDataPacket } from 'mysql2/promise'
import { SUBGRAPH_NAMES } from '../../../schema/graphql/subgraph-sdl.ts'
import { ROLLUP_BUCKET_MS } from '../../../schema/mysql/ingest-tables.ts'
import { ROLLUPS, type RollupTable } from '../../../subgraphs/events/ingest/event-rollups.ts'
import { sourceColumn, sourceOf } from '../../../subgraphs/events/ingest/rollup-source.ts'
import { startProduct } from '../../../subgraphs/shared/testkit/product.ts'
import { idLowerBound } from '../../../subgraphs/shared/uuid-v7.ts'
import { addFactoryRows, type FactoryRows } from '../factory-rows.ts'
import { runPeer } from '../peer-program.ts'
import { openProductSite, type SiteDatabase } from '../product-site.ts'

/** The factories that are to be made. */
export interface ReportsOptions {
  /** Anomalies of each, over DAYS. */
  readonly sizes: readonly number[]
  readonly users: number
}

/** A factory and the process of the product that serves it, from a database of its own. */
export interface ReportFactory {
  readonly url: string
  readonly pid: number
  readonly anomalies: number
  readonly spaceId: string
  /** ISO 8601: the days of the anomalies. */
  readonly from: string
  readonly to: string
  /** Access tokens, good for 15 minutes from when they are asked for. */
  readonly tokens: readonly string[]
}

/** What is asked, and answered as soon as it is done; until then the answer is null, and it is asked again. */
export type ReportsQuestion = 'fill' | 'count' | 'start' | 'raw'

const DEVICES = 50
const DAYS = 30
const DAY_MS = 86_400_000

/** Rows of one statement; a row a number of the sequence. */
const ROWS_PER_INSERT = 50_000
const ANSWER_MS = 10_000

// Front processes of the product (gateway and subgraphs in one), each on a database of its own of one MariaDB, which is
// set as the embedded one but for the flush at each commit: nothing is written while it is read. The rows are made by the
// server out of numbers: uniform in time, over devices, types and severities. Steps that take long are answered with null
// every ten seconds until they are done.
await runPeer<ReportsOptions, object>(async ({ sizes, users }) => {
  const site = await openProductSite({ name: 'reports', durability: 'crash' })
  const made = new AsyncDisposableStack()
  const end = Math.floor(Date.now() / DAY_MS) * DAY_MS
  const range = { from: end - DAYS * DAY_MS, to: end }
  const factories: { database: SiteDatabase; rows: FactoryRows; size: number; filled: number }[] = []
  for (const size of sizes) {
    const database = made.use(await site.createDatabase(`reports_${size}`))
    const rows = await addFactoryRows(database.pool, { users, devices: DEVICES })
    factories.push({ database, rows, size, filled: 0 })
  }

  /** Goes on filling for some seconds; answers how many rows are in. */
  async function fill(): Promise<number> {
    const until = performance.now() + ANSWER_MS
    for (const factory of factories)
      while (factory.filled < factory.size && performance.now() < until) {
        const from = factory.filled
        factory.filled = Math.min(factory.size, from + ROWS_PER_INSERT)
        await insertOccurrences(factory.database.pool, factory, { from, to: factory.filled, range })
      }
    return factories.reduce((sum, { filled }) => sum + filled, 0)
  }

  async function count(): Promise<true> {
    for (const { database, rows } of factories) {
      await fillRollups(database.pool, rows.spaceId, range)
      await database.pool.query(
        'ANALYZE TABLE anomaly_occurrence, anomaly_rollup_fine, anomaly_rollup_coarse',
      )
    }
    return true
  }

  async function start(): Promise<ReportFactory[]> {
    const served: ReportFactory[] = []
    for (const { database, rows, size } of factories) {
      const product = made.use(
        await startProduct({ roles: ['gateway', ...SUBGRAPH_NAMES], env: database.env }),
      )
      served.push({
        url: product.url,
        pid: product.pid,
        anomalies: size,
        spaceId: rows.spaceId,
        from: new Date(range.from).toISOString(),
        to: new Date(range.to).toISOString(),
        tokens: await Promise.all(rows.userIds.map(userId => site.signIn(userId))),
      })
    }
    return served
  }

  /** The same report of the largest factory out of the rows themselves; milliseconds. */
  async function countRaw(): Promise<number> {
    const largest = factories.reduce((a, b) => (a.size > b.size ? a : b))
    const startedAt = performance.now()
    const [rows] = await largest.database.pool.query<RowDataPacket[]>(
      `SELECT ${sourceColumn('bucket')} DIV ${DAY_MS / ROLLUP_BUCKET_MS} AS day, process_id, COUNT(*) AS total
       FROM anomaly_occurrence WHERE space_id = ? AND cleared = 0 GROUP BY day, process_id`,
      [largest.rows.spaceId],
    )
    const total = rows.reduce((sum, row) => sum + Number(row.total), 0)
    if (total !== largest.size) throw new Error(`${total} rows were counted, not ${largest.size}`)
    return performance.now() - startedAt
  }

  const work: Record<ReportsQuestion, () => Promise<unknown>> = { fill, count, start, raw: countRaw }
  const running = new Map<string, Promise<unknown>>()
  return {
    ready: {},
    async answer(question) {
      const begun = running.get(question) ?? work[question as ReportsQuestion]()
      running.set(question, begun)
      const pending = Promise.withResolvers<null>()
      const timer = setTimeout(() => pending.resolve(null), ANSWER_MS * 1.5)
      const answer = await Promise.race([begun, pending.promise])
      clearTimeout(timer)
      if (answer !== null) running.delete(question)
      return answer
    },
    async close() {
      await made.disposeAsync()
      await site[Symbol.asyncDispose]()
    },
  }
})

/** Inserts rows of the numbers `from` to `to`, in the order of their ids. */
async function insertOccurrences(
  pool: Pool,
  { rows: { spaceId, devices }, size }: { rows: FactoryRows; size: number },
  { from, to, range }: { from: number; to: number; range: { from: number; to: number } },
): Promise<void> {
  const choose = (values: readonly string[], place: string) =>
    `ELT(1 + ${place} % ${values.length}, ${values.map(value => pool.escape(value)).join(', ')})`
  // Primes, so that devices, types and severities come in every combination.
  const device = 'seq * 7'
  const hex = `LPAD(HEX(${range.from} + FLOOR(seq * ${(range.to - range.from) / size})), 12, '0')`
  await pool.query(
    `INSERT INTO anomaly_occurrence (space_id, id, device_id, line_id, process_id, type, severity, message, score,
       attributes, cleared, clock_replaced, received_at)
     SELECT ${pool.escape(spaceId)},
       LOWER(CONCAT(LEFT(${hex}, 8), '-', RIGHT(${hex}, 4), '-7000-8000-', LPAD(HEX(seq), 12, '0'))),
       ${choose(
         devices.map(({ deviceId }) => deviceId),
         device,
       )},
       ${choose(
         devices.map(({ lineId }) => lineId),
         device,
       )},
       ${choose(
         devices.map(({ processId }) => processId),
         device,
       )},
       ${choose(['VIBRATION_HIGH', 'OVERHEAT', 'PRESSURE_LOW', 'TOOL_WORN'], 'seq DIV 3')},
       ${choose(['INFO', 'MINOR', 'MAJOR', 'CRITICAL'], 'seq DIV 11')},
       'Spindle vibration 4.1 mm/s, above the limit of 2.8', 0.87, '{"recipe":"A-17"}', 0, 0,
       FROM_UNIXTIME((${range.from} + seq * ${(range.to - range.from) / size}) / 1000)
     FROM seq_${from}_to_${to - 1}`,
  )
}

/** Computes the rollups of anomalies: the finest out of the rows, a day a statement, the others out of that one. */
async function fillRollups(pool: Pool, spaceId: string, range: { from: number; to: number }): Promise<void> {
  const finest = 'anomaly_rollup_fine'
  const fill = (table: RollupTable, isFinest: boolean, condition: string, values: readonly unknown[]) => {
    const { key, counts } = ROLLUPS[table]
    const { events, grade } = sourceOf(table)
    return pool.query(
      `INSERT INTO ${table} (${[...key, ...counts].join(', ')})
       SELECT ${(isFinest ? key.map(sourceColumn) : key).join(', ')},
         ${counts.map(count => (isFinest ? `SUM(${grade} = '${count.toUpperCase()}')` : `SUM(${count})`)).join(', ')}
       FROM ${isFinest ? events : finest} WHERE ${condition} GROUP BY ${key.map((_, i) => i + 1).join(', ')}`,
      [...values],
    )
  }
  for (let day = range.from; day < range.to; day += DAY_MS)
    await fill(finest, true, 'space_id = ? AND id >= ? AND id < ?', [
      spaceId,
      idLowerBound(day),
      idLowerBound(day + DAY_MS),
    ])
  for (const table of Object.keys(ROLLUPS) as RollupTable[])
    if (table.startsWith('anomaly') && table !== finest) await fill(table, false, 'space_id = ?', [spaceId])
}
