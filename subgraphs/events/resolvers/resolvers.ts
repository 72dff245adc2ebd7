import { scalarResolvers } from '../../shared/graphql/scalars.ts'
import type { Resolvers } from '../resolver-types.generated.ts'
import { Anomaly } from './Anomaly.ts'
import { AnomalyConflict } from './AnomalyConflict.ts'
import { AnomalyConnection } from './AnomalyConnection.ts'
import { alertTypes } from './alert-types.ts'
import { Clip } from './Clip.ts'
import { Comment } from './Comment.ts'
import { Device } from './Device.ts'
import { feedTypes } from './feed-types.ts'
import { Line } from './Line.ts'
import { Log } from './Log.ts'
import { LogConnection } from './LogConnection.ts'
import { Mutation } from './Mutation.ts'
import { Process } from './Process.ts'
import { Query } from './Query.ts'
import { Subscription } from './Subscription.ts'

/** Resolvers of the events subgraph. What is not here is a property of the parent (model.ts). */
export const resolvers: Resolvers = {
  ...scalarResolvers,
  ...alertTypes,
  Query,
  Mutation,
  Subscription,
  Anomaly,
  AnomalyConflict,
  AnomalyConnection,
  Clip,
  Comment,
  CommentConnection: { totalCount: connection => connection.count() },
  Device,
  Line,
  Process,
  Log,
  LogConnection,
  ...feedTypes,
}
