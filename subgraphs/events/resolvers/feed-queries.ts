import { requireUser } from '../../shared/auth/viewer.ts'
import { readFeedPage } from '../feed/feeds.ts'
import type { QueryResolvers } from '../resolver-types.generated.ts'

/** Queries of what one watches. */
export const feedQueries = {
  async watches(_, __, { viewer, feeds }) {
    return feeds.watches.list(requireUser(viewer).userId)
  },

  async feed(_, args, { viewer, feeds }) {
    const { userId } = requireUser(viewer)
    return feeds.page(userId, readFeedPage(args))
  },
} satisfies QueryResolvers
