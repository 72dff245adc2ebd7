import type { Pool, PoolConnection, RowDataPacket } from 'mysql2/promise'
import { ROLLUP_BUCKET_MS } from '../../schema/mysql/ingest-tables.ts'
import { backOff } from '../events/ingest/backoff.ts'
import { ROLLUPS, type RollupRow, type RollupTable } from '../events/ingest/event-rollups.ts'
import { insertInParts } from '../events/ingest/insert-in-parts.ts'
import { sourceColumn, sourceOf } from '../events/ingest/rollup-source.ts'
import { classifyWriteFailure, type WriteFailure } from '../events/ingest/write-failure.ts'
import { openTransaction } from '../events/ingest/write-transaction.ts'
import { idLowerBound } from '../shared/uuid-v7.ts'

/** Quarters of an hour of a space, numbered since 1970, UTC; `toQuarter` is not among them. */
export interface SpaceQuarters {
  readonly spaceId: string
  readonly fromQuarter: number
  readonly toQuarter: number
}

/** The rollups whose rows tell the most apart: all others of the same events are sums of theirs. */
const FINEST = ['log_rollup_fine', 'anomaly_rollup_fine'] as const satisfies readonly RollupTable[]

/** By which index a rollup's rows of some quarters are found, where that is not the primary key. */
const BUCKET_INDEXES: Partial<Record<RollupTable, string>> = {
  anomaly_rollup_device: 'anomaly_rollup_device_bucket',
}

const ROW_BYTES = 400

/** A transaction that lost against ingest, or against another run, is tried again so often. */
const MAX_ATTEMPTS = 20

/**
 * What a transaction that lost is told. A row that is there already is another run's: MariaDB lets the holder of a row
 * insert before it while a DELETE waits for that row, and the DELETE does not go back.
 */
const LOST: ReadonlySet<WriteFailure> = new Set(['contention', 'duplicate'])

/**
 * Makes the rollups of some quarters anew out of their events, in one transaction, while ingest goes on writing. Answers
 * how many events they count. Repeats what lost against another transaction, 20 times; then, and else, rejects, and the
 * rollups are what they were.
 */
export async function rebuildRollups(
  pool: Pool,
  quarters: SpaceQuarters,
  signal: AbortSignal,
): Promise<number> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await rebuildOnce(pool, quarters)
    } catch (error) {
      if (attempt + 1 >= MAX_ATTEMPTS || !LOST.has(classifyWriteFailure(error))) throw error
      await backOff(attempt, signal)
      signal.throwIfAborted()
    }
  }
}

/**
 * What makes it right beside ingest, which adds to the rollups at the end of the transaction that inserts the events:
 * deleting locks the rows of the quarters and the gaps between them (REPEATABLE READ), so that whoever has added to them
 * has committed, and whoever has yet to add waits. The snapshot, which only begins with the read thereafter, has the events
 * of the former and none of the latter, who add to what is written here. A read that locks would wait for those who wait.
 */
async function rebuildOnce(pool: Pool, quarters: SpaceQuarters): Promise<number> {
  await using transaction = await openTransaction(pool)
  const { connection } = transaction
  const { spaceId, fromQuarter, toQuarter } = quarters
  // In the order in which ingest writes them.
  const tables = Object.keys(ROLLUPS) as RollupTable[]
  for (const table of tables)
    await connection.query(
      `DELETE ${table} FROM ${table} FORCE INDEX (${BUCKET_INDEXES[table] ?? 'PRIMARY'})
       WHERE space_id = ? AND bucket >= ? AND bucket < ?`,
      [spaceId, fromQuarter, toQuarter],
    )
  const rows = new Map<RollupTable, RollupRow[]>()
  for (const table of FINEST) rows.set(table, await countEvents(connection, table, quarters))
  let total = 0
  for (const table of tables) {
    const { key, counts } = ROLLUPS[table]
    const finest = FINEST.find(one => sourceOf(one).events === sourceOf(table).events) ?? table
    const summed = sumBy(rows.get(finest) ?? [], ROLLUPS[finest].key, key)
    if (table === finest)
      for (const row of summed) for (const count of row.slice(key.length)) total += Number(count)
    await insertInParts(
      connection,
      `INSERT INTO ${table} (${[...key, ...counts].join(', ')})`,
      summed,
      () => ROW_BYTES,
    )
  }
  await transaction.commit()
  return total
}

/** Counts the events of some quarters as rows of a rollup. */
async function countEvents(
  connection: PoolConnection,
  table: (typeof FINEST)[number],
  { spaceId, fromQuarter, toQuarter }: SpaceQuarters,
): Promise<RollupRow[]> {
  const { key, counts } = ROLLUPS[table]
  const { events, grade, counted } = sourceOf(table)
  const columns = [
    ...key.map(column => `${sourceColumn(column)} AS key_${column}`),
    ...counts.map(count => `SUM(${grade} = '${count.toUpperCase()}') AS count_${count}`),
  ]
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT ${columns.join(', ')} FROM ${events} FORCE INDEX (PRIMARY)
     WHERE space_id = ? AND id >= ? AND id < ? AND ${counted}
     GROUP BY ${key.map(column => `key_${column}`).join(', ')}`,
    [spaceId, idLowerBound(fromQuarter * ROLLUP_BUCKET_MS), idLowerBound(toQuarter * ROLLUP_BUCKET_MS)],
  )
  return rows.map(row => [
    ...key.map(column => (column === 'bucket' ? Number(row[`key_${column}`]) : String(row[`key_${column}`]))),
    ...counts.map(count => Number(row[`count_${count}`])),
  ])
}

/** Adds up rows whose key has the columns `from` by the columns `to`, which are among them; sorted by key. */
function sumBy(rows: readonly RollupRow[], from: readonly string[], to: readonly string[]): RollupRow[] {
  const places = to.map(column => from.indexOf(column))
  if (places.includes(-1)) throw new TypeError(`A rollup by ${to} is no sum of one by ${from}`)
  const sums = new Map<string, RollupRow>()
  for (const row of rows) {
    const key = places.map(place => row[place] ?? '')
    const counts = row.slice(from.length)
    const name = key.join(' ')
    const sum = sums.get(name)
    if (sum === undefined) sums.set(name, [...key, ...counts])
    else
      for (const [i, count] of counts.entries())
        sum[key.length + i] = Number(sum[key.length + i]) + Number(count)
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}
