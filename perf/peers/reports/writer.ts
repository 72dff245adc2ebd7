import type { Pool, PoolConnection } from 'mysql2/promise'
import { type AnomalyItem, type LogItem, SHARD_COUNT } from '../../../schema/ingest-entry.ts'
import { SEVERITIES } from '../../../schema/severity.ts'
import { createBatchWriter } from '../../../subgraphs/events/ingest/batch-writer.ts'
import { countEvents } from '../../../subgraphs/events/ingest/event-rollups.ts'
import { createIngestMetrics } from '../../../subgraphs/events/ingest/ingest-metrics.ts'
import { createShardLeases } from '../../../subgraphs/events/ingest/shard-leases.ts'
import { createLogger } from '../../../subgraphs/shared/logger.ts'
import { createMetrics } from '../../../subgraphs/shared/metrics.ts'
import { newId } from '../../../subgraphs/shared/uuid-v7.ts'
import { addFactoryRows } from '../factory-rows.ts'
import { runPeer } from '../peer-program.ts'
import { openProductSite } from '../product-site.ts'

/** What is written in a round, and by how many devices. */
export interface RollupWriterOptions {
  readonly batches: number
  readonly rowsPerBatch: number
  readonly devices: number
}

/** A round: rows and how long they took. */
export interface RollupWriterRound {
  readonly rows: number
  readonly elapsedMs: number
  /** Of `elapsedMs`, in the statements of the rollups, and in counting for them. */
  readonly rollupMs: number
  readonly countMs: number
}

/** As the seed's devices send them: 30 logs an anomaly. */
const LOGS_PER_ANOMALY = 30
const TYPES = ['VIBRATION_HIGH', 'OVERHEAT', 'PRESSURE_LOW', 'TOOL_WORN'] as const
const LEVELS = ['INFO', 'INFO', 'INFO', 'DEBUG', 'WARN', 'INFO', 'INFO', 'DEBUG', 'INFO', 'ERROR'] as const

/** A statement of addToRollups. */
const ROLLUP_STATEMENT = /^INSERT INTO (log|anomaly)_rollup_/

// The ingest role's writer twice, flooded by turns in one process on one server that has every commit on disk: as it is,
// and with its statements about rollups left out on the way to the database. What the second still spends on counting for
// them is measured, and taken off its time.
await runPeer<RollupWriterOptions, object>(async ({ batches: count, rowsPerBatch, devices: deviceCount }) => {
  const site = await openProductSite({ name: 'reports-writer' })
  const database = await site.createDatabase('writer')
  const { pool } = database
  const { spaceId, devices } = await addFactoryRows(pool, { users: 1, devices: deviceCount })
  const leases = createShardLeases({ pool, owner: 'perf' })
  await leases.acquire()
  const shards = [...leases.owned.values()]
  const places = new Map(
    devices.map(({ deviceId, lineId, processId }) => [deviceId, { spaceId, lineId, processId }]),
  )
  const metrics = createIngestMetrics(createMetrics({ group: 'perf', withDefaults: false }))
  const logger = createLogger({ level: 'error', role: 'perf' })
  const rollups = { isLeftOut: false, ms: 0 }
  const writer = createBatchWriter({
    pool: observeRollups(pool, rollups),
    directory: { placesOf: async () => places },
    deadLetters: { append: async () => {} },
    metrics,
    logger,
  })
  let entry = 0
  let made = 0

  function makeItem(): LogItem | AnomalyItem {
    const number = made++
    const common = {
      id: newId(),
      spaceId,
      deviceId: devices[number % devices.length]?.deviceId ?? '',
      receivedAt: Date.now(),
      attributes: { sequence: number, recipe: 'A-17' },
      clockReplaced: false,
    }
    if (number % (LOGS_PER_ANOMALY + 1) > 0)
      return {
        ...common,
        kind: 'log',
        level: LEVELS[number % LEVELS.length] ?? 'INFO',
        message: 'Spindle temperature 61 °C, cycle completed within tolerance',
      }
    return {
      ...common,
      kind: 'anomaly',
      type: TYPES[(number >> 4) % TYPES.length] ?? '',
      severity: SEVERITIES[(number >> 6) % SEVERITIES.length] ?? 'INFO',
      message: 'Vibration above the limit',
      score: 0.9,
      cleared: false,
    }
  }

  async function write(batches: readonly (LogItem | AnomalyItem)[][]): Promise<void> {
    for (const items of batches) {
      entry++
      const ends = new Map(Array.from({ length: SHARD_COUNT }, (_, shard) => [shard, `${entry}-0`]))
      const batch = { items, malformed: [], entryCount: 1, ends, oldestAt: Date.now() }
      await writer.write(batch, shards, new AbortController().signal)
    }
  }

  /** How long the writer counts for the rollups of these. */
  function measureCounting(batches: readonly (LogItem | AnomalyItem)[][]): number {
    const plans = batches.map(items => ({
      logs: items.filter(item => item.kind === 'log'),
      anomalies: items.filter(item => item.kind === 'anomaly'),
    }))
    const startedAt = performance.now()
    for (const plan of plans) countEvents(plan, places)
    return performance.now() - startedAt
  }

  return {
    ready: {},
    async answer(lane): Promise<RollupWriterRound> {
      const batches = Array.from({ length: count }, () => Array.from({ length: rowsPerBatch }, makeItem))
      rollups.isLeftOut = lane === 'without'
      rollups.ms = 0
      const startedAt = performance.now()
      await write(batches)
      const tookMs = performance.now() - startedAt
      const countMs = measureCounting(batches)
      return {
        rows: count * rowsPerBatch,
        elapsedMs: rollups.isLeftOut ? tookMs - countMs : tookMs,
        rollupMs: rollups.ms,
        countMs,
      }
    },
    async close() {
      await database[Symbol.asyncDispose]()
      await site[Symbol.asyncDispose]()
    },
  }
})

/** The pool, with statements about rollups measured, or left out. */
function observeRollups(pool: Pool, rollups: { readonly isLeftOut: boolean; ms: number }): Pool {
  const observe = (connection: PoolConnection) =>
    withMethod(connection, 'query', async (...args: unknown[]) => {
      if (!ROLLUP_STATEMENT.test(String(args[0])))
        return await Reflect.apply(connection.query, connection, args)
      if (rollups.isLeftOut) return [{}, []]
      const startedAt = performance.now()
      const answer = await Reflect.apply(connection.query, connection, args)
      rollups.ms += performance.now() - startedAt
      return answer
    })
  return withMethod(pool, 'getConnection', async () => observe(await pool.getConnection()))
}

/** The target with another method of one name. */
function withMethod<T extends object>(target: T, name: keyof T, method: (...args: never[]) => unknown): T {
  return new Proxy(target, {
    get(_, key) {
      if (key === name) return method
      const value = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
