import type { Pool } from 'mysql2/promise'
import { startProduct } from '../../../subgraphs/shared/testkit/product.ts'
import { newIdAt } from '../../../subgraphs/shared/uuid-v7.ts'
import { addFactoryRows, type FactoryRows } from '../factory-rows.ts'
import { runPeer } from '../peer-program.ts'
import { openProductSite } from '../product-site.ts'

/** The factories that are to be made. */
export interface ReadsOptions {
  /** Logs of each. */
  readonly sizes: readonly number[]
  readonly users: number
}

/** A factory and the process of the product that serves it, from a database of its own. */
export interface ReadFactory {
  readonly url: string
  readonly pid: number
  readonly logs: number
  readonly spaceId: string
  readonly lineId: string
  /** Access tokens, good for 15 minutes from when they are asked for. */
  readonly tokens: readonly string[]
}

const DEVICES = 12
/** Logs are spread evenly over so long, up to now. */
const SPREAD_MS = 8 * 7 * 86_400_000

const ROWS_PER_INSERT = 2_000
const INSERTS_AT_ONCE = 2
const PROGRESS_INTERVAL_MS = 10_000

const LEVELS = ['INFO', 'INFO', 'DEBUG', 'INFO', 'WARN', 'INFO', 'DEBUG', 'INFO', 'INFO', 'ERROR'] as const
const MESSAGES = [
  'Cycle completed in 4182 ms, part accepted',
  'Spindle temperature 61.4 °C, within limits',
  'Coolant pressure dropped to 2.1 bar, pump restarted',
  'Tool 7 changed after 312 parts',
]

const INSERT =
  'INSERT INTO log (space_id, id, device_id, line_id, process_id, level, message, attributes, clock_replaced, received_at) VALUES ?'

// Front processes of the product (gateway and both subgraphs in one), each on a database of its own of one MariaDB, which
// is set as the embedded one but for the flush at each commit: nothing is written while it is read. Filling takes minutes,
// so the program is ready at once, with nothing; it answers `fill` as often as it is asked, for about ten seconds each,
// with how many rows are in, and `start` with the factories.
await runPeer<ReadsOptions, object>(async ({ sizes, users }) => {
  const site = await openProductSite({ name: 'reads', durability: 'crash' })
  const made = new AsyncDisposableStack()
  const factories: { database: Database; rows: FactoryRows; size: number; filled: number }[] = []
  for (const size of sizes) {
    const database = made.use(await site.createDatabase(`reads_${size}`))
    const rows = await addFactoryRows(database.pool, { users, devices: DEVICES })
    factories.push({ database, rows, size, filled: 0 })
  }
  const startedAt = Date.now()

  async function fill(): Promise<number> {
    const until = performance.now() + PROGRESS_INTERVAL_MS
    for (const factory of factories) {
      while (factory.filled < factory.size && performance.now() < until) {
        const inserts = Array.from({ length: INSERTS_AT_ONCE }, () => {
          const from = factory.filled
          factory.filled = Math.min(factory.size, from + ROWS_PER_INSERT)
          return insertLogs(factory.database.pool, factory, { from, to: factory.filled, startedAt })
        })
        await Promise.all(inserts)
      }
    }
    return factories.reduce((sum, { filled }) => sum + filled, 0)
  }

  async function start(): Promise<ReadFactory[]> {
    const served: ReadFactory[] = []
    for (const { database, rows, size } of factories) {
      await database.pool.query('ANALYZE TABLE space, membership, line, process, device, log')
      const product = made.use(
        await startProduct({
          roles: ['gateway', 'device', 'events', 'reports', 'streaming'],
          env: database.env,
        }),
      )
      const tokens = await Promise.all(rows.userIds.map(userId => site.signIn(userId)))
      const { spaceId, devices } = rows
      const lineId = devices[0]?.lineId ?? ''
      served.push({
        url: `${product.url}/graphql`,
        pid: product.pid,
        logs: size,
        spaceId,
        lineId,
        tokens,
      })
    }
    return served
  }

  return {
    ready: {},
    answer: question => (question === 'fill' ? fill() : start()),
    async close() {
      await made.disposeAsync()
      await site[Symbol.asyncDispose]()
    },
  }
})

type Database = Awaited<ReturnType<Awaited<ReturnType<typeof openProductSite>>['createDatabase']>>

async function insertLogs(
  pool: Pool,
  { rows: { spaceId, devices }, size }: { rows: FactoryRows; size: number },
  { from, to, startedAt }: { from: number; to: number; startedAt: number },
): Promise<void> {
  if (from === to) return
  const logs = Array.from({ length: to - from }, (_, i) => {
    const number = from + i
    const at = Math.floor(startedAt - SPREAD_MS + (SPREAD_MS * (number + 1)) / size)
    const device = devices[(number * 7) % DEVICES]
    const level = LEVELS[(number >> 2) % LEVELS.length]
    const message = MESSAGES[number % MESSAGES.length]
    const place = [device?.lineId, device?.processId]
    const attributes = `{"sequence":${number},"recipe":"A-17"}`
    return [spaceId, newIdAt(at), device?.deviceId, ...place, level, message, attributes, false, new Date(at)]
  })
  await pool.query(INSERT, [logs])
}
