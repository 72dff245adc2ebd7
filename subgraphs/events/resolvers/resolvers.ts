import { scalarResolvers } from '../../shared/graphql/scalars.ts'
import type { Resolvers } from '../resolver-types.generated.ts'
import { Device } from './Device.ts'
import { Log } from './Log.ts'
import { LogConnection } from './LogConnection.ts'
import { Query } from './Query.ts'
import { Subscription } from './Subscription.ts'

/** Resolvers of the events subgraph. What is not here is a property of the parent (model.ts). */
export const resolvers: Resolvers = {
  ...scalarResolvers,
  Query,
  Subscription,
  Device,
  Log,
  LogConnection,
}
