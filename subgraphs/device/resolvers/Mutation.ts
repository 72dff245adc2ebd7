import type { MutationResolvers } from '../resolver-types.generated.ts'
import { accountMutations } from './account-mutations.ts'
import { deviceMutations } from './device-mutations.ts'
import { memberMutations } from './member-mutations.ts'
import { spaceMutations } from './space-mutations.ts'
import { topologyMutations } from './topology-mutations.ts'

export const Mutation: MutationResolvers = {
  ...accountMutations,
  ...spaceMutations,
  ...memberMutations,
  ...topologyMutations,
  ...deviceMutations,
}
