import { idLowerBound, timeOfId } from '../../shared/uuid-v7.ts'
import { branchesOf, type EventBranch } from './event-branch.ts'
import type { ExportRequest } from './export-request.ts'
import { readAhead } from './read-ahead.ts'

/** A row of the database as the driver answers it, by position; the first column is the id. */
export type EventRow = readonly [id: string, ...rest: unknown[]]

/** Runs a statement. Rejects when whoever wanted the rows is gone. */
export type ReadRows = (sql: string, values: readonly unknown[]) => Promise<EventRow[]>

/** Rows that are in memory at once, about: twice as many while they are sent. */
const BATCH_ROWS = 1_000
const MIN_BATCH_ROWS = 50

/**
 * A statement reads a stretch of time, so that one that finds little does not read for long: longer when the last one
 * was quick, shorter when it was slow.
 */
const FIRST_STRETCH_MS = 24 * 60 * 60_000
const MIN_STRETCH_MS = 60_000
const STRETCH_FACTOR = 4
const QUICK_MS = 100
const SLOW_MS = 500

/**
 * Reads the events of a request in batches, from the oldest to the newest. Each statement begins behind the last id of
 * the one before, so none holds a snapshot of the database.
 *
 * @param columns What to select, the id first.
 */
export function readEvents(
  readRows: ReadRows,
  request: ExportRequest,
  columns: readonly string[],
): AsyncGenerator<EventRow[]> {
  const branches = branchesOf(request)
  const limit = Math.max(MIN_BATCH_ROWS, Math.floor(BATCH_ROWS / branches.length))
  const range = { fromId: idLowerBound(request.from), toId: idLowerBound(request.to), limit }
  const sources = branches.map(branch => readBranch(readRows, branch, columns, range))
  const [only] = sources
  return only !== undefined && sources.length === 1 ? readAhead(only) : mergeById(sources)
}

async function* readBranch(
  readRows: ReadRows,
  { table, index, where, values }: EventBranch,
  columns: readonly string[],
  { fromId, toId, limit }: { fromId: string; toId: string; limit: number },
): AsyncGenerator<EventRow[]> {
  const sql = `SELECT ${columns.join(', ')} FROM ${table} FORCE INDEX (${index})
    WHERE ${where} AND id > ? AND id < ? ORDER BY id LIMIT ${limit}`
  let after = fromId
  let stretchMs = FIRST_STRETCH_MS
  while (after < toId) {
    const stretchEnd = idLowerBound(timeOfId(after) + stretchMs)
    const end = stretchEnd < toId ? stretchEnd : toId
    const startedAt = performance.now()
    const rows = await readRows(sql, [...values, after, end])
    const tookMs = performance.now() - startedAt
    if (rows.length > 0) yield rows
    after = rows.length < limit ? end : (rows.at(-1)?.[0] ?? end)
    if (tookMs > SLOW_MS) stretchMs = Math.max(MIN_STRETCH_MS, stretchMs / STRETCH_FACTOR)
    else if (tookMs < QUICK_MS && rows.length < limit) stretchMs *= STRETCH_FACTOR
  }
}

/** Merges branches, each in the order of ids. Holds a batch of each; one statement runs at a time. */
async function* mergeById(sources: readonly AsyncGenerator<EventRow[]>[]): AsyncGenerator<EventRow[]> {
  const heads: { source: AsyncGenerator<EventRow[]>; rows: readonly EventRow[]; at: number }[] = []
  for (const source of sources) {
    const { value: rows, done } = await source.next()
    if (!done) heads.push({ source, rows, at: 0 })
  }
  let merged: EventRow[] = []
  while (heads.length > 0) {
    let least = 0
    for (let i = 1; i < heads.length; i++) if (idOf(heads[i]) < idOf(heads[least])) least = i
    const head = heads[least]
    const row = head?.rows[head.at++]
    if (head === undefined || row === undefined) throw new TypeError('A branch has answered no rows')
    merged.push(row)
    if (merged.length >= BATCH_ROWS) {
      yield merged
      merged = []
    }
    if (head.at < head.rows.length) continue
    const { value: rows, done } = await head.source.next()
    if (done) heads.splice(least, 1)
    else Object.assign(head, { rows, at: 0 })
  }
  if (merged.length > 0) yield merged
}

function idOf(head: { rows: readonly EventRow[]; at: number } | undefined): string {
  return head?.rows[head.at]?.[0] ?? ''
}
