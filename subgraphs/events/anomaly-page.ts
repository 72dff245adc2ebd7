import type { AnomalyState } from '../../schema/live-event.ts'
import { type CursorKey, type PageArgs, readPage, toConnection } from '../shared/graphql/connection.ts'
import { type AnomalyKey, type AnomalyOrder, rankOf } from './anomaly-branch.ts'
import type { AnomalyConnectionParent } from './model.ts'

/** A cursor of one order is refused in another. */
const NEWEST = { kind: 'anomaly', parts: ['id'] } as const
const LAST_OCCURRED = { kind: 'anomaly-last', parts: ['id', 'id'] } as const
const SEVERITY = { kind: 'anomaly-severity', parts: ['number', 'id'] } as const

/** A page of a list of anomalies. */
export interface AnomalyPage {
  readonly after: AnomalyKey | null
  /** One row more than the page shows. */
  readonly limit: number
  /** Makes the connection of the rows that come after `after`; `count` is called once, when a client asks for the total. */
  toConnection(rows: readonly AnomalyState[], count: () => Promise<number>): AnomalyConnectionParent
}

/** Reads which page the arguments ask for; throws BAD_USER_INPUT as readPage does. */
export function readAnomalyPage(
  order: AnomalyOrder,
  { first, after }: Pick<PageArgs, 'first' | 'after'>,
): AnomalyPage {
  switch (order) {
    case 'NEWEST': {
      return pageOf(
        NEWEST,
        { first, after },
        ([id]) => ({ id }),
        ({ id }) => [id],
      )
    }
    case 'LAST_OCCURRED': {
      return pageOf(
        LAST_OCCURRED,
        { first, after },
        ([lastOccurrenceId, id]) => ({ lastOccurrenceId, id }),
        ({ lastOccurrenceId, id }) => [lastOccurrenceId, id],
      )
    }
    case 'SEVERITY': {
      return pageOf(
        SEVERITY,
        { first, after },
        ([rank, id]) => ({ rank, id }),
        ({ severity, id }) => [rankOf(severity), id],
      )
    }
  }
}

function pageOf<const P extends readonly ('id' | 'number')[]>(
  shape: { readonly kind: string; readonly parts: P },
  args: Pick<PageArgs, 'first' | 'after'>,
  toKey: (key: CursorKey<P>) => AnomalyKey,
  keyOf: (anomaly: AnomalyState) => CursorKey<P>,
): AnomalyPage {
  const page = readPage(args, { cursorShape: shape })
  return {
    after: page.key === null ? null : toKey(page.key),
    limit: page.size + 1,
    toConnection: (rows, count) => withCount(toConnection(rows, page, keyOf), count),
  }
}

/** Adds a total that is counted once, when it is first asked for. */
export function withCount<C extends object>(
  connection: C,
  count: () => Promise<number>,
): C & { count(): Promise<number> } {
  let counted: Promise<number> | undefined
  // Onto the connection, not out of it: its edges and cursors are made when they are read.
  return Object.assign(connection, {
    count() {
      counted ??= count()
      return counted
    },
  })
}
