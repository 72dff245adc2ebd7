import { scalarResolvers } from '../../shared/graphql/scalars.ts'
import type { Resolvers } from '../resolver-types.generated.ts'
import { Broadcast } from './Broadcast.ts'
import { Device } from './Device.ts'
import { Mutation } from './Mutation.ts'
import { Query } from './Query.ts'
import { Subscription } from './Subscription.ts'

/** Resolvers of the streaming subgraph. What is not here is a property of the parent (model.ts). */
export const resolvers: Resolvers = {
  ...scalarResolvers,
  Query,
  Mutation,
  Subscription,
  Device,
  Broadcast,
  SignalingEvent: { __resolveType: ({ __typename }) => __typename ?? null },
}
