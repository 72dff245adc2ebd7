import { requireRight } from '../../shared/permissions/rights-table.ts'
import type { QueryResolvers } from '../resolver-types.generated.ts'

export const Query: QueryResolvers = {
  async broadcasts(_, { spaceId }, { access, viewer, states }) {
    await requireRight(access, viewer, spaceId, 'space.read')
    return states.list(spaceId)
  },
}
