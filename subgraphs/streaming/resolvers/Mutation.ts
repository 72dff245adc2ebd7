import type { MutationResolvers } from '../resolver-types.generated.ts'
import { broadcastMutations } from './broadcast-mutations.ts'
import { mediaMutations } from './media-mutations.ts'
import { sessionMutations } from './session-mutations.ts'

export const Mutation: MutationResolvers = {
  ...broadcastMutations,
  ...sessionMutations,
  ...mediaMutations,
}
