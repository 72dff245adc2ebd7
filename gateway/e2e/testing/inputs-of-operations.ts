import { ID_KINDS, type IdKind, type Ids } from './factory-world.ts'
import type { Choose, Operation } from './sdl-operations.ts'

/**
 * Returns what kind of id stands in a place of an operation: of what can be watched, a device. Throws when the world has
 * none for it.
 */
export function kindOfId(operation: string, name: string): IdKind {
  if (operation === 'Mutation.watch' || operation === 'Mutation.unwatch') return 'deviceId'
  const [, field = ''] = operation.split('.')
  const kind = (name === 'id' ? `${field}Id` : name.replace(/s$/, '')).toLowerCase()
  // Also in a name that says what for, such as moveDevicesToLineId.
  const found = ID_KINDS.find(one => kind.endsWith(one.toLowerCase()))
  if (found === undefined)
    throw new TypeError(`The world has no id for ${name} of ${operation}: give it one.`)
  return found
}

/**
 * Creates the choice of values of an operation: what `also` says by name, and the ids that are required. Empty names
 * that `also` gives are left to what their type says.
 */
export function createChoice(operation: string, also: Record<string, unknown>, ids: Ids): Choose {
  return ({ name, typeName, isRequired }) => {
    if (name in also) return also[name]
    return typeName === 'ID' && isRequired ? ids[kindOfId(operation, name)] : undefined
  }
}

/** A way from a root field to an object. */
export interface FieldRoute {
  readonly root: string
  /** Whether the root is a device's to ask. */
  readonly isForDevices: boolean
  toOperation(selection: string, ids: Ids): Operation
}

const LAST_HOUR = `from: ${JSON.stringify(new Date(Date.now() - 3_600_000))}, to: ${JSON.stringify(new Date())}`
const HISTORY = `stateHistory(${LAST_HOUR})`

/** The ways to the objects of each type. */
export const FIELD_ROUTES: Readonly<Record<string, readonly FieldRoute[]>> = {
  Space: [bySpace(), byDevice('space')],
  DeviceCounts: [bySpace('deviceCounts')],
  Membership: [bySpace('members', 'nodes')],
  User: [bySpace('members', 'nodes', 'user')],
  Invitation: [bySpace('invitations', 'nodes')],
  Line: [bySpace('lines'), byDevice('line')],
  Process: [bySpace('processes'), byDevice('process')],
  Device: [bySpace('devices', 'nodes'), byDevice()],
  DeviceState: [byDevice('state')],
  DeviceConnectivity: [byDevice('connectivity')],
  Broadcast: [byDevice('broadcast'), bySpaceId('broadcasts')],
  BroadcastProblem: [byDevice('broadcast', 'problem')],
  BroadcastIngest: [byDevice('broadcast', 'ingest')],
  BroadcastStats: [byDevice('broadcast', 'stats')],
  StatusChange: [byDevice(HISTORY, 'nodes', '... on StatusChange')],
  MetricSample: [byDevice(HISTORY, 'nodes', '... on MetricSample')],
  AuditEntry: [bySpaceId('auditLog', 'nodes')],
  Log: [bySpaceId('logs', 'nodes')],
  AnomalyReport: [byReport('anomalyReport')],
  AnomalyReportRow: [byReport('anomalyReport', 'rows')],
  LogReport: [byReport('logReport')],
  LogReportRow: [byReport('logReport', 'rows')],
  AvailabilityReport: [byReport('availabilityReport')],
  AvailabilityReportRow: [byReport('availabilityReport', 'rows')],
  ResponseReport: [byReport('responseReport')],
  ResponseReportRow: [byReport('responseReport', 'rows')],
  ResponseTime: [byReport('responseReport', 'rows', 'resolve')],
  Availability: [byDevice(`availability(${LAST_HOUR})`)],
  Clip: [bySpaceId('anomalies', 'nodes', 'clip'), bySpaceId('anomalies', 'nodes', 'clips')],
  PresenceEvent: [bySpaceId('presenceEvents', 'nodes')],
  Anomaly: [bySpaceId('anomalies', 'nodes'), bySpace('devices', 'nodes', 'lastAnomaly')],
  NotificationSettings: [bySpaceId('notificationSettings')],
  QuietHours: [bySpaceId('notificationSettings', 'quietHours')],
  Webhook: [bySpaceId('notificationSettings', 'webhook')],
  Alert: [bySpaceId('alerts', 'nodes')],
  Comment: [bySpaceId('anomalies', 'nodes', 'comments', 'nodes')],
}

function bySpace(...path: string[]): FieldRoute {
  return route('space', '$id: ID!', 'id: $id', path, false, ids => ({ id: ids.spaceId }))
}

function byDevice(...path: string[]): FieldRoute {
  return route('device', '$id: ID!', 'id: $id', path, true, ids => ({ id: ids.deviceId }))
}

function bySpaceId(root: string, ...path: string[]): FieldRoute {
  return route(root, '$spaceId: ID!', 'spaceId: $spaceId', path, false, ({ spaceId }) => ({ spaceId }))
}

function byReport(root: string, ...path: string[]): FieldRoute {
  const given = `spaceId: $spaceId, ${LAST_HOUR}`
  return route(root, '$spaceId: ID!', given, path, false, ({ spaceId }) => ({ spaceId }))
}

function route(
  root: string,
  defined: string,
  given: string,
  path: readonly string[],
  isForDevices: boolean,
  toVariables: (ids: Ids) => Record<string, string>,
): FieldRoute {
  return {
    root: `Query.${root}`,
    isForDevices,
    toOperation(selection, ids) {
      const inner = path.reduceRight((inside, name) => `${name} { ${inside} }`, selection)
      return { query: `query (${defined}) { ${root}(${given}) { ${inner} } }`, variables: toVariables(ids) }
    },
  }
}
