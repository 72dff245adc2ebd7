/** The invitation to accept. */
export type AcceptInvitationInput = {
  /** The token of the mail: good for 7 days, and once. */
  token: string;
};

/** Which anomalies to acknowledge. */
export type AcknowledgeAnomaliesInput = {
  /** Ids of the anomalies: 1 to 1,000; repeated ones count once. */
  anomalyIds: Array<string>;
};

/** Narrows a list of anomalies; all given conditions hold at once. */
export type AnomalyFilter = {
  /** Only anomalies of these devices, 100 at most. */
  deviceIds?: Array<string> | null | undefined;
  /** Only anomalies that were raised at or after this moment. */
  from?: string | null | undefined;
  /** Only anomalies that were raised on this line. */
  lineId?: string | null | undefined;
  /** Only anomalies that were raised at this process. */
  processId?: string | null | undefined;
  /** Only these severities. */
  severities?: Array<Severity> | null | undefined;
  /** Only these statuses. */
  statuses?: Array<AnomalyStatus> | null | undefined;
  /**
   * Only anomalies whose message contains this, in any case of its letters: 1 to 128 characters, none of them special. A
   * list needs from and to with it, at most 7 days apart. Where reading so many takes more than 3 s, UNAVAILABLE says so.
   */
  text?: string | null | undefined;
  /** Only anomalies that were raised before this moment. */
  to?: string | null | undefined;
  /** Only these types, 20 at most. */
  types?: Array<string> | null | undefined;
};

/** What comes first in a list of anomalies. */
export type AnomalyOrder =
  /** Those that have occurred last. */
  | 'LAST_OCCURRED'
  /** Those that were raised last. */
  | 'NEWEST'
  /** The gravest; of those the ones that were raised last. */
  | 'SEVERITY';

/** What anomalies can be counted apart by. */
export type AnomalyReportGroup =
  /** The device. */
  | 'DEVICE'
  /** The line that the device stood on when it happened. */
  | 'LINE'
  /** The process that the device served when it happened. */
  | 'PROCESS'
  /** Severity of the occurrence itself. */
  | 'SEVERITY'
  /** Type of the anomaly. */
  | 'TYPE';

/** Where the work on an anomaly stands. */
export type AnomalyStatus =
  /** Somebody takes care of it. */
  | 'ACKNOWLEDGED'
  /** Nobody takes care of it. */
  | 'OPEN'
  /** It is over, as a person or the device has said. */
  | 'RESOLVED';

/** A step in the life of an anomaly. */
export type AnomalyStep =
  /** Somebody began to take care of it. */
  | 'ACKNOWLEDGED'
  /** The device said that it is over. */
  | 'CLEARED'
  /** It occurred more gravely than before. */
  | 'ESCALATED'
  /** The device raised it. */
  | 'RAISED'
  /** Somebody said that it is not over. */
  | 'REOPENED'
  /** Somebody said that it is over. */
  | 'RESOLVED';

/** What availability can be told apart by. */
export type AvailabilityReportGroup =
  /** The device. */
  | 'DEVICE'
  /** The line that the device stands on now. */
  | 'LINE'
  /** The process that the device serves now. */
  | 'PROCESS';

/** How far a broadcast is. */
export type BroadcastStatus =
  /** It is over. */
  | 'ENDED'
  /** Media flows. */
  | 'LIVE'
  /** Media has flowed and does not now, or does not come as it was agreed: see problem. */
  | 'STALLED'
  /** It is opened, and nothing has come yet. */
  | 'STARTING';

/** A new password for who knows the current one. */
export type ChangePasswordInput = {
  /** The password until now. */
  currentPassword: string;
  /** New password: 10 to 128 characters, not the address. */
  newPassword: string;
};

/** Where a comment comes from. */
export type CommentKind =
  /** A step of the anomaly left it. */
  | 'SYSTEM'
  /** A person wrote it. */
  | 'USER';

/** A comment to add. */
export type CommentOnAnomalyInput = {
  /** Id of the anomaly. */
  anomalyId: string;
  /** What to say: 1 byte to 4 KiB of text, without spaces around it. */
  body: string;
};

/** Connects a transport. */
export type ConnectBroadcastInput = {
  /** Role and fingerprints of the client. */
  dtlsParameters: Record<string, unknown>;
  /** Id of the session. */
  sessionId: string;
};

/** Asks for consumers. */
export type ConsumeBroadcastInput = {
  /** What the client can decode. */
  rtpCapabilities: Record<string, unknown>;
  /** Id of the session. */
  sessionId: string;
};

/** Names a consumer. */
export type ConsumerInput = {
  /** Id of the consumer. */
  consumerId: string;
  /** Id of the session. */
  sessionId: string;
};

/** The line to make. */
export type CreateLineInput = {
  /** Name of the line: 1 to 128 characters that can be seen. Unique in its space, in whatever case. */
  name: string;
  /** Where among the lines, from 0. Left out, or past the end: at the end. */
  position?: number | null | undefined;
  /** Id of the space. */
  spaceId: string;
};

/** The process to make. */
export type CreateProcessInput = {
  /** The line it belongs to. Left out: none, it stands for itself. */
  lineId?: string | null | undefined;
  /** Name of the process: 1 to 128 characters that can be seen. Unique on its line, in whatever case. */
  name: string;
  /** Where among the processes of its line, from 0. Left out, or past the end: at the end. */
  position?: number | null | undefined;
  /** Id of the space. */
  spaceId: string;
};

/** The space to make. */
export type CreateSpaceInput = {
  /** Name of the site: 1 to 128 characters that can be seen. */
  name: string;
  /** IANA time zone of the site, such as Asia/Seoul. */
  timezone: string;
};

/** A comment to delete. */
export type DeleteCommentInput = {
  /** Id of the comment. */
  commentId: string;
};

/** The line to delete. */
export type DeleteLineInput = {
  /** Id of the line. */
  lineId: string;
  /** The line that its devices and processes go to. Needed when it has any. */
  moveDevicesToLineId?: string | null | undefined;
  /** The version that the deletion is based on: CONFLICT when it is not the line's. */
  version?: number | null | undefined;
};

/** The process to delete. */
export type DeleteProcessInput = {
  /** The process that its devices go to, and its line. Needed when it has any. */
  moveDevicesToProcessId?: string | null | undefined;
  /** Id of the process. */
  processId: string;
  /** The version that the deletion is based on: CONFLICT when it is not the process's. */
  version?: number | null | undefined;
};

/** The space to delete. */
export type DeleteSpaceInput = {
  /** Id of the space. */
  spaceId: string;
};

/** What a device says of its work. */
export type DeviceStatus =
  /** Cannot work. */
  | 'ERROR'
  /** Ready, not working. */
  | 'IDLE'
  /** Working. */
  | 'RUNNING'
  /** Switched off on purpose. */
  | 'STOPPED'
  /** The device cannot tell. */
  | 'UNKNOWN';

/** When alerts are told together. */
export type DigestInterval =
  /** At eight in the morning, by the clock of the space. */
  | 'DAILY'
  /** At each full hour. */
  | 'HOURLY'
  /** Each by itself. */
  | 'OFF';

/** A comment to change. */
export type EditCommentInput = {
  /** What to say instead, as in commentOnAnomaly. */
  body: string;
  /** Id of the comment. */
  commentId: string;
};

/** What an exported report can count apart by. */
export type ExportGroup =
  /** The device. */
  | 'DEVICE'
  /** Level of the log; of LOG_REPORT alone. */
  | 'LEVEL'
  /** The line that the device stood on then. */
  | 'LINE'
  /** The process that the device served then. */
  | 'PROCESS'
  /** Severity of the occurrence; of ANOMALY_REPORT alone. */
  | 'SEVERITY'
  /** Type of the anomaly; of ANOMALY_REPORT alone. */
  | 'TYPE';

/** What an exported file has rows of. */
export type ExportKind =
  /** Occurrences of anomalies, one by one. */
  | 'ANOMALIES'
  /** Counts, as in anomalyReport. */
  | 'ANOMALY_REPORT'
  /** Logs, one by one. */
  | 'LOGS'
  /** Counts, as in logReport. */
  | 'LOG_REPORT';

/** What to export. All given conditions hold at once. */
export type ExportReportInput = {
  /** Whether the file begins with a byte order mark, by which some spreadsheets know that it is UTF-8. */
  bom?: boolean;
  /** Only events of these devices, 100 at most; of ANOMALIES and LOGS, as all conditions. */
  deviceIds?: Array<string> | null | undefined;
  /** Begin of the range. */
  from: string;
  /** What a report counts apart; a group that has nothing in a bucket has no row there. */
  groupBy?: Array<ExportGroup> | null | undefined;
  /** Length of a bucket; of reports alone. */
  interval?: ReportInterval | null | undefined;
  /** What the file has rows of. */
  kind: ExportKind;
  /** Only logs of these levels; of LOGS alone. */
  levels?: Array<LogLevel> | null | undefined;
  /** Only events of devices that stood on this line. */
  lineId?: string | null | undefined;
  /** Only events of devices that served this process. */
  processId?: string | null | undefined;
  /** Only occurrences of these severities; of ANOMALIES alone. */
  severities?: Array<Severity> | null | undefined;
  /** Id of the space. */
  spaceId: string;
  /** IANA name of the zone in which times are written, with their offset, and reports count; that of the space by default. */
  timezone?: string | null | undefined;
  /**
   * End of the range, after from. Events later than the moment of asking are left out; one that occurred before, and is
   * written while the file is read, is in the file when the reading has not come to its time yet. Reports have ranges as in
   * anomalyReport.
   */
  to: string;
  /** Only occurrences of these types, 20 at most; of ANOMALIES alone. */
  types?: Array<string> | null | undefined;
};

/** Whom to invite. */
export type InviteMemberInput = {
  /** Address, in any case. */
  email: string;
  /** What they will be: not OWNER. */
  role: Role;
  /** Id of the space. */
  spaceId: string;
};

/** Lets a viewer in. */
export type JoinBroadcastInput = {
  /** Tells players of one sign-in apart, such as tabs: a join replaces the earlier session of the same player alone. 64 characters at most. */
  clientId?: string | null | undefined;
  /** Which device. */
  deviceId: string;
};

/** Ends a session. */
export type LeaveBroadcastInput = {
  /** Id of the session. */
  sessionId: string;
};

/** Languages that people are written to in. */
export type Locale =
  /** English. */
  | 'EN'
  /** Korean. */
  | 'KO';

/** Narrows a list of logs; all given conditions hold at once. */
export type LogFilter = {
  /** Only logs of these devices, 100 at most. */
  deviceIds?: Array<string> | null | undefined;
  /** Only logs at or after this moment. */
  from?: string | null | undefined;
  /** Only these levels. */
  levels?: Array<LogLevel> | null | undefined;
  /** Only logs of devices that stood on this line. */
  lineId?: string | null | undefined;
  /** Only logs of devices that served this process. */
  processId?: string | null | undefined;
  /**
   * Only logs whose message contains this, in any case of its letters: 1 to 128 characters, none of them special. A list
   * needs from and to with it, at most 7 days apart. Where reading so many logs takes more than 3 s, UNAVAILABLE says so:
   * a shorter time, devices, a line, a process or levels make it quick.
   */
  text?: string | null | undefined;
  /** Only logs before this moment. */
  to?: string | null | undefined;
};

/** How grave a log is. */
export type LogLevel =
  /** For those who build the device. */
  | 'DEBUG'
  /** Something failed. */
  | 'ERROR'
  /** As it should be. */
  | 'INFO'
  /** May need a look. */
  | 'WARN';

/** What logs can be counted apart by. */
export type LogReportGroup =
  /** The device. */
  | 'DEVICE'
  /** How grave the log is. */
  | 'LEVEL'
  /** The line that the device stood on when it was written. */
  | 'LINE'
  /** The process that the device served when it was written. */
  | 'PROCESS';

/** A device to register. */
export type NewDeviceInput = {
  /** Code printed on the device, unique in its space: 1 to 64 characters. */
  code: string;
  /** The line it stands on. Left out: that of its process. */
  lineId?: string | null | undefined;
  /** Maker's model: at most 128 characters. */
  model?: string | null | undefined;
  /** Name shown to people: 1 to 128 characters. */
  name: string;
  /** The process it serves. */
  processId?: string | null | undefined;
};

/** Narrows a list of presence events; all given conditions hold at once. */
export type PresenceFilter = {
  /** Only events of these devices, 100 at most. */
  deviceIds?: Array<string> | null | undefined;
  /** Only events at or after this moment. */
  from?: string | null | undefined;
  /** Only this kind. */
  kind?: PresenceKind | null | undefined;
  /** Only events of devices that stand on this line now. */
  lineId?: string | null | undefined;
  /** Only events of devices that serve this process now. */
  processId?: string | null | undefined;
  /** Only events before this moment. */
  to?: string | null | undefined;
};

/** Whether a device came or went. */
export type PresenceKind =
  /** It went offline. */
  | 'OFFLINE'
  /** It went online. */
  | 'ONLINE';

/** Hours of each day. */
export type QuietHoursInput = {
  /** Time of day, such as 22:00. */
  from: string;
  /** IANA time zone, such as Asia/Seoul. */
  timezone: string;
  /** Time of day, another one; before from, it is that of the next day. */
  to: string;
};

/** The device to register. */
export type RegisterDeviceInput = {
  /** Code printed on the device, unique in its space: 1 to 64 characters. */
  code: string;
  /** The line it stands on. Left out: that of its process. */
  lineId?: string | null | undefined;
  /** Maker's model: at most 128 characters. */
  model?: string | null | undefined;
  /** Name shown to people: 1 to 128 characters. */
  name: string;
  /** The process it serves. */
  processId?: string | null | undefined;
  /** Id of the space. */
  spaceId: string;
};

/** The devices to register. */
export type RegisterDevicesInput = {
  /** 1 to 500 devices. What is wrong with one is named by its index, such as `devices.3.code`. */
  devices: Array<NewDeviceInput>;
  /** Id of the space. */
  spaceId: string;
};

/** The device to remove. */
export type RemoveDeviceInput = {
  /** Id of the device. */
  deviceId: string;
};

/** Who is to go. */
export type RemoveMemberInput = {
  /** Id of the space. */
  spaceId: string;
  /** Id of the member; one's own to leave. */
  userId: string;
};

/** Which anomaly to reopen. */
export type ReopenAnomalyInput = {
  /** Id of the anomaly. */
  anomalyId: string;
};

/** Length of a bucket: a piece of the site's calendar, so that a day is 23 or 25 hours long where clocks change. */
export type ReportInterval =
  /** From midnight to midnight. */
  | 'DAY'
  /** From one full hour of the clock to the next. */
  | 'HOUR'
  /** From the first of a month to the first of the next. */
  | 'MONTH'
  /** From Monday to Monday. */
  | 'WEEK';

/** Whose password to reset. */
export type RequestPasswordResetInput = {
  /** Address of the account. */
  email: string;
};

/** Where to mail a new code. */
export type ResendVerificationInput = {
  /** The address to prove. */
  email: string;
};

/** A new password for who has been mailed a token. */
export type ResetPasswordInput = {
  /** New password: 10 to 128 characters, not the address. */
  newPassword: string;
  /** The token of the newest mail: good for one hour, and once. */
  token: string;
};

/** Which anomaly to resolve. */
export type ResolveAnomalyInput = {
  /** Id of the anomaly. */
  anomalyId: string;
  /** What was found or done, kept as a comment of the caller: 1 byte to 4 KiB. */
  comment?: string | null | undefined;
};

/** What answers to anomalies can be told apart by. */
export type ResponseReportGroup =
  /** The device. */
  | 'DEVICE'
  /** The line that the device stood on when the anomaly was raised. */
  | 'LINE'
  /** The process that the device served when the anomaly was raised. */
  | 'PROCESS'
  /** The greatest severity that the anomaly has had. */
  | 'SEVERITY'
  /** Type of the anomaly. */
  | 'TYPE';

/** Restarts ICE. */
export type RestartIceInput = {
  /** Id of the session. */
  sessionId: string;
};

/** The space to restore. */
export type RestoreSpaceInput = {
  /** Id of the space. */
  spaceId: string;
};

/** The invitation to take back. */
export type RevokeInvitationInput = {
  /** Id of the invitation. */
  invitationId: string;
};

/** What a member may do in a space. */
export type Role =
  /** Everything but what concerns owners and admins. */
  | 'ADMIN'
  /** Reads; the role for working through anomalies. */
  | 'OPERATOR'
  /** Everything, including handing the space over. */
  | 'OWNER'
  /** Reads. */
  | 'VIEWER';

/** Of which device to make a new credential. */
export type RotateDeviceCredentialInput = {
  /** Id of the device. */
  deviceId: string;
  /** How many minutes the credential until now stays good, 10,080 at most. 0: it ends at once. */
  overlapMinutes?: number | null | undefined;
};

/** Why a session is over. */
export type SessionEndReason =
  /** The device has stopped. */
  | 'BROADCAST_ENDED'
  /** The server goes away. */
  | 'CLOSING'
  /** Nothing was heard of the client. */
  | 'CONNECTION_LOST'
  /** The client has left. */
  | 'LEFT'
  /** The client has not connected in time. */
  | 'NEVER_CONNECTED'
  /** The same viewer has joined again, or another publisher has come. */
  | 'REPLACED'
  /** The viewer may not watch any more. */
  | 'RIGHTS_ENDED'
  /** What carried it has died, and is replaced. */
  | 'WORKER_DIED';

/** Chooses layers. */
export type SetPreferredLayersInput = {
  /** Id of the consumer. */
  consumerId: string;
  /** Id of the session. */
  sessionId: string;
  /** From 0, the smallest picture. */
  spatialLayer: number;
  /** From 0, the fewest frames. The highest when left out. */
  temporalLayer?: number | null | undefined;
};

/** How grave an anomaly is. */
export type Severity =
  /** Look at it now. */
  | 'CRITICAL'
  /** Good to know. */
  | 'INFO'
  /** Look at it soon. */
  | 'MAJOR'
  /** Look at it some time. */
  | 'MINOR';

/** Who signs in. */
export type SignInInput = {
  /**
   * For browsers: the refresh token goes into an HttpOnly cookie instead of the payload, where no script can read it. Over
   * HTTP only, and for pages of this origin only (FORBIDDEN).
   */
  cookie?: boolean | null | undefined;
  /** Address, in any case. */
  email: string;
  /** Password. */
  password: string;
};

/** Which sessions to end. */
export type SignOutInput = {
  /** All of the caller's sessions, on all their devices, instead of this one. */
  everywhere?: boolean | null | undefined;
};

/** Who signs up. */
export type SignUpInput = {
  /** Address, in any case. One @, no spaces inside, 254 characters at most. */
  email: string;
  /** Language of mails. */
  locale?: Locale | null | undefined;
  /** Name shown to others: 1 to 128 characters that can be seen. */
  name: string;
  /** Password: 10 to 128 characters, not the address. */
  password: string;
};

/** Ends a broadcast. */
export type StopBroadcastInput = {
  /** Which device. */
  deviceId: string;
};

/** Whom to hand a space over to. */
export type TransferOwnershipInput = {
  /** Id of the space. */
  spaceId: string;
  /** Id of the member who becomes its owner. */
  userId: string;
};

/** What to change of a device; what is left out stays. */
export type UpdateDeviceInput = {
  /** Code printed on the device, unique in its space: 1 to 64 characters. */
  code?: string | null | undefined;
  /** Id of the device. */
  deviceId: string;
  /** The line it stands on; null: none. A process of another line is given up. */
  lineId?: string | null | undefined;
  /** Maker's model: at most 128 characters. Null: unknown. */
  model?: string | null | undefined;
  /** Name shown to people: 1 to 128 characters. */
  name?: string | null | undefined;
  /** The process it serves, and with it that process's line; null: none. */
  processId?: string | null | undefined;
  /** The version that the change is based on: CONFLICT when it is not the device's. Left out, what others changed counts as known. */
  version?: number | null | undefined;
};

/** What to change of a line; what is left out stays. */
export type UpdateLineInput = {
  /** Id of the line. */
  lineId: string;
  /** Name of the line: 1 to 128 characters that can be seen. Unique in its space, in whatever case. */
  name?: string | null | undefined;
  /** Where among the lines, from 0; the others make room. Past the end: at the end. */
  position?: number | null | undefined;
  /** The version that the change is based on: CONFLICT when it is not the line's. Left out, what others changed counts as known. */
  version?: number | null | undefined;
};

/** Who becomes what. */
export type UpdateMemberRoleInput = {
  /** The role that the change is based on: CONFLICT when it is not the member's. Left out, any. */
  expectedRole?: Role | null | undefined;
  /** The new role: not OWNER. */
  role: Role;
  /** Id of the space. */
  spaceId: string;
  /** Id of the member. */
  userId: string;
};

/** What to change; what is left out stays. */
export type UpdateNotificationSettingsInput = {
  /** Whether alerts are told one by one or together. */
  digest?: DigestInterval | null | undefined;
  /** Whether mail is sent. */
  email?: boolean | null | undefined;
  /** 0 to 10,080, or null for never. */
  offlineAfterMinutes?: number | null | undefined;
  /** Null for none. */
  quietHours?: QuietHoursInput | null | undefined;
  /** Severities that are told; none at all is allowed. */
  severities?: Array<Severity> | null | undefined;
  /** Id of the space. */
  spaceId: string;
  /** The version that was read: CONFLICT when it is another by now. Without it the last one wins. */
  version?: number | null | undefined;
  /** Null for none. */
  webhook?: WebhookInput | null | undefined;
};

/** What to change of a process; what is left out stays. */
export type UpdateProcessInput = {
  /** The line it goes to, and its devices with it; null: it stands for itself, and its devices stay on their line. */
  lineId?: string | null | undefined;
  /** Name of the process: 1 to 128 characters that can be seen. Unique on its line, in whatever case. */
  name?: string | null | undefined;
  /** Where among the processes of its line, from 0; the others make room. Past the end, or left out when the line is another: at the end. */
  position?: number | null | undefined;
  /** Id of the process. */
  processId: string;
  /** The version that the change is based on: CONFLICT when it is not the process's. Left out, what others changed counts as known. */
  version?: number | null | undefined;
};

/** What to change of a space; what is left out stays. */
export type UpdateSpaceInput = {
  /** Name of the site: 1 to 128 characters that can be seen. */
  name?: string | null | undefined;
  /** Days to keep what devices report, from 1 to what the site keeps. Null: as long as the site keeps it. */
  retentionDays?: number | null | undefined;
  /** Id of the space. */
  spaceId: string;
  /** IANA time zone of the site. */
  timezone?: string | null | undefined;
  /** The version that the change is based on: CONFLICT when it is not the space's. Left out, what others changed counts as known. */
  version?: number | null | undefined;
};

/** Kinds of problems that the caller can mend. */
export type UserErrorCode =
  /** A value is missing, malformed or out of range. */
  | 'BAD_USER_INPUT'
  /** Something of this name exists, or changed meanwhile. */
  | 'CONFLICT'
  /** The caller's own address has to be proven first: see verifyEmail. */
  | 'EMAIL_NOT_VERIFIED'
  /** The address and password do not belong together. */
  | 'INVALID_CREDENTIALS'
  /** The token or code is unknown, used, expired or revoked. */
  | 'INVALID_TOKEN'
  /** There are as many as there may be. */
  | 'LIMIT_REACHED'
  /** What the input refers to does not exist for the caller. */
  | 'NOT_FOUND';

/** The proof of an address. */
export type VerifyEmailInput = {
  /** The six digits of the newest mail: good for 10 minutes and 5 guesses. */
  code: string;
  /** The address to prove. */
  email: string;
};

/** What to watch, or no longer. */
export type WatchInput = {
  /** Its id. */
  id: string;
  /** Its kind. */
  kind: WatchKind;
};

/** Kinds of what can be watched. */
export type WatchKind =
  /** A device. */
  | 'DEVICE'
  /** A line: what happens to devices while they stand on it. */
  | 'LINE'
  /** A process: what happens to devices while they serve it. */
  | 'PROCESS'
  /** All of a space. */
  | 'SPACE';

/** Where to post alerts. */
export type WebhookInput = {
  /**
   * What messages are signed with: 16 to 256 visible ASCII characters, or whsec_ and base64 of 16 bytes or more. Left out
   * it stays, null takes it away.
   */
  secret?: string | null | undefined;
  /** An https address, 2,048 characters at most. Private addresses, and http, only where the site allows them. */
  url: string;
};
