import { requireUser } from '../../shared/auth/viewer.ts'
import { presenceWalkOf, readPresencePage, toPresenceConnection } from '../presence-page.ts'
import { listPresenceEvents } from '../presence-repository.ts'
import { isEmptyPresenceSelection, readPresenceSelection } from '../presence-selection.ts'
import type { QueryResolvers } from '../resolver-types.generated.ts'

/** Queries of when devices came and went. */
export const presenceQueries = {
  async presenceEvents(_, { spaceId, filter, ...pageArgs }, { viewer, requireReader, db }) {
    requireUser(viewer)
    const selection = readPresenceSelection(spaceId, filter)
    const page = readPresencePage(pageArgs)
    await requireReader(spaceId)
    const rows = isEmptyPresenceSelection(selection)
      ? []
      : await listPresenceEvents(db, selection, presenceWalkOf(page))
    return toPresenceConnection(rows, page)
  },
} satisfies QueryResolvers
