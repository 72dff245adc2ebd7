import { scalarResolvers } from '../../shared/graphql/scalars.ts'
import type { Resolvers } from '../resolver-types.generated.ts'
import { AuditEntry } from './AuditEntry.ts'
import { Device } from './Device.ts'
import { Invitation } from './Invitation.ts'
import { Line } from './Line.ts'
import { Membership } from './Membership.ts'
import { Mutation } from './Mutation.ts'
import { Process } from './Process.ts'
import { Query } from './Query.ts'
import { Space } from './Space.ts'
import { Subscription } from './Subscription.ts'
import { User } from './User.ts'

/** Resolvers of the device subgraph. What is not here is a property of the parent (model.ts). */
export const resolvers: Resolvers = {
  ...scalarResolvers,
  Query,
  Mutation,
  Subscription,
  User,
  Space,
  SpaceConnection: { totalCount: connection => connection.count() },
  Membership,
  MembershipConnection: { totalCount: connection => connection.count() },
  Invitation,
  InvitationConnection: { totalCount: connection => connection.count() },
  AuditEntry,
  AuditEntryConnection: { totalCount: connection => connection.count() },
  Line,
  Process,
  Device,
  StatusChange: { at: ({ at }) => new Date(at) },
  MetricSample: { at: ({ at }) => new Date(at) },
  StateHistoryItem: { __resolveType: ({ kind }) => kind },
  DeviceConnection: { totalCount: connection => connection.count() },
}
