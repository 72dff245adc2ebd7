import type { MutationResolvers } from '../resolver-types.generated.ts'
import { alertMutations } from './alert-mutations.ts'
import { anomalyMutations } from './anomaly-mutations.ts'
import { clipMutations } from './clip-mutations.ts'
import { feedMutations } from './feed-mutations.ts'

export const Mutation: MutationResolvers = {
  ...alertMutations,
  ...anomalyMutations,
  ...clipMutations,
  ...feedMutations,
}
