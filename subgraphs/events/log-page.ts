import type { LogEvent } from '../../schema/live-event.ts'
import { type Page, readPage, toConnection } from '../shared/graphql/connection.ts'
import type { LogWalk } from './log-repository.ts'
import type { LogConnectionParent } from './model.ts'

/** Every list of logs is ordered by id, so a cursor of one is good for another. */
const LOG_CURSOR = { kind: 'log', parts: ['id'] } as const

/** A page of logs. */
export type LogPage = Page<typeof LOG_CURSOR.parts>

/** Reads which page the arguments ask for; throws BAD_USER_INPUT as readPage does. */
export function readLogPage(args: Parameters<typeof readPage>[0]): LogPage {
  return readPage(args, { cursorShape: LOG_CURSOR })
}

/** Says which rows to fetch for a page. */
export function walkOf({ size, direction, key }: LogPage): LogWalk {
  return { direction, afterId: key === null ? null : key[0], limit: size + 1 }
}

/** Makes the connection of fetched rows; `count` is called once, when a client asks for the total. */
export function toLogConnection(
  rows: readonly LogEvent[],
  page: LogPage,
  count: () => Promise<number>,
): LogConnectionParent {
  let counted: Promise<number> | undefined
  // Onto the connection, not out of it: its edges and cursors are made when they are read.
  return Object.assign(
    toConnection(rows, page, log => [log.id]),
    {
      count() {
        counted ??= count()
        return counted
      },
    },
  )
}
