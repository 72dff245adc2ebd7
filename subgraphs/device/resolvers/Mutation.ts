import type { MutationResolvers } from '../resolver-types.generated.ts'
import { accountMutations } from './account-mutations.ts'
import { deviceMutations } from './device-mutations.ts'

export const Mutation: MutationResolvers = { ...accountMutations, ...deviceMutations }
