import { requireUser } from '../../shared/auth/viewer.ts'
import { readLogPage, toLogConnection, walkOf } from '../log-page.ts'
import { listLogs } from '../log-repository.ts'
import { isEmptySelection, readLogSelection } from '../log-selection.ts'
import type { QueryResolvers } from '../resolver-types.generated.ts'

/** Queries of logs. */
export const logQueries = {
  async logs(_, { spaceId, filter, ...pageArgs }, { viewer, requireReader, db, logs }) {
    requireUser(viewer)
    const selection = readLogSelection(spaceId, filter)
    const page = readLogPage(pageArgs)
    await requireReader(spaceId)
    if (isEmptySelection(selection)) return toLogConnection([], page, async () => 0)
    const rows = await listLogs(db, selection, walkOf(page))
    return toLogConnection(rows, page, () => logs.count.load(selection))
  },
} satisfies QueryResolvers
