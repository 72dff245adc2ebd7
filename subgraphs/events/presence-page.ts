import type { PresenceEvent } from '../../schema/live-event.ts'
import { type Page, type PageArgs, readPage, toConnection } from '../shared/graphql/connection.ts'
import type { PresenceEventConnectionParent } from './model.ts'
import type { PresenceWalk } from './presence-repository.ts'

const PRESENCE_CURSOR = { kind: 'presence', parts: ['id'] } as const

/** A page of presence events. */
export type PresencePage = Page<typeof PRESENCE_CURSOR.parts>

/** Reads which page the arguments ask for; throws BAD_USER_INPUT as readPage does. */
export function readPresencePage({ first, after }: PageArgs): PresencePage {
  return readPage({ first, after }, { cursorShape: PRESENCE_CURSOR })
}

/** Says which rows to fetch for a page. */
export function presenceWalkOf({ size, key }: PresencePage): PresenceWalk {
  return { afterId: key === null ? null : key[0], limit: size + 1 }
}

/** Makes the connection of fetched rows. */
export function toPresenceConnection(
  rows: readonly PresenceEvent[],
  page: PresencePage,
): PresenceEventConnectionParent {
  return toConnection(rows, page, ({ id }) => [id])
}
