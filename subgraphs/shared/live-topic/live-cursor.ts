import { AppError } from '../errors.ts'
import { MAX_EVENTS_PER_ENTRY } from './live-publisher.ts'
import { compareStreamIds } from './stream-id.ts'

/** A place in a live topic: after the event of this index in this entry of its stream. */
export interface LiveCursor {
  readonly id: string
  readonly index: number
}

/** `<ms>-<sequence>.<index>`; the numbers stay below what a double tells apart. */
const CURSOR = /^((?:0|[1-9]\d{0,14})-(?:0|[1-9]\d{0,14}))\.(0|[1-9]\d?)$/

/** Reads a cursor; throws BAD_USER_INPUT when it is none. */
export function parseCursor(cursor: string): LiveCursor {
  const [, id, index] = CURSOR.exec(cursor) ?? []
  if (id === undefined) throw new AppError('BAD_USER_INPUT', 'This is no cursor of a live topic.')
  return { id, index: Number(index) }
}

/** Order of two cursors of one topic: below 0, 0 or above 0, as `sort` takes it. */
export function compareCursors(a: string, b: string): number {
  const [first, second] = [parseCursor(a), parseCursor(b)]
  return compareStreamIds(first.id, second.id) || first.index - second.index
}

/** Cursor of the end of an entry, however many events it holds; of an empty topic with the id STREAM_START. */
export function endOfEntry(id: string): string {
  return `${id}.${MAX_EVENTS_PER_ENTRY - 1}`
}
