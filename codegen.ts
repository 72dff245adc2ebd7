import type { CodegenConfig } from '@graphql-codegen/cli'
import { SUBGRAPH_NAMES } from './schema/graphql/subgraph-sdl.ts'

const parents = (...types: string[]) =>
  Object.fromEntries(types.map(type => [type, `./model.ts#${type}Parent`]))

const MAPPERS = {
  device: parents(
    'User',
    'Space',
    'SpaceConnection',
    'Membership',
    'MembershipConnection',
    'Invitation',
    'InvitationConnection',
    'AuditEntry',
    'AuditEntryConnection',
    'Line',
    'Process',
    'Device',
    'DeviceConnection',
    'RegisteredDevice',
    'DeviceState',
    'DeviceConnectivity',
    'StatusChange',
    'MetricSample',
    'StateHistoryItem',
    'StateHistoryConnection',
  ),
  events: parents(
    'Log',
    'LogConnection',
    'Device',
    'Line',
    'Process',
    'Anomaly',
    'AnomalyConnection',
    'AnomalyConflict',
    'Comment',
    'CommentConnection',
    'Clip',
    'NotificationSettings',
    'Alert',
    'Watch',
    'WatchTarget',
    'FeedItem',
    'FeedConnection',
    'PresenceEvent',
    'PresenceEventConnection',
  ),
  streaming: parents('Broadcast', 'BroadcastIngest', 'Device'),
  reports: parents(
    'AnomalyReport',
    'AnomalyReportRow',
    'LogReport',
    'LogReportRow',
    'AvailabilityReport',
    'AvailabilityReportRow',
    'ResponseReport',
    'ResponseReportRow',
    'Device',
    'Line',
    'Process',
  ),
}

/**
 * Resolver types per subgraph; `npm run codegen` writes them, `npm run check` fails when they are stale.
 * Parents of resolvers are the types named `<Type>Parent` in the subgraph's model.ts.
 */
const config: CodegenConfig = {
  silent: true,
  generates: Object.fromEntries(
    SUBGRAPH_NAMES.map(name => [
      `subgraphs/${name}/resolver-types.generated.ts`,
      {
        schema: `schema/graphql/${name}.graphql`,
        plugins: ['typescript', 'typescript-resolvers'],
        config: {
          federation: true,
          enumsAsTypes: true,
          useTypeImports: true,
          defaultScalarType: 'unknown',
          scalars: { ID: 'string', DateTime: 'Date', JSON: 'Record<string, unknown>' },
          contextType: './context.ts#SubgraphContext',
          mappers: MAPPERS[name],
          avoidOptionals: { field: true },
          maybeValue: 'T | null',
          inputMaybeValue: 'T | null | undefined',
        },
      },
    ]),
  ),
}

export default config
