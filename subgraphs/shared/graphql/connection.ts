import { AppError } from '../errors.ts'
import { isUuidV7 } from '../uuid-v7.ts'

/** What a part of a key may be: `id` a UUIDv7, `text` any string, `number` a finite number. */
interface CursorPart {
  id: string
  text: string
  number: number
}

type PartKinds = readonly (keyof CursorPart)[]

/** Where a row stands in its list: the values of the columns that order it. */
export type CursorKey<P extends PartKinds> = { [I in keyof P]: CursorPart[P[I]] }

/** What the cursors of one list hold, such as `{ kind: 'log', parts: ['id'] }`. Declare it `as const`. */
export interface CursorShape<P extends PartKinds = PartKinds> {
  /** Name of the list's order. A cursor made for another kind is refused. */
  readonly kind: string
  readonly parts: P
}

/** The arguments of a connection field, as GraphQL hands them over. */
export interface PageArgs {
  readonly first?: number | null | undefined
  readonly after?: string | null | undefined
  readonly last?: number | null | undefined
  readonly before?: string | null | undefined
}

/** One page to fetch. */
export interface Page<P extends PartKinds = PartKinds> {
  readonly shape: CursorShape<P>
  /** Rows that the page shows at most. Fetch one more: it tells toConnection whether there is more. */
  readonly size: number
  /** `forward` walks in the list's own order, away from its beginning; `backward` against it. */
  readonly direction: 'forward' | 'backward'
  /** The row that the walk starts behind, itself left out; null starts at the beginning, or at the end. */
  readonly key: CursorKey<P> | null
}

/** One page of rows in the list's own order. `edges` and the cursors of `pageInfo` are made when they are read. */
export interface Connection<Row> {
  readonly nodes: Row[]
  readonly edges: { cursor: string; node: Row }[]
  readonly pageInfo: {
    readonly hasNextPage: boolean
    readonly hasPreviousPage: boolean
    readonly startCursor: string | null
    readonly endCursor: string | null
  }
}

/** Raised with the shape of what cursors hold: those of another version are refused. */
const CURSOR_VERSION = 1

/** The longest cursor that is looked at. Ours are far shorter. */
const MAX_CURSOR_LENGTH = 1_024

/**
 * Reads which page the arguments of a connection ask for (Relay Cursor Connections, keyset).
 *
 * `defaultSize` rows (20) when neither `first` nor `last` is given. Throws BAD_USER_INPUT for a size that is negative
 * or above `maxSize` (100), for `first` with `last` or `before`, `last` with `after`, `after` with `before`, and for
 * a cursor that is malformed or belongs to another list.
 */
export function readPage<const P extends PartKinds>(
  args: PageArgs,
  {
    cursorShape,
    defaultSize = 20,
    maxSize = 100,
  }: { cursorShape: CursorShape<P>; defaultSize?: number; maxSize?: number },
): Page<P> {
  const { first, after, last, before } = args
  refuseBoth('first', first, 'last', last)
  refuseBoth('after', after, 'before', before)
  refuseBoth('first', first, 'before', before)
  refuseBoth('last', last, 'after', after)
  const isBackward = last != null || before != null
  const cursor = isBackward ? before : after
  return {
    shape: cursorShape,
    size: isBackward
      ? readSize('last', last, defaultSize, maxSize)
      : readSize('first', first, defaultSize, maxSize),
    direction: isBackward ? 'backward' : 'forward',
    key: cursor == null ? null : readCursor(isBackward ? 'before' : 'after', cursor, cursorShape),
  }
}

/**
 * Makes a connection of the rows of `page`, which come in the order of its walk, nearest to its key first, and one
 * more than its size when there are as many.
 *
 * The end towards which the walk goes is known by that extra row. The end it came from is not looked up: there is
 * something there when the page has a key, namely that row (Relay Cursor Connections §4.4 allows both).
 */
export function toConnection<Row, const P extends PartKinds>(
  rows: readonly Row[],
  page: Page<P>,
  keyOf: (row: Row) => CursorKey<P>,
): Connection<Row> {
  const { size, direction, key, shape } = page
  const isBackward = direction === 'backward'
  const hasMore = rows.length > size
  const nodes = rows.slice(0, size)
  if (isBackward) nodes.reverse()
  const cursorOf = (row: Row | undefined) => (row === undefined ? null : encodeCursor(shape, keyOf(row)))
  return {
    nodes,
    get edges() {
      return nodes.map(node => ({ cursor: encodeCursor(shape, keyOf(node)), node }))
    },
    pageInfo: {
      hasNextPage: isBackward ? key !== null : hasMore,
      hasPreviousPage: isBackward ? hasMore : key !== null,
      get startCursor() {
        return cursorOf(nodes[0])
      },
      get endCursor() {
        return cursorOf(nodes.at(-1))
      },
    },
  }
}

/** Makes the opaque cursor of a key: base64url of version, kind and parts. */
export function encodeCursor<const P extends PartKinds>(shape: CursorShape<P>, key: CursorKey<P>): string {
  return Buffer.from(JSON.stringify([CURSOR_VERSION, shape.kind, ...key])).toString('base64url')
}

/** Reads a cursor. Answers null when encodeCursor has not made it for this shape. */
export function decodeCursor<const P extends PartKinds>(
  shape: CursorShape<P>,
  cursor: string,
): CursorKey<P> | null {
  if (cursor.length > MAX_CURSOR_LENGTH) return null
  const content = parseJson(Buffer.from(cursor, 'base64url').toString())
  if (!Array.isArray(content) || content.length !== shape.parts.length + 2) return null
  const [version, kind, ...parts] = content
  if (version !== CURSOR_VERSION || kind !== shape.kind) return null
  if (!shape.parts.every((part, i) => isPart(part, parts[i]))) return null
  const key = parts as unknown as CursorKey<P>
  // Node skips what is no base64url, and JSON may be written in several ways; ours is one of them.
  return encodeCursor(shape, key) === cursor ? key : null
}

function isPart(kind: keyof CursorPart, value: unknown): boolean {
  if (kind === 'number') return typeof value === 'number'
  return typeof value === 'string' && (kind === 'text' || isUuidV7(value))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function refuseBoth(name: string, value: unknown, otherName: string, other: unknown): void {
  if (value != null && other != null) {
    throw new AppError(
      'BAD_USER_INPUT',
      `${name} and ${otherName} do not go together: use first with after, or last with before.`,
    )
  }
}

function readSize(
  name: string,
  given: number | null | undefined,
  defaultSize: number,
  maxSize: number,
): number {
  const size = given ?? defaultSize
  if (!Number.isInteger(size) || size < 0 || size > maxSize)
    throw new AppError('BAD_USER_INPUT', `${name} is a number from 0 to ${maxSize}, not ${size}.`)
  return size
}

function readCursor<const P extends PartKinds>(
  name: string,
  cursor: string,
  shape: CursorShape<P>,
): CursorKey<P> {
  const key = decodeCursor(shape, cursor)
  if (key === null) {
    throw new AppError(
      'BAD_USER_INPUT',
      `${name} is not a cursor of this list: use one that it has answered with, unchanged.`,
    )
  }
  return key
}
