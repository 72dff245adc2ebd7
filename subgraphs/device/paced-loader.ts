import DataLoader from 'dataloader'
import { withDeadline } from '../shared/deadline.ts'

/**
 * Creates a loader that outlives requests: it remembers nothing, and makes a lookup at most every `intervalMs`, of
 * `maxBatch` keys at most. A lone key is looked up at the end of its turn of the event loop; of many that come within
 * the interval all but the first wait for its end and share a lookup. So a fleet that comes back costs few statements,
 * and a crowd no more a second than the interval allows.
 *
 * A key that `find` leaves out has no value. Rejects with UNAVAILABLE when a lookup takes longer than `deadlineMs`.
 */
export function createPacedLoader<Row>({
  name,
  find,
  keyOf,
  maxBatch,
  intervalMs,
  deadlineMs,
}: {
  name: string
  find: (keys: readonly string[]) => Promise<readonly Row[]>
  keyOf: (row: Row) => string
  maxBatch: number
  intervalMs: number
  deadlineMs: number
}): DataLoader<string, Row | null> {
  let nextAt = Number.NEGATIVE_INFINITY
  return new DataLoader(
    async keys => {
      const rows = await withDeadline(name, deadlineMs, () => find([...new Set(keys)]))
      const byKey = new Map(rows.map(row => [keyOf(row), row]))
      return keys.map(key => byKey.get(key) ?? null)
    },
    {
      cache: false,
      maxBatchSize: maxBatch,
      batchScheduleFn(dispatch) {
        const now = performance.now()
        const waitMs = nextAt - now
        nextAt = Math.max(nextAt, now) + intervalMs
        // Frames of several sockets come in one turn of the loop, but each in a tick of its own.
        if (waitMs <= 0) setImmediate(dispatch)
        else setTimeout(dispatch, waitMs)
      },
    },
  )
}
