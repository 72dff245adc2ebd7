import type {
  audit,
  device,
  invitation,
  line,
  membership,
  process,
  space,
  user,
} from '../../schema/mysql/device-tables.ts'
import type { Connection } from '../shared/graphql/connection.ts'
import type { DeviceStatus } from './resolver-types.generated.ts'
import type { MetricSampleRow, StateHistoryRow, StatusChangeRow } from './state-history-repository.ts'

/** A person as resolvers get it; what signing in needs stays in its repository. */
export type UserParent = Omit<typeof user.$inferSelect, 'passwordHash' | 'signUpId' | 'signUps'>

/** A space as resolvers get it. */
export type SpaceParent = typeof space.$inferSelect

/** A membership as resolvers get it. */
export type MembershipParent = typeof membership.$inferSelect

/** An invitation as resolvers get it; its token's digest stays in its repository. */
export type InvitationParent = Omit<typeof invitation.$inferSelect, 'digest'>

/** A change as resolvers get it. */
export type AuditEntryParent = typeof audit.$inferSelect

/** A line as resolvers get it. */
export type LineParent = typeof line.$inferSelect

/** A process as resolvers get it. */
export type ProcessParent = typeof process.$inferSelect

/** A device as resolvers get it. What it reports is read apart (readings.ts). */
export type DeviceParent = Omit<typeof device.$inferSelect, 'liveCode' | 'searchText'>

/** A device with its first credential. */
export interface RegisteredDeviceParent {
  readonly device: DeviceParent
  readonly credential: string
}

/** A state that a device reported. */
export interface DeviceStateParent {
  readonly status: DeviceStatus
  readonly metrics: Record<string, unknown> | null
  readonly reportedAt: Date
}

/** A connectivity report of a device. */
export interface DeviceConnectivityParent {
  readonly network: string
  readonly signal: number | null
  readonly latencyMs: number | null
  readonly reportedAt: Date
}

/** A page that can tell how long its whole list is; counts only when asked. */
interface Counted {
  count(): Promise<number>
}

/** A page of devices. */
export interface DeviceConnectionParent extends Connection<DeviceParent>, Counted {}

/** A page of spaces. */
export interface SpaceConnectionParent extends Connection<SpaceParent>, Counted {}

/** A page of members. */
export interface MembershipConnectionParent extends Connection<MembershipParent>, Counted {}

/** A page of invitations. */
export interface InvitationConnectionParent extends Connection<InvitationParent>, Counted {}

/** A page of changes. */
export interface AuditEntryConnectionParent extends Connection<AuditEntryParent>, Counted {}

/** A change of status in a device's history. */
export type StatusChangeParent = StatusChangeRow

/** A minute of a metric in a device's history. */
export type MetricSampleParent = MetricSampleRow

/** An item of a device's history. */
export type StateHistoryItemParent = StateHistoryRow

/** A page of a device's history. */
export type StateHistoryConnectionParent = Connection<StateHistoryRow>
