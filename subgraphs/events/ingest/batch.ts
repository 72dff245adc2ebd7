import type { IngestItem } from '../../../schema/ingest-entry.ts'
import { decodeEntry, type Malformed } from './entry-decoder.ts'
import type { LogEntry } from './log-reader.ts'

/** Whole entries that are written in one transaction. */
export interface Batch {
  readonly items: readonly IngestItem[]
  readonly malformed: readonly Malformed[]
  readonly entryCount: number
  /** Id of the last entry by shard: where the offsets stand after it. */
  readonly ends: ReadonlyMap<number, string>
  /** Time of the oldest entry, epoch milliseconds by the clock of the ingest log. */
  readonly oldestAt: number
}

export interface BatchLimits {
  /** A batch is closed when it has this many items; one entry is never divided, so it may have more. */
  readonly maxRows: number
  /** A batch is closed when its entries have this many characters of JSON. */
  readonly maxBytes: number
}

/** Divides entries into batches, in order. */
export function* toBatches(
  entries: readonly LogEntry[],
  { maxRows, maxBytes }: BatchLimits,
): Generator<Batch> {
  let draft = createDraft()
  let bytes = 0
  for (const entry of entries) {
    const { items, malformed } = decodeEntry(entry)
    const isFull = draft.items.length + items.length > maxRows || bytes + entry.text.length > maxBytes
    if (isFull && draft.entryCount > 0) {
      yield draft
      draft = createDraft()
      bytes = 0
    }
    for (const item of items) draft.items.push(item)
    draft.malformed.push(...malformed)
    draft.entryCount++
    draft.ends.set(entry.shard, entry.id)
    draft.oldestAt = Math.min(draft.oldestAt, Number.parseInt(entry.id, 10))
    bytes += entry.text.length
  }
  if (draft.entryCount > 0) yield draft
}

function createDraft() {
  return {
    items: [] as IngestItem[],
    malformed: [] as Malformed[],
    entryCount: 0,
    ends: new Map<number, string>(),
    oldestAt: Number.POSITIVE_INFINITY,
  }
}
