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

const resolverTypes: CodegenConfig['generates'] = Object.fromEntries(
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
)

const OPERATIONS = {
  schema: 'schema/graphql/supergraph.graphql',
  documents: 'dashboard/src/**/*.graphql',
}

const OPERATION_CONFIG = {
  useTypeImports: true,
  defaultScalarType: 'unknown',
  scalars: { ID: 'string', DateTime: 'string', JSON: 'Record<string, unknown>' },
}

const SCHEMA_TYPES = 'dashboard/src/graphql/schema-types.generated.ts'

/** The dashboard's operations: typed documents beside the files that they are written in; inputs and enums once. */
const operationTypes: CodegenConfig['generates'] = {
  [SCHEMA_TYPES]: {
    ...OPERATIONS,
    plugins: ['typescript-operations'],
    config: { ...OPERATION_CONFIG, generateOperationTypes: false },
  },
  'dashboard/src/': {
    ...OPERATIONS,
    preset: 'near-operation-file',
    presetConfig: { extension: '.generated.ts' },
    plugins: ['typescript-operations', 'typed-document-node'],
    config: { ...OPERATION_CONFIG, importSchemaTypesFrom: SCHEMA_TYPES },
  },
}

/**
 * Resolver types per subgraph, and the dashboard's documents; `npm run codegen` writes them, `npm run check` fails when
 * they are stale. Parents of resolvers are the types named `<Type>Parent` in the subgraph's model.ts.
 */
const config: CodegenConfig = { silent: true, generates: { ...resolverTypes, ...operationTypes } }

export default config
