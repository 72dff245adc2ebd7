import type { Pool } from 'mysql2/promise'
import { type LogItem, SHARD_COUNT } from '../../../schema/ingest-entry.ts'
import { createBatchWriter } from '../../../subgraphs/events/ingest/batch-writer.ts'
import { createIngestMetrics } from '../../../subgraphs/events/ingest/ingest-metrics.ts'
import { createShardLeases } from '../../../subgraphs/events/ingest/shard-leases.ts'
import { createLogger } from '../../../subgraphs/shared/logger.ts'
import { createMetrics } from '../../../subgraphs/shared/metrics.ts'
import { newId } from '../../../subgraphs/shared/uuid-v7.ts'
import { addFactoryRows, type FactoryDevice } from '../factory-rows.ts'
import { runPeer } from '../peer-program.ts'
import { openProductSite } from '../product-site.ts'

/** What is written in a round, and by how many devices. */
export interface WriterOptions {
  readonly batches: number
  readonly rowsPerBatch: number
  readonly devices: number
}

/** A round: rows and how long they took. */
export interface WriterRound {
  readonly rows: number
  readonly elapsedMs: number
}

const MESSAGE = 'Spindle temperature 61 °C, cycle completed within tolerance'
const LEVELS = ['INFO', 'INFO', 'INFO', 'DEBUG', 'WARN', 'INFO', 'INFO', 'DEBUG', 'INFO', 'ERROR'] as const

const INSERT =
  'INSERT INTO log (space_id, id, device_id, line_id, process_id, level, message, attributes, clock_replaced, received_at) VALUES ?'

// The ingest role's writer, flooded, and a loop of nothing but multi-row INSERTs, by turns in one process on one
// connection of one pool, into the one table of a server that has every commit on disk. Items are made before the clock
// starts. The writer does what the loop is spared: rollups, when devices were seen, offsets under their fences, places.
await runPeer<WriterOptions, object>(async ({ batches: count, rowsPerBatch, devices: deviceCount }) => {
  const site = await openProductSite({ name: 'writer' })
  const database = await site.createDatabase('writer')
  const { pool } = database
  const { spaceId, devices } = await addFactoryRows(pool, { users: 1, devices: deviceCount })
  const leases = createShardLeases({ pool, owner: 'perf' })
  await leases.acquire()
  const shards = [...leases.owned.values()]
  const places = new Map(
    devices.map(({ deviceId, lineId, processId }) => [deviceId, { spaceId, lineId, processId }]),
  )
  const writer = createBatchWriter({
    pool,
    directory: { placesOf: async () => places },
    deadLetters: { append: async () => {} },
    metrics: createIngestMetrics(createMetrics({ group: 'perf', withDefaults: false })),
    logger: createLogger({ level: 'error', role: 'perf' }),
  })
  let entry = 0
  let made = 0

  function makeBatches(): LogItem[][] {
    const make = () => makeLog(spaceId, devices[made % devices.length], made++)
    return Array.from({ length: count }, () => Array.from({ length: rowsPerBatch }, make))
  }

  async function write(batches: readonly LogItem[][]): Promise<void> {
    for (const items of batches) {
      entry++
      const ends = new Map(Array.from({ length: SHARD_COUNT }, (_, shard) => [shard, `${entry}-0`]))
      const batch = { items, malformed: [], entryCount: 1, ends, oldestAt: Date.now() }
      await writer.write(batch, shards, new AbortController().signal)
    }
  }

  return {
    ready: {},
    async answer(lane): Promise<WriterRound> {
      const batches = makeBatches()
      const startedAt = performance.now()
      if (lane === 'writer') await write(batches)
      else await insertBare(pool, batches, places)
      return { rows: count * rowsPerBatch, elapsedMs: performance.now() - startedAt }
    },
    async close() {
      await database[Symbol.asyncDispose]()
      await site[Symbol.asyncDispose]()
    },
  }
})

async function insertBare(
  pool: Pool,
  batches: readonly LogItem[][],
  places: ReadonlyMap<string, { lineId: string; processId: string }>,
): Promise<void> {
  const connection = await pool.getConnection()
  for (const items of batches) {
    const rows = items.map(({ id, spaceId, deviceId, level, message, attributes, receivedAt }) => {
      const { lineId, processId } = places.get(deviceId) ?? {}
      const json = JSON.stringify(attributes)
      return [spaceId, id, deviceId, lineId, processId, level, message, json, false, new Date(receivedAt)]
    })
    await connection.query(INSERT, [rows])
  }
  connection.release()
}

function makeLog(spaceId: string, device: FactoryDevice | undefined, number: number): LogItem {
  return {
    kind: 'log',
    id: newId(),
    spaceId,
    deviceId: device?.deviceId ?? '',
    receivedAt: Date.now(),
    level: LEVELS[number % LEVELS.length] ?? 'INFO',
    message: MESSAGE,
    attributes: { sequence: number, recipe: 'A-17' },
    clockReplaced: false,
  }
}
