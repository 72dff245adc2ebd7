import { newId } from '../../../subgraphs/shared/uuid-v7.ts'
import { commentIdOf, DEVICE_CODE, emailOf, type Ids, PASSWORD } from './factory-world.ts'

/** What a caller is to the space that an operation names. */
export type Standing =
  | 'VIEWER'
  | 'OPERATOR'
  | 'ADMIN'
  | 'OWNER'
  /** The very device that the operation names, or a device of the space that it names. */
  | 'ITSELF'
  /** A signed-in person who is no member. */
  | 'STRANGER'
  /** A device of another space. */
  | 'FOREIGN'
  | 'NOBODY'

/** What comes of a call. */
export type Outcome =
  /** It took effect, or the caller was told what of its content they can mend. */
  | 'allowed'
  | 'FORBIDDEN'
  /** The caller is told that there is nothing: by NOT_FOUND, or by null. */
  | 'NOT_FOUND'
  | 'UNAUTHENTICATED'
  /** The caller is told to prove their address. */
  | 'EMAIL_NOT_VERIFIED'

/** What else stands in the input, by the names of arguments and input fields, when a caller asks at these ids. */
export type With = (at: Ids & { readonly callerId: string }, secrets: Secrets) => Record<string, unknown>

/** What is good once, for whom it was made. */
export interface Secrets {
  readonly credential: string
  readonly invitationToken: string
  readonly refreshToken: string
  readonly resetToken: string
  readonly unprovenEmail: string
  readonly emailCode: string
}

/** A row of the table of rights. */
export interface RightsRow {
  /** VIEWER, OPERATOR, ADMIN, OWNER, device itself: ✔ may, – may not, ? is told that there is nothing. */
  readonly may: `${Cell} ${Cell} ${Cell} ${Cell} ${Cell}`
  /** What it lets do, each with what its input takes besides: several, when it may be asked for several things. */
  readonly operations: Readonly<Record<string, With | readonly With[]>>
  /** What it lets read, by type. */
  readonly fields?: Readonly<Record<string, string>>
}

type Cell = '✔' | '–' | '?'

const nothingElse: With = () => ({})
const lastHour = () => ({
  from: new Date(Date.now() - 3_600_000).toISOString(),
  to: new Date().toISOString(),
})

/** Rights in a space, in the words of the contract. Whoever has no place in it is told that there is nothing. */
export const SPACE_RIGHTS: Readonly<Record<string, RightsRow>> = {
  'read topology, state, logs, anomalies': {
    may: '✔ ✔ ✔ ✔ –',
    operations: {
      'Query.space': nothingElse,
      'Query.logs': nothingElse,
      'Query.presenceEvents': [nothingElse, ({ deviceId }) => ({ deviceIds: [deviceId] })],
      'Mutation.watch': [
        ({ deviceId: id }) => ({ kind: 'DEVICE', id }),
        ({ lineId: id }) => ({ kind: 'LINE', id }),
        ({ processId: id }) => ({ kind: 'PROCESS', id }),
        ({ spaceId: id }) => ({ kind: 'SPACE', id }),
      ],
      'Query.anomalies': nothingElse,
      'Query.anomaly': nothingElse,
      'Query.broadcasts': nothingElse,
      'Mutation.joinBroadcast': nothingElse,
      'Subscription.broadcastChanged': nothingElse,
      'Subscription.deviceStateChanged': [nothingElse, ({ deviceId }) => ({ deviceIds: [deviceId] })],
      'Subscription.devicePresenceChanged': nothingElse,
      'Subscription.logAdded': [nothingElse, ({ deviceId }) => ({ deviceIds: [deviceId] })],
      'Subscription.anomalyRaised': [nothingElse, ({ deviceId }) => ({ deviceIds: [deviceId] })],
      'Subscription.anomalyUpdated': [nothingElse, ({ lineId }) => ({ lineId })],
    },
    fields: {
      Space: 'lines processes devices deviceCounts members',
      DeviceCounts: 'total online broadcasting',
      Membership: 'user role joinedAt',
      User: 'id email name emailVerified createdAt locale',
      Line: 'processes devices openAnomalyCount',
      Process: 'devices openAnomalyCount',
      Device: 'logs anomalies openAnomalyCount lastAnomaly',
      PresenceEvent: 'id kind occurredAt device',
      Log: 'id level message attributes clockReplaced occurredAt receivedAt device line process',
      Anomaly:
        'id type severity message score attributes clockReplaced occurredAt receivedAt firstOccurredAt lastOccurredAt occurrences status acknowledgedAt acknowledgedBy resolvedAt resolvedBy device line process comments clip clips version',
      Clip: 'id eventId status contentType sizeBytes durationMs url urlExpiresAt posterUrl createdAt',
      Comment: 'id body author kind step createdAt editedAt',
    },
  },
  'set and see what one is told of': {
    may: '✔ ✔ ✔ ✔ –',
    operations: {
      'Query.notificationSettings': nothingElse,
      'Query.alerts': () => ({ everyone: false }),
      'Mutation.updateNotificationSettings': () => ({
        ...{ severities: ['MAJOR'], offlineAfterMinutes: 5, email: true, digest: 'HOURLY' },
        ...{ quietHours: null, webhook: null, version: null },
      }),
    },
    fields: {
      NotificationSettings: 'severities offlineAfterMinutes quietHours email webhook digest version',
      QuietHours: 'from to timezone',
      Webhook: 'url secretSet',
      Alert:
        'id kind channel status heldFor user device anomaly severity occurredAt createdAt dueAt doneAt error',
    },
  },
  'see what others were told of': {
    may: '– – ✔ ✔ –',
    operations: { 'Query.alerts': () => ({ everyone: true }) },
  },
  'read reports, export': {
    may: '✔ ✔ ✔ ✔ –',
    operations: {
      'Query.anomalyReport': lastHour,
      'Query.logReport': lastHour,
      'Query.availabilityReport': [
        lastHour,
        () => ({ ...lastHour(), groupBy: ['DEVICE', 'LINE', 'PROCESS'] }),
      ],
      'Query.responseReport': lastHour,
      'Mutation.exportReport': lastHour,
    },
    fields: {
      AnomalyReport: 'from to timezone total rows',
      AnomalyReportRow: 'bucketStart line process device type severity total',
      LogReport: 'from to timezone total rows',
      LogReportRow: 'bucketStart line process device level total',
      AvailabilityReport: 'from to timezone rows',
      AvailabilityReportRow:
        'device line process onlineRatio downtimeSeconds outages mtbfSeconds mttrSeconds',
      ResponseReport: 'from to rows',
      ResponseReportRow: 'line process device type severity raised acknowledge resolve',
      ResponseTime: 'count meanSeconds p50Seconds p95Seconds',
      Device: 'anomalyCount availability',
      Line: 'anomalyCount',
      Process: 'anomalyCount',
      Availability: 'onlineRatio downtimeSeconds outages mtbfSeconds mttrSeconds',
    },
  },
  'a device reads itself, and the names of where it stands': {
    may: '✔ ✔ ✔ ✔ ✔',
    operations: {
      'Query.device': nothingElse,
      'Query.deviceByCode': () => ({ code: DEVICE_CODE }),
    },
    fields: {
      Space: 'id name timezone createdAt version retentionDays deletedAt viewerRole',
      Line: 'id name position version',
      Process: 'id name position version line',
      Device:
        'id code name model version space line process createdAt online lastSeenAt broadcasting broadcast state connectivity stateHistory',
      Broadcast: 'id device status problem startedAt viewerCount videoCodec audioCodec ingest stats',
      BroadcastProblem: 'code kind message',
      BroadcastIngest: 'kind',
      BroadcastStats: 'bitrateKbps packetLoss jitterMs score',
      DeviceState: 'status metrics reportedAt',
      DeviceConnectivity: 'network signal latencyMs reportedAt',
      StatusChange: 'at status',
      MetricSample: 'key at last min max',
    },
  },
  'acknowledge, resolve, reopen, comment (edit and delete own)': {
    may: '– ✔ ✔ ✔ –',
    operations: {
      'Mutation.acknowledgeAnomaly': nothingElse,
      'Mutation.acknowledgeAnomalies': nothingElse,
      'Mutation.resolveAnomaly': [nothingElse, () => ({ comment: 'Cleaned.' })],
      'Mutation.reopenAnomaly': ({ resolvedAnomalyId }) => ({ anomalyId: resolvedAnomalyId }),
      'Mutation.commentOnAnomaly': () => ({ body: 'Looking.' }),
      'Mutation.editComment': at => ({ commentId: commentIdOf(at), body: 'Looking again.' }),
      'Mutation.deleteComment': at => ({ commentId: commentIdOf(at) }),
    },
  },
  'delete what others have commented': {
    may: '– – ✔ ✔ –',
    operations: { 'Mutation.deleteComment': nothingElse },
  },
  'start and stop an uplink, send in the place of a device': {
    may: '– ✔ ✔ ✔ ✔',
    operations: {
      'Mutation.startBroadcast': nothingElse,
      'Mutation.stopBroadcast': nothingElse,
      'Mutation.publishBroadcast': nothingElse,
    },
  },
  'lines, processes, devices, credentials, retention, invite and remove up to OPERATOR, see invitations and audit':
    {
      may: '– – ✔ ✔ –',
      operations: {
        'Query.auditLog': nothingElse,
        'Mutation.updateSpace': () => ({ retentionDays: 30 }),
        'Mutation.inviteMember': [
          () => ({ role: 'OPERATOR', email: 'new@example.com' }),
          () => ({ role: 'VIEWER', email: 'new@example.com' }),
        ],
        'Mutation.revokeInvitation': nothingElse,
        'Mutation.updateMemberRole': () => ({ role: 'OPERATOR' }),
        'Mutation.removeMember': nothingElse,
        'Mutation.registerDevice': [
          nothingElse,
          ({ lineId, processId }) => ({ code: 'NEW-1', lineId, processId }),
        ],
        'Mutation.registerDevices': nothingElse,
        'Mutation.updateDevice': [() => ({ name: 'New name' }), () => ({ lineId: null, processId: null })],
        'Mutation.removeDevice': nothingElse,
        'Mutation.rotateDeviceCredential': [nothingElse, () => ({ overlapMinutes: 0 })],
        'Mutation.createLine': nothingElse,
        'Mutation.updateLine': () => ({ name: 'New name' }),
        'Mutation.deleteLine': [
          ({ spareLineId }) => ({ lineId: spareLineId }),
          ({ spareLineId }) => ({ moveDevicesToLineId: spareLineId }),
        ],
        'Mutation.createProcess': [nothingElse, ({ lineId }) => ({ lineId })],
        'Mutation.updateProcess': () => ({ name: 'New name' }),
        'Mutation.deleteProcess': [
          ({ spareProcessId }) => ({ processId: spareProcessId }),
          ({ spareProcessId }) => ({ moveDevicesToProcessId: spareProcessId }),
        ],
      },
      fields: {
        Space: 'invitations',
        Invitation: 'id email role invitedBy createdAt expiresAt',
        AuditEntry: 'id occurredAt actor action targetType targetId targetName details',
      },
    },
  'appoint and remove ADMIN, rename and delete space, hand over ownership': {
    may: '– – – ✔ –',
    operations: {
      'Mutation.updateSpace': [
        () => ({ name: 'New name' }),
        () => ({ timezone: 'Europe/Berlin' }),
        () => ({ name: 'New name', retentionDays: 30 }),
      ],
      'Mutation.deleteSpace': nothingElse,
      'Mutation.transferOwnership': nothingElse,
      'Mutation.inviteMember': () => ({ role: 'ADMIN', email: 'new@example.com' }),
      'Mutation.revokeInvitation': ({ adminInvitationId }) => ({ invitationId: adminInvitationId }),
      'Mutation.updateMemberRole': [
        () => ({ role: 'ADMIN' }),
        ({ adminId }) => ({ userId: adminId, role: 'VIEWER' }),
      ],
      'Mutation.removeMember': ({ adminId }) => ({ userId: adminId }),
    },
  },
  'restore space, which is nobody else’s to know of': {
    may: '? ? ? ✔ –',
    operations: { 'Mutation.restoreSpace': ({ deletedSpaceId }) => ({ spaceId: deletedSpaceId }) },
  },
  'leave, take less for oneself': {
    may: '✔ ✔ ✔ ✔ –',
    operations: {
      'Mutation.removeMember': ({ callerId }) => ({ userId: callerId }),
      'Mutation.updateMemberRole': ({ callerId }) => ({ userId: callerId, role: 'VIEWER' }),
    },
  },
}

/** A right that no space gives. */
export interface CallerRow {
  /** Person, person whose address is not proven, device, nobody: ✔, or what they are told. */
  readonly may: readonly [Outcome, Outcome, Outcome, Outcome]
  readonly operations: Readonly<Record<string, With | readonly With[]>>
  /** It is for whom none of the callers is: nobody is to bring it about. */
  readonly isForNobody?: boolean
  /** What it lets read, by type: the caller's own, which no route leads others to. */
  readonly fields?: Readonly<Record<string, string>>
  /** Asked by those persons alone who are members of the space. */
  readonly isForMembers?: true
}

/** Operations that take effect only where the machine has mediasoup's worker. */
export const MEDIA_OPERATIONS: ReadonlySet<string> = new Set([
  'Mutation.joinBroadcast',
  'Mutation.startBroadcast',
  'Mutation.stopBroadcast',
  'Mutation.publishBroadcast',
])

const ofSession: With = () => ({ sessionId: newId(), consumerId: newId() })

/** Rights that callers have by themselves, whatever space they are of. */
export const CALLER_RIGHTS: Readonly<Record<string, CallerRow>> = {
  'come to a session': {
    may: ['allowed', 'allowed', 'allowed', 'allowed'],
    operations: {
      'Mutation.signUp': () => ({ email: 'new@example.com', password: PASSWORD }),
      'Mutation.verifyEmail': (_, { unprovenEmail, emailCode }) => ({
        email: unprovenEmail,
        code: emailCode,
      }),
      'Mutation.resendVerification': (_, { unprovenEmail }) => ({ email: unprovenEmail }),
      'Mutation.requestPasswordReset': (_, { unprovenEmail }) => ({ email: unprovenEmail }),
      'Mutation.resetPassword': (_, { resetToken }) => ({
        token: resetToken,
        newPassword: 'another password',
      }),
      'Mutation.signIn': ({ userId }) => ({ email: emailOf(userId), password: PASSWORD }),
      'Mutation.deviceToken': (_, { credential }) => ({ credential }),
      'Mutation.refreshSession': (_, { refreshToken }) => ({ refreshToken }),
    },
  },
  'see who one is': {
    may: ['allowed', 'allowed', 'NOT_FOUND', 'NOT_FOUND'],
    operations: { 'Query.viewer': nothingElse },
  },
  'clips of the device itself': {
    may: ['FORBIDDEN', 'FORBIDDEN', 'allowed', 'UNAUTHENTICATED'],
    operations: {
      'Mutation.requestClipUpload': ({ logId }) => ({
        eventId: logId,
        contentType: 'video/mp4',
        sizeBytes: 1,
      }),
      // The one clip of a device has the device's id.
      'Mutation.completeClipUpload': ({ callerId }) => ({ clipId: callerId }),
    },
  },
  'one’s own account and spaces': {
    may: ['allowed', 'allowed', 'FORBIDDEN', 'UNAUTHENTICATED'],
    operations: {
      'Query.spaces': nothingElse,
      'Query.deletedSpaces': nothingElse,
      'Mutation.changePassword': () => ({ currentPassword: PASSWORD, newPassword: 'another password' }),
      'Mutation.signOut': [nothingElse, () => ({ everywhere: true })],
    },
  },
  'a session of live video, which is its owner’s alone': {
    may: ['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'UNAUTHENTICATED'],
    isForNobody: true,
    operations: {
      'Mutation.connectBroadcast': ofSession,
      'Mutation.produceBroadcast': ofSession,
      'Mutation.consumeBroadcast': ofSession,
      'Mutation.resumeConsumer': ofSession,
      'Mutation.pauseConsumer': ofSession,
      'Mutation.setPreferredLayers': ofSession,
      'Mutation.restartIce': ofSession,
      'Mutation.leaveBroadcast': ofSession,
      'Subscription.signaling': ofSession,
    },
  },
  'what one watches': {
    may: ['allowed', 'allowed', 'FORBIDDEN', 'UNAUTHENTICATED'],
    operations: {
      'Query.watches': nothingElse,
      'Query.feed': nothingElse,
      'Mutation.unwatch': ({ spaceId: id }) => ({ kind: 'SPACE', id }),
    },
    fields: { Watch: 'target since' },
  },
  'follow what one watches': {
    may: ['allowed', 'allowed', 'FORBIDDEN', 'UNAUTHENTICATED'],
    operations: { 'Subscription.feedItemAdded': nothingElse },
    isForMembers: true,
  },
  'make spaces and join them': {
    may: ['allowed', 'EMAIL_NOT_VERIFIED', 'FORBIDDEN', 'UNAUTHENTICATED'],
    operations: {
      'Mutation.createSpace': () => ({ name: 'New space', timezone: 'Asia/Seoul' }),
      'Mutation.acceptInvitation': (_, { invitationToken }) => ({ token: invitationToken }),
    },
  },
}

/** What a caller is told, by a row of a space and what they are to that space. */
export function expectedOutcome({ may }: RightsRow, standing: Standing): Outcome {
  const [viewer, operator, admin, owner, itself] = may.split(' ')
  if (standing === 'NOBODY') return 'UNAUTHENTICATED'
  if (standing === 'STRANGER') return 'NOT_FOUND'
  if (standing === 'FOREIGN') return itself === '✔' ? 'NOT_FOUND' : 'FORBIDDEN'
  const cells = { VIEWER: viewer, OPERATOR: operator, ADMIN: admin, OWNER: owner, ITSELF: itself }
  const cell = cells[standing]
  return cell === '✔' ? 'allowed' : cell === '?' ? 'NOT_FOUND' : 'FORBIDDEN'
}
