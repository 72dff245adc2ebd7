import type { IngestItem } from '../../../schema/ingest-entry.ts'
import type { DeadItem } from './dead-letters.ts'
import { classifyWriteFailure } from './write-failure.ts'

/**
 * Finds the items that can never be written, by bisection: a part that fails is halved until an item fails alone. About
 * 2·log₂(items) attempts for each of them.
 *
 * @param attempt Writes items as if for good and takes it back; rejects as the database does. What it rejects with is
 * passed on when it is no poison.
 */
export async function findPoison(
  items: readonly IngestItem[],
  attempt: (items: readonly IngestItem[]) => Promise<unknown>,
): Promise<DeadItem[]> {
  try {
    await attempt(items)
    return []
  } catch (error) {
    if (classifyWriteFailure(error) !== 'poison') throw error
    const [only] = items
    if (only !== undefined && items.length === 1)
      return [
        { reason: 'POISON', detail: String(error instanceof Error ? error.message : error), what: only },
      ]
    const middle = items.length >> 1
    return [
      ...(await findPoison(items.slice(0, middle), attempt)),
      ...(await findPoison(items.slice(middle), attempt)),
    ]
  }
}
