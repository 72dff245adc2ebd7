import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { LogParent, LogConnectionParent, DeviceParent, LineParent, ProcessParent, AnomalyParent, AnomalyConnectionParent, AnomalyConflictParent, CommentParent, CommentConnectionParent, ClipParent, NotificationSettingsParent, AlertParent, WatchParent, WatchTargetParent, FeedItemParent, FeedConnectionParent, PresenceEventParent, PresenceEventConnectionParent } from './model.ts';
import type { SubgraphContext } from './context.ts';
export type Maybe<T> = T | null;
export type InputMaybe<T> = T | null | undefined;
export type Omit<T, K extends keyof T> = Pick<T, Exclude<keyof T, K>>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** A moment in time, ISO-8601 with offset; answers are in UTC with milliseconds. */
  DateTime: { input: Date; output: Date; }
  /** Any JSON value. */
  JSON: { input: Record<string, unknown>; output: Record<string, unknown>; }
  _FieldSet: { input: unknown; output: unknown; }
};

/** Which anomalies to acknowledge. */
export type AcknowledgeAnomaliesInput = {
  /** Ids of the anomalies: 1 to 1,000; repeated ones count once. */
  anomalyIds: Array<Scalars['ID']['input']>;
};

/** The anomalies that were acknowledged, and why others were not. */
export type AcknowledgeAnomaliesPayload = {
  __typename?: 'AcknowledgeAnomaliesPayload';
  /** Those that were, in the order of the input. */
  anomalies: Array<Anomaly>;
  /** Who was first with those that were not, in the order of the input: each has a userError of code CONFLICT too. */
  conflicts: Array<AnomalyConflict>;
  /** What the caller can mend: `field` is `anomalyIds.3` for the fourth. */
  userErrors: Array<UserError>;
};

/** Which anomaly to acknowledge. */
export type AcknowledgeAnomalyInput = {
  /** Id of the anomaly. */
  anomalyId: Scalars['ID']['input'];
};

/** The anomaly that was acknowledged, or why it was not. */
export type AcknowledgeAnomalyPayload = {
  __typename?: 'AcknowledgeAnomalyPayload';
  /** The anomaly; null when it was not acknowledged. */
  anomaly: Maybe<Anomaly>;
  /** Who was first, with a userError of code CONFLICT; the caller, when it was them. */
  conflict: Maybe<AnomalyConflict>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** That a member was told of something, by one channel. */
export type Alert = {
  __typename?: 'Alert';
  /** The anomaly it was about. */
  anomaly: Maybe<Anomaly>;
  /** How it was told. */
  channel: AlertChannel;
  /** When it was written. */
  createdAt: Scalars['DateTime']['output'];
  /** The device it was about. */
  device: Maybe<Device>;
  /** When it had been taken by the mail server or the webhook, had failed for good or was withdrawn. */
  doneAt: Maybe<Scalars['DateTime']['output']>;
  /** When it is told, if it is held. */
  dueAt: Maybe<Scalars['DateTime']['output']>;
  /** What went wrong last, if anything did. */
  error: Maybe<Scalars['String']['output']>;
  /** Why it was not told by itself at once; null when it was. */
  heldFor: Maybe<AlertHoldReason>;
  /** UUIDv7. */
  id: Scalars['ID']['output'];
  /** What it was about. */
  kind: AlertKind;
  /** When what it tells of happened. */
  occurredAt: Scalars['DateTime']['output'];
  /** How grave the anomaly was then. */
  severity: Maybe<Severity>;
  /** How far it is. */
  status: AlertStatus;
  /** Who was told. */
  user: Maybe<User>;
};

/** How people are told. */
export type AlertChannel =
  /** By mail. */
  | 'EMAIL'
  /** By their webhook. */
  | 'WEBHOOK';

/** One page of alerts. */
export type AlertConnection = {
  __typename?: 'AlertConnection';
  /** Alerts with their cursors. */
  edges: Array<AlertEdge>;
  /** The alerts alone. */
  nodes: Array<Alert>;
  /** Where this page stands. */
  pageInfo: PageInfo;
};

/** An alert in a page. */
export type AlertEdge = {
  __typename?: 'AlertEdge';
  /** Opaque position, stable under inserts. */
  cursor: Scalars['String']['output'];
  /** The alert. */
  node: Alert;
};

/** Why an alert is told with others. */
export type AlertHoldReason =
  /** The member wants digests. */
  | 'DIGEST'
  /** The device comes and goes. */
  | 'FLAPPING'
  /** It came in quiet hours. */
  | 'QUIET_HOURS'
  /** It came with many. */
  | 'STORM';

/** What an alert is about. */
export type AlertKind =
  /** An anomaly was raised or has become graver. */
  | 'ANOMALY'
  /** A device was offline for too long. */
  | 'OFFLINE';

/** How far an alert is. */
export type AlertStatus =
  /** Given up. */
  | 'FAILED'
  /** Waits to be told with others. */
  | 'HELD'
  /** Taken by the mail server or the webhook. */
  | 'SENT'
  /** On its way. */
  | 'WAITING'
  /** Became pointless before it was told: the device is back, or the member has left or wants no more. */
  | 'WITHDRAWN';

/**
 * Something that is wrong with a device, from its first occurrence until it is resolved: one for each device and type in
 * that time, however often it occurs.
 */
export type Anomaly = {
  __typename?: 'Anomaly';
  /** When somebody began to take care of it; null until then, and after it was reopened. */
  acknowledgedAt: Maybe<Scalars['DateTime']['output']>;
  /** Who takes care of it; null when nobody does, or when they have left all spaces that the caller is in. */
  acknowledgedBy: Maybe<User>;
  /** Device-defined values of that occurrence: an object. */
  attributes: Maybe<Scalars['JSON']['output']>;
  /** The newest of its clips; null without one. */
  clip: Maybe<Clip>;
  /** Videos and images of its occurrences, of the latest first; only what is READY. */
  clips: Array<Clip>;
  /** Whether the door replaced an id whose time could not be right. */
  clockReplaced: Scalars['Boolean']['output'];
  /** What was said and done about it, oldest first; last and before walk back from the newest. */
  comments: CommentConnection;
  /** The device that raised it. */
  device: Maybe<Device>;
  /** Its earliest occurrence: before occurredAt when one of before came late. */
  firstOccurredAt: Scalars['DateTime']['output'];
  /** UUIDv7: that of the occurrence which raised it; its time is occurredAt. */
  id: Scalars['ID']['output'];
  /** Its latest occurrence. */
  lastOccurredAt: Scalars['DateTime']['output'];
  /** The line the device stood on then. */
  line: Maybe<Line>;
  /** Text of the occurrence which raised it, at most 8 KiB. */
  message: Maybe<Scalars['String']['output']>;
  /** When it was raised: the time of the id. */
  occurredAt: Scalars['DateTime']['output'];
  /** How often it has occurred. */
  occurrences: Scalars['Int']['output'];
  /** The process the device served then. */
  process: Maybe<Process>;
  /** When the door took that occurrence. */
  receivedAt: Scalars['DateTime']['output'];
  /**
   * When it was resolved; null while it is not. Never before lastOccurredAt: when its device's clock is ahead of ours, and
   * somebody resolves it, the moment of its last occurrence.
   */
  resolvedAt: Maybe<Scalars['DateTime']['output']>;
  /** Who resolved it; null while it is not, and when the device itself said that it is over. */
  resolvedBy: Maybe<User>;
  /** Score of that occurrence, such as that of the model which found it. */
  score: Maybe<Scalars['Float']['output']>;
  /** How grave it is: the highest of its occurrences. */
  severity: Severity;
  /** Where the work on it stands. */
  status: AnomalyStatus;
  /** What is wrong, in the device's own word. */
  type: Scalars['String']['output'];
  /** Rises with every change: of two states of an anomaly that of the higher version is the newer one. */
  version: Scalars['Int']['output'];
};


/**
 * Something that is wrong with a device, from its first occurrence until it is resolved: one for each device and type in
 * that time, however often it occurs.
 */
export type AnomalyClipsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
};


/**
 * Something that is wrong with a device, from its first occurrence until it is resolved: one for each device and type in
 * that time, however often it occurs.
 */
export type AnomalyCommentsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};

/** Why a step could not be taken: somebody, or the device, was first. */
export type AnomalyConflict = {
  __typename?: 'AnomalyConflict';
  /** What is in the way, as it is now: the anomaly itself, or, for reopenAnomaly, the newer one that is not resolved. */
  anomaly: Anomaly;
  /** Id of the anomaly that the step was for. */
  anomalyId: Scalars['ID']['output'];
  /** When they were. */
  at: Scalars['DateTime']['output'];
  /** Who was first; null when it was the device. */
  by: Maybe<User>;
  /** Where the anomaly in the way stands, and so what was done first. */
  status: AnomalyStatus;
};

/** One page of anomalies. */
export type AnomalyConnection = {
  __typename?: 'AnomalyConnection';
  /** Anomalies with their cursors. */
  edges: Array<AnomalyEdge>;
  /** The anomalies alone. */
  nodes: Array<Anomaly>;
  /** Where this page stands. */
  pageInfo: PageInfo;
  /** How many there are in all; counted only when asked for, and to 10,000 at most. */
  totalCount: Maybe<Scalars['Int']['output']>;
  /** Whether counting stopped at 10,000. */
  totalCountIsAtLeast: Maybe<Scalars['Boolean']['output']>;
};

/** An anomaly in a page. */
export type AnomalyEdge = {
  __typename?: 'AnomalyEdge';
  /** Opaque position in this order, stable under inserts. */
  cursor: Scalars['String']['output'];
  /** The anomaly. */
  node: Anomaly;
};

/** Narrows a list of anomalies; all given conditions hold at once. */
export type AnomalyFilter = {
  /** Only anomalies of these devices, 100 at most. */
  deviceIds?: InputMaybe<Array<Scalars['ID']['input']>>;
  /** Only anomalies that were raised at or after this moment. */
  from?: InputMaybe<Scalars['DateTime']['input']>;
  /** Only anomalies that were raised on this line. */
  lineId?: InputMaybe<Scalars['ID']['input']>;
  /** Only anomalies that were raised at this process. */
  processId?: InputMaybe<Scalars['ID']['input']>;
  /** Only these severities. */
  severities?: InputMaybe<Array<Severity>>;
  /** Only these statuses. */
  statuses?: InputMaybe<Array<AnomalyStatus>>;
  /**
   * Only anomalies whose message contains this, in any case of its letters: 1 to 128 characters, none of them special. A
   * list needs from and to with it, at most 7 days apart. Where reading so many takes more than 3 s, UNAVAILABLE says so.
   */
  text?: InputMaybe<Scalars['String']['input']>;
  /** Only anomalies that were raised before this moment. */
  to?: InputMaybe<Scalars['DateTime']['input']>;
  /** Only these types, 20 at most. */
  types?: InputMaybe<Array<Scalars['String']['input']>>;
};

/** What comes first in a list of anomalies. */
export type AnomalyOrder =
  /** Those that have occurred last. */
  | 'LAST_OCCURRED'
  /** Those that were raised last. */
  | 'NEWEST'
  /** The gravest; of those the ones that were raised last. */
  | 'SEVERITY';

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

/** A video or image of an occurrence, uploaded by the device. Without one that is READY there is nothing to read. */
export type Clip = {
  __typename?: 'Clip';
  /** Such as video/mp4. */
  contentType: Scalars['String']['output'];
  /** When the device requested it. */
  createdAt: Scalars['DateTime']['output'];
  /** Length of the video, as the device says. */
  durationMs: Maybe<Scalars['Int']['output']>;
  /** Id of the occurrence that it shows. */
  eventId: Scalars['ID']['output'];
  /** UUIDv7; its time is createdAt. */
  id: Scalars['ID']['output'];
  /** Where to read a JPEG of its first frame, as long as url, or the image itself; null while there is none. */
  posterUrl: Maybe<Scalars['String']['output']>;
  /** Length of the file. */
  sizeBytes: Scalars['Int']['output'];
  /** Whether it can be read. */
  status: ClipStatus;
  /** Where to read it with GET, ranges included, for 5 minutes at most; null while it is PENDING. */
  url: Maybe<Scalars['String']['output']>;
  /** When url stops working; at least a minute ahead. */
  urlExpiresAt: Maybe<Scalars['DateTime']['output']>;
};

/** How far a clip is. */
export type ClipStatus =
  /** Requested, and not completed: it is gone after an hour. */
  | 'PENDING'
  /** Uploaded, and looked at. */
  | 'READY';

/** What was said or done about an anomaly. */
export type Comment = {
  __typename?: 'Comment';
  /** Who said or did it; null when it was the device, or when they have left all spaces that the caller is in. */
  author: Maybe<User>;
  /** What was said, at most 4 KiB; of a SYSTEM one what happened, in English. */
  body: Scalars['String']['output'];
  /** When it was said or done. */
  createdAt: Scalars['DateTime']['output'];
  /** When it was last changed; null when it never was. */
  editedAt: Maybe<Scalars['DateTime']['output']>;
  /** UUIDv7, in the order of comments. */
  id: Scalars['ID']['output'];
  /** Whether a person wrote it, or a step of the anomaly left it. */
  kind: CommentKind;
  /** The step that left it; null when a person wrote it. */
  step: Maybe<AnomalyStep>;
};

/** One page of comments. */
export type CommentConnection = {
  __typename?: 'CommentConnection';
  /** Comments with their cursors. */
  edges: Array<CommentEdge>;
  /** The comments alone. */
  nodes: Array<Comment>;
  /** Where this page stands. */
  pageInfo: PageInfo;
  /** How many there are in all; counted only when asked for, and to 10,000 at most. */
  totalCount: Maybe<Scalars['Int']['output']>;
};

/** A comment in a page. */
export type CommentEdge = {
  __typename?: 'CommentEdge';
  /** Opaque position, stable under inserts. */
  cursor: Scalars['String']['output'];
  /** The comment. */
  node: Comment;
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
  anomalyId: Scalars['ID']['input'];
  /** What to say: 1 byte to 4 KiB of text, without spaces around it. */
  body: Scalars['String']['input'];
};

/** The comment that was added, or why it was not. */
export type CommentOnAnomalyPayload = {
  __typename?: 'CommentOnAnomalyPayload';
  /** The comment; null when it was not added. */
  comment: Maybe<Comment>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** Which clip was uploaded. */
export type CompleteClipUploadInput = {
  /** Id of the clip. */
  clipId: Scalars['ID']['input'];
};

/** The clip, or why it is none. */
export type CompleteClipUploadPayload = {
  __typename?: 'CompleteClipUploadPayload';
  /** The clip, READY. */
  clip: Maybe<Clip>;
  /**
   * What the device can mend. CONFLICT: nothing was uploaded yet, or again meanwhile. BAD_USER_INPUT: the file is not what was
   * announced; it and the clip are deleted.
   */
  userErrors: Array<UserError>;
};

/** A comment to delete. */
export type DeleteCommentInput = {
  /** Id of the comment. */
  commentId: Scalars['ID']['input'];
};

/** The comment that was deleted, or why it was not. */
export type DeleteCommentPayload = {
  __typename?: 'DeleteCommentPayload';
  /** The comment as it was; null when it was not deleted. */
  comment: Maybe<Comment>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** A camera, sensor or controller; the device subgraph tells more. */
export type Device = {
  __typename?: 'Device';
  /** Anomalies of this device, newest first. */
  anomalies: Maybe<AnomalyConnection>;
  /** UUIDv7. */
  id: Scalars['ID']['output'];
  /** Its anomaly that was raised last, whatever came of it; null when there was none. */
  lastAnomaly: Maybe<Anomaly>;
  /** Logs of this device, newest first. */
  logs: Maybe<LogConnection>;
  /** How many of its anomalies are not resolved: OPEN and ACKNOWLEDGED ones. */
  openAnomalyCount: Maybe<Scalars['Int']['output']>;
};


/** A camera, sensor or controller; the device subgraph tells more. */
export type DeviceAnomaliesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<AnomalyFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
};


/** A camera, sensor or controller; the device subgraph tells more. */
export type DeviceLogsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};

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
  body: Scalars['String']['input'];
  /** Id of the comment. */
  commentId: Scalars['ID']['input'];
};

/** The comment that was changed, or why it was not. */
export type EditCommentPayload = {
  __typename?: 'EditCommentPayload';
  /** The comment; null when it was not changed. */
  comment: Maybe<Comment>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** One page of a feed. */
export type FeedConnection = {
  __typename?: 'FeedConnection';
  /** Items with their cursors. */
  edges: Array<FeedEdge>;
  /** The items alone. */
  nodes: Array<FeedItem>;
  /** Where this page stands. */
  pageInfo: PageInfo;
};

/** An item in a page of a feed. */
export type FeedEdge = {
  __typename?: 'FeedEdge';
  /** Opaque position, stable under inserts. */
  cursor: Scalars['String']['output'];
  /** The item. */
  node: FeedItem;
};

/** What a feed shows. */
export type FeedItem = Anomaly | Log | PresenceEvent;

/** A production line; the device subgraph tells more. */
export type Line = {
  __typename?: 'Line';
  /** UUIDv7. */
  id: Scalars['ID']['output'];
  /** How many anomalies that were raised on this line are not resolved: OPEN and ACKNOWLEDGED ones. */
  openAnomalyCount: Maybe<Scalars['Int']['output']>;
};

/** A line that a device has logged. */
export type Log = {
  __typename?: 'Log';
  /** Device-defined values: an object. */
  attributes: Maybe<Scalars['JSON']['output']>;
  /** Whether the door replaced an id whose time could not be right. */
  clockReplaced: Scalars['Boolean']['output'];
  /** The device that logged it. */
  device: Maybe<Device>;
  /** UUIDv7; its time is occurredAt. */
  id: Scalars['ID']['output'];
  /** How grave it is. */
  level: LogLevel;
  /** The line the device stood on then. */
  line: Maybe<Line>;
  /** Text, at most 8 KiB. */
  message: Scalars['String']['output'];
  /** When it happened: the time of the id. */
  occurredAt: Scalars['DateTime']['output'];
  /** The process the device served then. */
  process: Maybe<Process>;
  /** When the door took it. */
  receivedAt: Scalars['DateTime']['output'];
};

/** One page of logs. */
export type LogConnection = {
  __typename?: 'LogConnection';
  /** Logs with their cursors. */
  edges: Array<LogEdge>;
  /** The logs alone. */
  nodes: Array<Log>;
  /** Where this page stands. */
  pageInfo: PageInfo;
  /** How many there are in all; counted only when asked for, and to 10,000 at most. */
  totalCount: Maybe<Scalars['Int']['output']>;
  /** Whether counting stopped at 10,000. */
  totalCountIsAtLeast: Maybe<Scalars['Boolean']['output']>;
};

/** A log in a page. */
export type LogEdge = {
  __typename?: 'LogEdge';
  /** Opaque position, stable under inserts. */
  cursor: Scalars['String']['output'];
  /** The log. */
  node: Log;
};

/** Narrows a list of logs; all given conditions hold at once. */
export type LogFilter = {
  /** Only logs of these devices, 100 at most. */
  deviceIds?: InputMaybe<Array<Scalars['ID']['input']>>;
  /** Only logs at or after this moment. */
  from?: InputMaybe<Scalars['DateTime']['input']>;
  /** Only these levels. */
  levels?: InputMaybe<Array<LogLevel>>;
  /** Only logs of devices that stood on this line. */
  lineId?: InputMaybe<Scalars['ID']['input']>;
  /** Only logs of devices that served this process. */
  processId?: InputMaybe<Scalars['ID']['input']>;
  /**
   * Only logs whose message contains this, in any case of its letters: 1 to 128 characters, none of them special. A list
   * needs from and to with it, at most 7 days apart. Where reading so many logs takes more than 3 s, UNAVAILABLE says so:
   * a shorter time, devices, a line, a process or levels make it quick.
   */
  text?: InputMaybe<Scalars['String']['input']>;
  /** Only logs before this moment. */
  to?: InputMaybe<Scalars['DateTime']['input']>;
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

export type Mutation = {
  __typename?: 'Mutation';
  /**
   * Acknowledges many anomalies at once: those that are OPEN become the caller's, and of each other one the answer says why
   * it did not. For operators and up; one that the caller may see but not work on has the whole call refused.
   */
  acknowledgeAnomalies: AcknowledgeAnomaliesPayload;
  /** Says that the caller takes care of an OPEN anomaly. For operators and up. */
  acknowledgeAnomaly: AcknowledgeAnomalyPayload;
  /** Adds a comment to an anomaly. For operators and up. */
  commentOnAnomaly: CommentOnAnomalyPayload;
  /** Looks at what was uploaded, and makes the clip READY; one that is so already is answered again. For the device itself. */
  completeClipUpload: CompleteClipUploadPayload;
  /** Deletes a comment: one's own for operators, that of anybody for admins and owners. SYSTEM ones stay. */
  deleteComment: DeleteCommentPayload;
  /** Changes a comment of one's own. For operators and up. */
  editComment: EditCommentPayload;
  /**
   * Opens a RESOLVED anomaly again, as if nobody had acknowledged it; who did still stands in its comments. A CONFLICT while
   * another one of its device and type is not resolved. For operators and up.
   */
  reopenAnomaly: ReopenAnomalyPayload;
  /**
   * Notes a clip to come and signs the link of its upload: type and length are part of it. For the device itself, 20 clips
   * at a time that wait for their upload.
   */
  requestClipUpload: RequestClipUploadPayload;
  /** Ends an OPEN or ACKNOWLEDGED anomaly: the next one of its device and type is a new one. For operators and up. */
  resolveAnomaly: ResolveAnomalyPayload;
  /** Ends a watch; nothing happens when there is none. */
  unwatch: UnwatchPayload;
  /** Changes what the caller wants to be told of a space, and how. */
  updateNotificationSettings: UpdateNotificationSettingsPayload;
  /** Watches a device, line, process or space; what is watched already stays as it is. A person watches 500 at most. */
  watch: WatchPayload;
};


export type MutationAcknowledgeAnomaliesArgs = {
  input: AcknowledgeAnomaliesInput;
};


export type MutationAcknowledgeAnomalyArgs = {
  input: AcknowledgeAnomalyInput;
};


export type MutationCommentOnAnomalyArgs = {
  input: CommentOnAnomalyInput;
};


export type MutationCompleteClipUploadArgs = {
  input: CompleteClipUploadInput;
};


export type MutationDeleteCommentArgs = {
  input: DeleteCommentInput;
};


export type MutationEditCommentArgs = {
  input: EditCommentInput;
};


export type MutationReopenAnomalyArgs = {
  input: ReopenAnomalyInput;
};


export type MutationRequestClipUploadArgs = {
  input: RequestClipUploadInput;
};


export type MutationResolveAnomalyArgs = {
  input: ResolveAnomalyInput;
};


export type MutationUnwatchArgs = {
  input: WatchInput;
};


export type MutationUpdateNotificationSettingsArgs = {
  input: UpdateNotificationSettingsInput;
};


export type MutationWatchArgs = {
  input: WatchInput;
};

/** What a member wants to be told of a space, and how. */
export type NotificationSettings = {
  __typename?: 'NotificationSettings';
  /** Whether alerts are told one by one or together. More than 10 within 10 minutes are told together in any case. */
  digest: DigestInterval;
  /** Whether mail is sent to the member's address, once that is proven. */
  email: Scalars['Boolean']['output'];
  /** Minutes after which a device that has gone offline, and is not back, is told; null is never. */
  offlineAfterMinutes: Maybe<Scalars['Int']['output']>;
  /** When nothing is told; what comes then is told together at their end. Null is never. */
  quietHours: Maybe<QuietHours>;
  /** Severities of anomalies that are told; each anomaly once, however often it repeats. */
  severities: Array<Severity>;
  /** Rises with every change; 0 of those who have changed nothing. */
  version: Scalars['Int']['output'];
  /** Where messages are posted; null is nowhere. */
  webhook: Maybe<Webhook>;
};

/** Where a page stands in its list. */
export type PageInfo = {
  __typename?: 'PageInfo';
  /** Cursor of the last edge; null when the page is empty. */
  endCursor: Maybe<Scalars['String']['output']>;
  /** Whether there is more after this page. */
  hasNextPage: Scalars['Boolean']['output'];
  /** Whether there is more before this page. */
  hasPreviousPage: Scalars['Boolean']['output'];
  /** Cursor of the first edge; null when the page is empty. */
  startCursor: Maybe<Scalars['String']['output']>;
};

/** A device went online or offline. */
export type PresenceEvent = {
  __typename?: 'PresenceEvent';
  /** The device. */
  device: Maybe<Device>;
  /** UUIDv7; its time is occurredAt. */
  id: Scalars['ID']['output'];
  /** Which of the two. */
  kind: PresenceKind;
  /** When it happened; offline since the last sign of life. */
  occurredAt: Scalars['DateTime']['output'];
};

/** One page of presence events. */
export type PresenceEventConnection = {
  __typename?: 'PresenceEventConnection';
  /** Events with their cursors. */
  edges: Array<PresenceEventEdge>;
  /** The events alone. */
  nodes: Array<PresenceEvent>;
  /** Where this page stands. */
  pageInfo: PageInfo;
};

/** A presence event in a page. */
export type PresenceEventEdge = {
  __typename?: 'PresenceEventEdge';
  /** Opaque position, stable under inserts. */
  cursor: Scalars['String']['output'];
  /** The event. */
  node: PresenceEvent;
};

/** Narrows a list of presence events; all given conditions hold at once. */
export type PresenceFilter = {
  /** Only events of these devices, 100 at most. */
  deviceIds?: InputMaybe<Array<Scalars['ID']['input']>>;
  /** Only events at or after this moment. */
  from?: InputMaybe<Scalars['DateTime']['input']>;
  /** Only this kind. */
  kind?: InputMaybe<PresenceKind>;
  /** Only events of devices that stand on this line now. */
  lineId?: InputMaybe<Scalars['ID']['input']>;
  /** Only events of devices that serve this process now. */
  processId?: InputMaybe<Scalars['ID']['input']>;
  /** Only events before this moment. */
  to?: InputMaybe<Scalars['DateTime']['input']>;
};

/** Whether a device came or went. */
export type PresenceKind =
  /** It went offline. */
  | 'OFFLINE'
  /** It went online. */
  | 'ONLINE';

/** A step of production, on a line or for itself; the device subgraph tells more. */
export type Process = {
  __typename?: 'Process';
  /** UUIDv7. */
  id: Scalars['ID']['output'];
  /** How many anomalies that were raised at this process are not resolved: OPEN and ACKNOWLEDGED ones. */
  openAnomalyCount: Maybe<Scalars['Int']['output']>;
};

export type Query = {
  __typename?: 'Query';
  /** What members of a space were told of, newest first: the caller, or everyone, which takes ADMIN. */
  alerts: AlertConnection;
  /** Anomalies of a space. */
  anomalies: AnomalyConnection;
  /** An anomaly; null when there is none that the caller may see. */
  anomaly: Maybe<Anomaly>;
  /**
   * The newest anomalies, logs of level ERROR and offline events of what the caller watches, in all spaces, newest first: at
   * least the newest 1,000, or all there are. What they may not read any more, or no longer watch, is left out at once.
   */
  feed: FeedConnection;
  /** Logs of a space, newest first. */
  logs: LogConnection;
  /** What the caller wants to be told of a space, and how; the defaults when they have not said. */
  notificationSettings: NotificationSettings;
  /** When devices of a space went online and offline, newest first. */
  presenceEvents: PresenceEventConnection;
  /** What the caller watches, what they have watched longest first: 500 at most. */
  watches: Array<Watch>;
};


export type QueryAlertsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  everyone?: Scalars['Boolean']['input'];
  first?: InputMaybe<Scalars['Int']['input']>;
  spaceId: Scalars['ID']['input'];
};


export type QueryAnomaliesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<AnomalyFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<AnomalyOrder>;
  spaceId: Scalars['ID']['input'];
};


export type QueryAnomalyArgs = {
  id: Scalars['ID']['input'];
};


export type QueryFeedArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};


export type QueryLogsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<LogFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  spaceId: Scalars['ID']['input'];
};


export type QueryNotificationSettingsArgs = {
  spaceId: Scalars['ID']['input'];
};


export type QueryPresenceEventsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<PresenceFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  spaceId: Scalars['ID']['input'];
};

/** Hours of each day, by the clock of a time zone: where that is put forward or back, they are shorter or longer. */
export type QuietHours = {
  __typename?: 'QuietHours';
  /** Time of day at which they begin, such as 22:00. */
  from: Scalars['String']['output'];
  /** IANA time zone. */
  timezone: Scalars['String']['output'];
  /** Time of day at which they end; before from, it is that of the next day. */
  to: Scalars['String']['output'];
};

/** Hours of each day. */
export type QuietHoursInput = {
  /** Time of day, such as 22:00. */
  from: Scalars['String']['input'];
  /** IANA time zone, such as Asia/Seoul. */
  timezone: Scalars['String']['input'];
  /** Time of day, another one; before from, it is that of the next day. */
  to: Scalars['String']['input'];
};

/** Which anomaly to reopen. */
export type ReopenAnomalyInput = {
  /** Id of the anomaly. */
  anomalyId: Scalars['ID']['input'];
};

/** The anomaly that was reopened, or why it was not. */
export type ReopenAnomalyPayload = {
  __typename?: 'ReopenAnomalyPayload';
  /** The anomaly; null when it was not reopened. */
  anomaly: Maybe<Anomaly>;
  /** What is in the way, with a userError of code CONFLICT. */
  conflict: Maybe<AnomalyConflict>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** What a device wants to upload. */
export type RequestClipUploadInput = {
  /** video/mp4, video/webm, video/quicktime, image/jpeg, image/png or image/webp. */
  contentType: Scalars['String']['input'];
  /** Length of the video. */
  durationMs?: InputMaybe<Scalars['Int']['input']>;
  /** Id that the device gave, or will give, to the anomaly it sends: a UUIDv7. */
  eventId: Scalars['ID']['input'];
  /** Exact length of the file: 1 byte to 512 MiB, unless the site is configured otherwise. */
  sizeBytes: Scalars['Int']['input'];
};

/** Where to upload a clip, or why not. */
export type RequestClipUploadPayload = {
  __typename?: 'RequestClipUploadPayload';
  /** The clip to come, PENDING. */
  clip: Maybe<Clip>;
  /** Headers that the PUT must carry, by name: an object of texts. */
  headers: Maybe<Scalars['JSON']['output']>;
  /** Where to PUT the file within 5 minutes. */
  uploadUrl: Maybe<Scalars['String']['output']>;
  /** What the device can mend. */
  userErrors: Array<UserError>;
};

/** Which anomaly to resolve. */
export type ResolveAnomalyInput = {
  /** Id of the anomaly. */
  anomalyId: Scalars['ID']['input'];
  /** What was found or done, kept as a comment of the caller: 1 byte to 4 KiB. */
  comment?: InputMaybe<Scalars['String']['input']>;
};

/** The anomaly that was resolved, or why it was not. */
export type ResolveAnomalyPayload = {
  __typename?: 'ResolveAnomalyPayload';
  /** The anomaly; null when it was not resolved. */
  anomaly: Maybe<Anomaly>;
  /** Who was first, with a userError of code CONFLICT; the caller, when it was them. */
  conflict: Maybe<AnomalyConflict>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
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

/** A space; the device subgraph tells more. */
export type Space = {
  __typename?: 'Space';
  /** UUIDv7. */
  id: Scalars['ID']['output'];
};

export type Subscription = {
  __typename?: 'Subscription';
  /** Each new anomaly of the space. */
  anomalyRaised: Anomaly;
  /**
   * Each anomaly of the space that has changed, whole: repeated, escalated, acknowledged, resolved, reopened, commented on,
   * or with another clip. What was raised is told by anomalyRaised alone.
   */
  anomalyUpdated: Anomaly;
  /** Each new item of the caller's feed; what they watch, unwatch, or may no longer read is heeded at once. */
  feedItemAdded: FeedItem;
  /** Each new log of the space. */
  logAdded: Log;
};


export type SubscriptionAnomalyRaisedArgs = {
  filter?: InputMaybe<AnomalyFilter>;
  spaceId: Scalars['ID']['input'];
};


export type SubscriptionAnomalyUpdatedArgs = {
  filter?: InputMaybe<AnomalyFilter>;
  spaceId: Scalars['ID']['input'];
};


export type SubscriptionLogAddedArgs = {
  filter?: InputMaybe<LogFilter>;
  spaceId: Scalars['ID']['input'];
};

/** What is no longer watched. */
export type UnwatchPayload = {
  __typename?: 'UnwatchPayload';
  /** What was named. */
  target: Maybe<WatchTarget>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** What to change; what is left out stays. */
export type UpdateNotificationSettingsInput = {
  /** Whether alerts are told one by one or together. */
  digest?: InputMaybe<DigestInterval>;
  /** Whether mail is sent. */
  email?: InputMaybe<Scalars['Boolean']['input']>;
  /** 0 to 10,080, or null for never. */
  offlineAfterMinutes?: InputMaybe<Scalars['Int']['input']>;
  /** Null for none. */
  quietHours?: InputMaybe<QuietHoursInput>;
  /** Severities that are told; none at all is allowed. */
  severities?: InputMaybe<Array<Severity>>;
  /** Id of the space. */
  spaceId: Scalars['ID']['input'];
  /** The version that was read: CONFLICT when it is another by now. Without it the last one wins. */
  version?: InputMaybe<Scalars['Int']['input']>;
  /** Null for none. */
  webhook?: InputMaybe<WebhookInput>;
};

/** What came of a change of settings. */
export type UpdateNotificationSettingsPayload = {
  __typename?: 'UpdateNotificationSettingsPayload';
  /** The settings as they are now; null when the change was refused. */
  settings: Maybe<NotificationSettings>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** A person who signs in; the device subgraph tells more, to those who share a space with them. */
export type User = {
  __typename?: 'User';
  /** UUIDv7. */
  id: Scalars['ID']['output'];
};

/** A problem that the caller can mend. */
export type UserError = {
  __typename?: 'UserError';
  /** Machine-readable kind of the problem. */
  code: UserErrorCode;
  /** Path of the input field at fault, dotted; null when it is the input as a whole. */
  field: Maybe<Scalars['String']['output']>;
  /** What is wrong and what would be right, for people. */
  message: Scalars['String']['output'];
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

/** Something that the caller watches. */
export type Watch = {
  __typename?: 'Watch';
  /** Since when. */
  since: Scalars['DateTime']['output'];
  /** What is watched. */
  target: Maybe<WatchTarget>;
};

/** What to watch, or no longer. */
export type WatchInput = {
  /** Its id. */
  id: Scalars['ID']['input'];
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

/** The watch, or why there is none. */
export type WatchPayload = {
  __typename?: 'WatchPayload';
  /** What the caller can mend. */
  userErrors: Array<UserError>;
  /** The watch; null when it could not be made. */
  watch: Maybe<Watch>;
};

/** What can be watched. */
export type WatchTarget = Device | Line | Process | Space;

/**
 * Where alerts are posted as JSON, signed as Standard Webhooks 1.0 has it (webhook-id, webhook-timestamp,
 * webhook-signature). Answers of 5xx, 408, 409, 425 and 429 are tried again for about a day; redirects are not followed.
 */
export type Webhook = {
  __typename?: 'Webhook';
  /** Whether messages are signed. The secret itself is never told. */
  secretSet: Scalars['Boolean']['output'];
  /** Its address. */
  url: Scalars['String']['output'];
};

/** Where to post alerts. */
export type WebhookInput = {
  /**
   * What messages are signed with: 16 to 256 visible ASCII characters, or whsec_ and base64 of 16 bytes or more. Left out
   * it stays, null takes it away.
   */
  secret?: InputMaybe<Scalars['String']['input']>;
  /** An https address, 2,048 characters at most. Private addresses, and http, only where the site allows them. */
  url: Scalars['String']['input'];
};



export type ResolverTypeWrapper<T> = Promise<T> | T;

export type ReferenceResolver<TResult, TReference, TContext> = (
      reference: TReference,
      context: TContext,
      info: GraphQLResolveInfo
    ) => Promise<TResult> | TResult;

      type ScalarCheck<T, S> = S extends true ? T : NullableCheck<T, S>;
      type NullableCheck<T, S> = Maybe<T> extends T ? Maybe<ListCheck<NonNullable<T>, S>> : ListCheck<T, S>;
      type ListCheck<T, S> = T extends (infer U)[] ? NullableCheck<U, S>[] : GraphQLRecursivePick<T, S>;
      export type GraphQLRecursivePick<T, S> = { [K in keyof T & keyof S]: ScalarCheck<T[K], S[K]> };
    

export type ResolverWithResolve<TResult, TParent, TContext, TArgs> = {
  resolve: ResolverFn<TResult, TParent, TContext, TArgs>;
};
export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs> | ResolverWithResolve<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

/** Mapping of federation types */
export type FederationTypes = {
  Anomaly: Anomaly;
  Device: Device;
  Line: Line;
  Log: Log;
  Process: Process;
};

/** Mapping of federation reference types */
export type FederationReferenceTypes = {
  Anomaly:
    ( { __typename: 'Anomaly' }
    & GraphQLRecursivePick<FederationTypes['Anomaly'], {"id":true}> );
  Device:
    ( { __typename: 'Device' }
    & GraphQLRecursivePick<FederationTypes['Device'], {"id":true}> );
  Line:
    ( { __typename: 'Line' }
    & GraphQLRecursivePick<FederationTypes['Line'], {"id":true}> );
  Log:
    ( { __typename: 'Log' }
    & GraphQLRecursivePick<FederationTypes['Log'], {"id":true}> );
  Process:
    ( { __typename: 'Process' }
    & GraphQLRecursivePick<FederationTypes['Process'], {"id":true}> );
};



/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  AcknowledgeAnomaliesInput: AcknowledgeAnomaliesInput;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  AcknowledgeAnomaliesPayload: ResolverTypeWrapper<Omit<AcknowledgeAnomaliesPayload, 'anomalies' | 'conflicts'> & { anomalies: Array<ResolversTypes['Anomaly']>, conflicts: Array<ResolversTypes['AnomalyConflict']> }>;
  AcknowledgeAnomalyInput: AcknowledgeAnomalyInput;
  AcknowledgeAnomalyPayload: ResolverTypeWrapper<Omit<AcknowledgeAnomalyPayload, 'anomaly' | 'conflict'> & { anomaly?: Maybe<ResolversTypes['Anomaly']>, conflict?: Maybe<ResolversTypes['AnomalyConflict']> }>;
  Alert: ResolverTypeWrapper<AlertParent>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  AlertChannel: AlertChannel;
  AlertConnection: ResolverTypeWrapper<Omit<AlertConnection, 'edges' | 'nodes'> & { edges: Array<ResolversTypes['AlertEdge']>, nodes: Array<ResolversTypes['Alert']> }>;
  AlertEdge: ResolverTypeWrapper<Omit<AlertEdge, 'node'> & { node: ResolversTypes['Alert'] }>;
  AlertHoldReason: AlertHoldReason;
  AlertKind: AlertKind;
  AlertStatus: AlertStatus;
  Anomaly: ResolverTypeWrapper<AnomalyParent>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  AnomalyConflict: ResolverTypeWrapper<AnomalyConflictParent>;
  AnomalyConnection: ResolverTypeWrapper<AnomalyConnectionParent>;
  AnomalyEdge: ResolverTypeWrapper<Omit<AnomalyEdge, 'node'> & { node: ResolversTypes['Anomaly'] }>;
  AnomalyFilter: AnomalyFilter;
  AnomalyOrder: AnomalyOrder;
  AnomalyStatus: AnomalyStatus;
  AnomalyStep: AnomalyStep;
  Clip: ResolverTypeWrapper<ClipParent>;
  ClipStatus: ClipStatus;
  Comment: ResolverTypeWrapper<CommentParent>;
  CommentConnection: ResolverTypeWrapper<CommentConnectionParent>;
  CommentEdge: ResolverTypeWrapper<Omit<CommentEdge, 'node'> & { node: ResolversTypes['Comment'] }>;
  CommentKind: CommentKind;
  CommentOnAnomalyInput: CommentOnAnomalyInput;
  CommentOnAnomalyPayload: ResolverTypeWrapper<Omit<CommentOnAnomalyPayload, 'comment'> & { comment?: Maybe<ResolversTypes['Comment']> }>;
  CompleteClipUploadInput: CompleteClipUploadInput;
  CompleteClipUploadPayload: ResolverTypeWrapper<Omit<CompleteClipUploadPayload, 'clip'> & { clip?: Maybe<ResolversTypes['Clip']> }>;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  DeleteCommentInput: DeleteCommentInput;
  DeleteCommentPayload: ResolverTypeWrapper<Omit<DeleteCommentPayload, 'comment'> & { comment?: Maybe<ResolversTypes['Comment']> }>;
  Device: ResolverTypeWrapper<DeviceParent>;
  DigestInterval: DigestInterval;
  EditCommentInput: EditCommentInput;
  EditCommentPayload: ResolverTypeWrapper<Omit<EditCommentPayload, 'comment'> & { comment?: Maybe<ResolversTypes['Comment']> }>;
  FeedConnection: ResolverTypeWrapper<FeedConnectionParent>;
  FeedEdge: ResolverTypeWrapper<Omit<FeedEdge, 'node'> & { node: ResolversTypes['FeedItem'] }>;
  FeedItem: ResolverTypeWrapper<FeedItemParent>;
  JSON: ResolverTypeWrapper<Scalars['JSON']['output']>;
  Line: ResolverTypeWrapper<LineParent>;
  Log: ResolverTypeWrapper<LogParent>;
  LogConnection: ResolverTypeWrapper<LogConnectionParent>;
  LogEdge: ResolverTypeWrapper<Omit<LogEdge, 'node'> & { node: ResolversTypes['Log'] }>;
  LogFilter: LogFilter;
  LogLevel: LogLevel;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  NotificationSettings: ResolverTypeWrapper<NotificationSettingsParent>;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  PresenceEvent: ResolverTypeWrapper<PresenceEventParent>;
  PresenceEventConnection: ResolverTypeWrapper<PresenceEventConnectionParent>;
  PresenceEventEdge: ResolverTypeWrapper<Omit<PresenceEventEdge, 'node'> & { node: ResolversTypes['PresenceEvent'] }>;
  PresenceFilter: PresenceFilter;
  PresenceKind: PresenceKind;
  Process: ResolverTypeWrapper<ProcessParent>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  QuietHours: ResolverTypeWrapper<QuietHours>;
  QuietHoursInput: QuietHoursInput;
  ReopenAnomalyInput: ReopenAnomalyInput;
  ReopenAnomalyPayload: ResolverTypeWrapper<Omit<ReopenAnomalyPayload, 'anomaly' | 'conflict'> & { anomaly?: Maybe<ResolversTypes['Anomaly']>, conflict?: Maybe<ResolversTypes['AnomalyConflict']> }>;
  RequestClipUploadInput: RequestClipUploadInput;
  RequestClipUploadPayload: ResolverTypeWrapper<Omit<RequestClipUploadPayload, 'clip'> & { clip?: Maybe<ResolversTypes['Clip']> }>;
  ResolveAnomalyInput: ResolveAnomalyInput;
  ResolveAnomalyPayload: ResolverTypeWrapper<Omit<ResolveAnomalyPayload, 'anomaly' | 'conflict'> & { anomaly?: Maybe<ResolversTypes['Anomaly']>, conflict?: Maybe<ResolversTypes['AnomalyConflict']> }>;
  Severity: Severity;
  Space: ResolverTypeWrapper<Space>;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  UnwatchPayload: ResolverTypeWrapper<Omit<UnwatchPayload, 'target'> & { target?: Maybe<ResolversTypes['WatchTarget']> }>;
  UpdateNotificationSettingsInput: UpdateNotificationSettingsInput;
  UpdateNotificationSettingsPayload: ResolverTypeWrapper<Omit<UpdateNotificationSettingsPayload, 'settings'> & { settings?: Maybe<ResolversTypes['NotificationSettings']> }>;
  User: ResolverTypeWrapper<User>;
  UserError: ResolverTypeWrapper<UserError>;
  UserErrorCode: UserErrorCode;
  Watch: ResolverTypeWrapper<WatchParent>;
  WatchInput: WatchInput;
  WatchKind: WatchKind;
  WatchPayload: ResolverTypeWrapper<Omit<WatchPayload, 'watch'> & { watch?: Maybe<ResolversTypes['Watch']> }>;
  WatchTarget: ResolverTypeWrapper<WatchTargetParent>;
  Webhook: ResolverTypeWrapper<Webhook>;
  WebhookInput: WebhookInput;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  AcknowledgeAnomaliesInput: AcknowledgeAnomaliesInput;
  ID: Scalars['ID']['output'];
  AcknowledgeAnomaliesPayload: Omit<AcknowledgeAnomaliesPayload, 'anomalies' | 'conflicts'> & { anomalies: Array<ResolversParentTypes['Anomaly']>, conflicts: Array<ResolversParentTypes['AnomalyConflict']> };
  AcknowledgeAnomalyInput: AcknowledgeAnomalyInput;
  AcknowledgeAnomalyPayload: Omit<AcknowledgeAnomalyPayload, 'anomaly' | 'conflict'> & { anomaly?: Maybe<ResolversParentTypes['Anomaly']>, conflict?: Maybe<ResolversParentTypes['AnomalyConflict']> };
  Alert: AlertParent;
  String: Scalars['String']['output'];
  AlertConnection: Omit<AlertConnection, 'edges' | 'nodes'> & { edges: Array<ResolversParentTypes['AlertEdge']>, nodes: Array<ResolversParentTypes['Alert']> };
  AlertEdge: Omit<AlertEdge, 'node'> & { node: ResolversParentTypes['Alert'] };
  Anomaly: AnomalyParent;
  Int: Scalars['Int']['output'];
  Boolean: Scalars['Boolean']['output'];
  Float: Scalars['Float']['output'];
  AnomalyConflict: AnomalyConflictParent;
  AnomalyConnection: AnomalyConnectionParent;
  AnomalyEdge: Omit<AnomalyEdge, 'node'> & { node: ResolversParentTypes['Anomaly'] };
  AnomalyFilter: AnomalyFilter;
  Clip: ClipParent;
  Comment: CommentParent;
  CommentConnection: CommentConnectionParent;
  CommentEdge: Omit<CommentEdge, 'node'> & { node: ResolversParentTypes['Comment'] };
  CommentOnAnomalyInput: CommentOnAnomalyInput;
  CommentOnAnomalyPayload: Omit<CommentOnAnomalyPayload, 'comment'> & { comment?: Maybe<ResolversParentTypes['Comment']> };
  CompleteClipUploadInput: CompleteClipUploadInput;
  CompleteClipUploadPayload: Omit<CompleteClipUploadPayload, 'clip'> & { clip?: Maybe<ResolversParentTypes['Clip']> };
  DateTime: Scalars['DateTime']['output'];
  DeleteCommentInput: DeleteCommentInput;
  DeleteCommentPayload: Omit<DeleteCommentPayload, 'comment'> & { comment?: Maybe<ResolversParentTypes['Comment']> };
  Device: DeviceParent;
  EditCommentInput: EditCommentInput;
  EditCommentPayload: Omit<EditCommentPayload, 'comment'> & { comment?: Maybe<ResolversParentTypes['Comment']> };
  FeedConnection: FeedConnectionParent;
  FeedEdge: Omit<FeedEdge, 'node'> & { node: ResolversParentTypes['FeedItem'] };
  FeedItem: FeedItemParent;
  JSON: Scalars['JSON']['output'];
  Line: LineParent;
  Log: LogParent;
  LogConnection: LogConnectionParent;
  LogEdge: Omit<LogEdge, 'node'> & { node: ResolversParentTypes['Log'] };
  LogFilter: LogFilter;
  Mutation: Record<PropertyKey, never>;
  NotificationSettings: NotificationSettingsParent;
  PageInfo: PageInfo;
  PresenceEvent: PresenceEventParent;
  PresenceEventConnection: PresenceEventConnectionParent;
  PresenceEventEdge: Omit<PresenceEventEdge, 'node'> & { node: ResolversParentTypes['PresenceEvent'] };
  PresenceFilter: PresenceFilter;
  Process: ProcessParent;
  Query: Record<PropertyKey, never>;
  QuietHours: QuietHours;
  QuietHoursInput: QuietHoursInput;
  ReopenAnomalyInput: ReopenAnomalyInput;
  ReopenAnomalyPayload: Omit<ReopenAnomalyPayload, 'anomaly' | 'conflict'> & { anomaly?: Maybe<ResolversParentTypes['Anomaly']>, conflict?: Maybe<ResolversParentTypes['AnomalyConflict']> };
  RequestClipUploadInput: RequestClipUploadInput;
  RequestClipUploadPayload: Omit<RequestClipUploadPayload, 'clip'> & { clip?: Maybe<ResolversParentTypes['Clip']> };
  ResolveAnomalyInput: ResolveAnomalyInput;
  ResolveAnomalyPayload: Omit<ResolveAnomalyPayload, 'anomaly' | 'conflict'> & { anomaly?: Maybe<ResolversParentTypes['Anomaly']>, conflict?: Maybe<ResolversParentTypes['AnomalyConflict']> };
  Space: Space;
  Subscription: Record<PropertyKey, never>;
  UnwatchPayload: Omit<UnwatchPayload, 'target'> & { target?: Maybe<ResolversParentTypes['WatchTarget']> };
  UpdateNotificationSettingsInput: UpdateNotificationSettingsInput;
  UpdateNotificationSettingsPayload: Omit<UpdateNotificationSettingsPayload, 'settings'> & { settings?: Maybe<ResolversParentTypes['NotificationSettings']> };
  User: User;
  UserError: UserError;
  Watch: WatchParent;
  WatchInput: WatchInput;
  WatchPayload: Omit<WatchPayload, 'watch'> & { watch?: Maybe<ResolversParentTypes['Watch']> };
  WatchTarget: WatchTargetParent;
  Webhook: Webhook;
  WebhookInput: WebhookInput;
};

export type AcknowledgeAnomaliesPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['AcknowledgeAnomaliesPayload'] = ResolversParentTypes['AcknowledgeAnomaliesPayload']> = {
  anomalies?: Resolver<Array<ResolversTypes['Anomaly']>, ParentType, ContextType>;
  conflicts?: Resolver<Array<ResolversTypes['AnomalyConflict']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type AcknowledgeAnomalyPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['AcknowledgeAnomalyPayload'] = ResolversParentTypes['AcknowledgeAnomalyPayload']> = {
  anomaly?: Resolver<Maybe<ResolversTypes['Anomaly']>, ParentType, ContextType>;
  conflict?: Resolver<Maybe<ResolversTypes['AnomalyConflict']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type AlertResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Alert'] = ResolversParentTypes['Alert']> = {
  anomaly?: Resolver<Maybe<ResolversTypes['Anomaly']>, ParentType, ContextType>;
  channel?: Resolver<ResolversTypes['AlertChannel'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  device?: Resolver<Maybe<ResolversTypes['Device']>, ParentType, ContextType>;
  doneAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  dueAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  error?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  heldFor?: Resolver<Maybe<ResolversTypes['AlertHoldReason']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['AlertKind'], ParentType, ContextType>;
  occurredAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  severity?: Resolver<Maybe<ResolversTypes['Severity']>, ParentType, ContextType>;
  status?: Resolver<ResolversTypes['AlertStatus'], ParentType, ContextType>;
  user?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
};

export type AlertConnectionResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['AlertConnection'] = ResolversParentTypes['AlertConnection']> = {
  edges?: Resolver<Array<ResolversTypes['AlertEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Alert']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type AlertEdgeResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['AlertEdge'] = ResolversParentTypes['AlertEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Alert'], ParentType, ContextType>;
};

export type AnomalyResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Anomaly'] = ResolversParentTypes['Anomaly'], FederationReferenceType extends FederationReferenceTypes['Anomaly'] = FederationReferenceTypes['Anomaly']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Anomaly']> | FederationReferenceType, FederationReferenceType, ContextType>;
  acknowledgedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  acknowledgedBy?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  attributes?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  clip?: Resolver<Maybe<ResolversTypes['Clip']>, ParentType, ContextType>;
  clips?: Resolver<Array<ResolversTypes['Clip']>, ParentType, ContextType, RequireFields<AnomalyClipsArgs, 'first'>>;
  clockReplaced?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  comments?: Resolver<ResolversTypes['CommentConnection'], ParentType, ContextType, Partial<AnomalyCommentsArgs>>;
  device?: Resolver<Maybe<ResolversTypes['Device']>, ParentType, ContextType>;
  firstOccurredAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  lastOccurredAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  line?: Resolver<Maybe<ResolversTypes['Line']>, ParentType, ContextType>;
  message?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  occurredAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  occurrences?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  process?: Resolver<Maybe<ResolversTypes['Process']>, ParentType, ContextType>;
  receivedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  resolvedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  resolvedBy?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  score?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  severity?: Resolver<ResolversTypes['Severity'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['AnomalyStatus'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type AnomalyConflictResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['AnomalyConflict'] = ResolversParentTypes['AnomalyConflict']> = {
  anomaly?: Resolver<ResolversTypes['Anomaly'], ParentType, ContextType>;
  anomalyId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  by?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  status?: Resolver<ResolversTypes['AnomalyStatus'], ParentType, ContextType>;
};

export type AnomalyConnectionResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['AnomalyConnection'] = ResolversParentTypes['AnomalyConnection']> = {
  edges?: Resolver<Array<ResolversTypes['AnomalyEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Anomaly']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  totalCountIsAtLeast?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
};

export type AnomalyEdgeResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['AnomalyEdge'] = ResolversParentTypes['AnomalyEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Anomaly'], ParentType, ContextType>;
};

export type ClipResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Clip'] = ResolversParentTypes['Clip']> = {
  contentType?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  durationMs?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  eventId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  posterUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  sizeBytes?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['ClipStatus'], ParentType, ContextType>;
  url?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  urlExpiresAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type CommentResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Comment'] = ResolversParentTypes['Comment']> = {
  author?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  body?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  editedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['CommentKind'], ParentType, ContextType>;
  step?: Resolver<Maybe<ResolversTypes['AnomalyStep']>, ParentType, ContextType>;
};

export type CommentConnectionResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['CommentConnection'] = ResolversParentTypes['CommentConnection']> = {
  edges?: Resolver<Array<ResolversTypes['CommentEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Comment']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type CommentEdgeResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['CommentEdge'] = ResolversParentTypes['CommentEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Comment'], ParentType, ContextType>;
};

export type CommentOnAnomalyPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['CommentOnAnomalyPayload'] = ResolversParentTypes['CommentOnAnomalyPayload']> = {
  comment?: Resolver<Maybe<ResolversTypes['Comment']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type CompleteClipUploadPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['CompleteClipUploadPayload'] = ResolversParentTypes['CompleteClipUploadPayload']> = {
  clip?: Resolver<Maybe<ResolversTypes['Clip']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export type DeleteCommentPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['DeleteCommentPayload'] = ResolversParentTypes['DeleteCommentPayload']> = {
  comment?: Resolver<Maybe<ResolversTypes['Comment']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type DeviceResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Device'] = ResolversParentTypes['Device'], FederationReferenceType extends FederationReferenceTypes['Device'] = FederationReferenceTypes['Device']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Device']> | FederationReferenceType, FederationReferenceType, ContextType>;
  anomalies?: Resolver<Maybe<ResolversTypes['AnomalyConnection']>, ParentType, ContextType, RequireFields<DeviceAnomaliesArgs, 'first'>>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  lastAnomaly?: Resolver<Maybe<ResolversTypes['Anomaly']>, ParentType, ContextType>;
  logs?: Resolver<Maybe<ResolversTypes['LogConnection']>, ParentType, ContextType, RequireFields<DeviceLogsArgs, 'first'>>;
  openAnomalyCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type EditCommentPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['EditCommentPayload'] = ResolversParentTypes['EditCommentPayload']> = {
  comment?: Resolver<Maybe<ResolversTypes['Comment']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type FeedConnectionResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['FeedConnection'] = ResolversParentTypes['FeedConnection']> = {
  edges?: Resolver<Array<ResolversTypes['FeedEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['FeedItem']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type FeedEdgeResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['FeedEdge'] = ResolversParentTypes['FeedEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['FeedItem'], ParentType, ContextType>;
};

export type FeedItemResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['FeedItem'] = ResolversParentTypes['FeedItem']> = {
  __resolveType: TypeResolveFn<'Anomaly' | 'Log' | 'PresenceEvent', ParentType, ContextType>;
};

export interface JsonScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['JSON'], any> {
  name: 'JSON';
}

export type LineResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Line'] = ResolversParentTypes['Line'], FederationReferenceType extends FederationReferenceTypes['Line'] = FederationReferenceTypes['Line']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Line']> | FederationReferenceType, FederationReferenceType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  openAnomalyCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type LogResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Log'] = ResolversParentTypes['Log'], FederationReferenceType extends FederationReferenceTypes['Log'] = FederationReferenceTypes['Log']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Log']> | FederationReferenceType, FederationReferenceType, ContextType>;
  attributes?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  clockReplaced?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  device?: Resolver<Maybe<ResolversTypes['Device']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  level?: Resolver<ResolversTypes['LogLevel'], ParentType, ContextType>;
  line?: Resolver<Maybe<ResolversTypes['Line']>, ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  occurredAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  process?: Resolver<Maybe<ResolversTypes['Process']>, ParentType, ContextType>;
  receivedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type LogConnectionResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['LogConnection'] = ResolversParentTypes['LogConnection']> = {
  edges?: Resolver<Array<ResolversTypes['LogEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Log']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  totalCountIsAtLeast?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
};

export type LogEdgeResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['LogEdge'] = ResolversParentTypes['LogEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Log'], ParentType, ContextType>;
};

export type MutationResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  acknowledgeAnomalies?: Resolver<ResolversTypes['AcknowledgeAnomaliesPayload'], ParentType, ContextType, RequireFields<MutationAcknowledgeAnomaliesArgs, 'input'>>;
  acknowledgeAnomaly?: Resolver<ResolversTypes['AcknowledgeAnomalyPayload'], ParentType, ContextType, RequireFields<MutationAcknowledgeAnomalyArgs, 'input'>>;
  commentOnAnomaly?: Resolver<ResolversTypes['CommentOnAnomalyPayload'], ParentType, ContextType, RequireFields<MutationCommentOnAnomalyArgs, 'input'>>;
  completeClipUpload?: Resolver<ResolversTypes['CompleteClipUploadPayload'], ParentType, ContextType, RequireFields<MutationCompleteClipUploadArgs, 'input'>>;
  deleteComment?: Resolver<ResolversTypes['DeleteCommentPayload'], ParentType, ContextType, RequireFields<MutationDeleteCommentArgs, 'input'>>;
  editComment?: Resolver<ResolversTypes['EditCommentPayload'], ParentType, ContextType, RequireFields<MutationEditCommentArgs, 'input'>>;
  reopenAnomaly?: Resolver<ResolversTypes['ReopenAnomalyPayload'], ParentType, ContextType, RequireFields<MutationReopenAnomalyArgs, 'input'>>;
  requestClipUpload?: Resolver<ResolversTypes['RequestClipUploadPayload'], ParentType, ContextType, RequireFields<MutationRequestClipUploadArgs, 'input'>>;
  resolveAnomaly?: Resolver<ResolversTypes['ResolveAnomalyPayload'], ParentType, ContextType, RequireFields<MutationResolveAnomalyArgs, 'input'>>;
  unwatch?: Resolver<ResolversTypes['UnwatchPayload'], ParentType, ContextType, RequireFields<MutationUnwatchArgs, 'input'>>;
  updateNotificationSettings?: Resolver<ResolversTypes['UpdateNotificationSettingsPayload'], ParentType, ContextType, RequireFields<MutationUpdateNotificationSettingsArgs, 'input'>>;
  watch?: Resolver<ResolversTypes['WatchPayload'], ParentType, ContextType, RequireFields<MutationWatchArgs, 'input'>>;
};

export type NotificationSettingsResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['NotificationSettings'] = ResolversParentTypes['NotificationSettings']> = {
  digest?: Resolver<ResolversTypes['DigestInterval'], ParentType, ContextType>;
  email?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  offlineAfterMinutes?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  quietHours?: Resolver<Maybe<ResolversTypes['QuietHours']>, ParentType, ContextType>;
  severities?: Resolver<Array<ResolversTypes['Severity']>, ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  webhook?: Resolver<Maybe<ResolversTypes['Webhook']>, ParentType, ContextType>;
};

export type PageInfoResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type PresenceEventResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['PresenceEvent'] = ResolversParentTypes['PresenceEvent']> = {
  device?: Resolver<Maybe<ResolversTypes['Device']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['PresenceKind'], ParentType, ContextType>;
  occurredAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type PresenceEventConnectionResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['PresenceEventConnection'] = ResolversParentTypes['PresenceEventConnection']> = {
  edges?: Resolver<Array<ResolversTypes['PresenceEventEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['PresenceEvent']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type PresenceEventEdgeResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['PresenceEventEdge'] = ResolversParentTypes['PresenceEventEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['PresenceEvent'], ParentType, ContextType>;
};

export type ProcessResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Process'] = ResolversParentTypes['Process'], FederationReferenceType extends FederationReferenceTypes['Process'] = FederationReferenceTypes['Process']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Process']> | FederationReferenceType, FederationReferenceType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  openAnomalyCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type QueryResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  alerts?: Resolver<ResolversTypes['AlertConnection'], ParentType, ContextType, RequireFields<QueryAlertsArgs, 'everyone' | 'first' | 'spaceId'>>;
  anomalies?: Resolver<ResolversTypes['AnomalyConnection'], ParentType, ContextType, RequireFields<QueryAnomaliesArgs, 'first' | 'orderBy' | 'spaceId'>>;
  anomaly?: Resolver<Maybe<ResolversTypes['Anomaly']>, ParentType, ContextType, RequireFields<QueryAnomalyArgs, 'id'>>;
  feed?: Resolver<ResolversTypes['FeedConnection'], ParentType, ContextType, RequireFields<QueryFeedArgs, 'first'>>;
  logs?: Resolver<ResolversTypes['LogConnection'], ParentType, ContextType, RequireFields<QueryLogsArgs, 'spaceId'>>;
  notificationSettings?: Resolver<ResolversTypes['NotificationSettings'], ParentType, ContextType, RequireFields<QueryNotificationSettingsArgs, 'spaceId'>>;
  presenceEvents?: Resolver<ResolversTypes['PresenceEventConnection'], ParentType, ContextType, RequireFields<QueryPresenceEventsArgs, 'first' | 'spaceId'>>;
  watches?: Resolver<Array<ResolversTypes['Watch']>, ParentType, ContextType>;
};

export type QuietHoursResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['QuietHours'] = ResolversParentTypes['QuietHours']> = {
  from?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  timezone?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  to?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ReopenAnomalyPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['ReopenAnomalyPayload'] = ResolversParentTypes['ReopenAnomalyPayload']> = {
  anomaly?: Resolver<Maybe<ResolversTypes['Anomaly']>, ParentType, ContextType>;
  conflict?: Resolver<Maybe<ResolversTypes['AnomalyConflict']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type RequestClipUploadPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['RequestClipUploadPayload'] = ResolversParentTypes['RequestClipUploadPayload']> = {
  clip?: Resolver<Maybe<ResolversTypes['Clip']>, ParentType, ContextType>;
  headers?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  uploadUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type ResolveAnomalyPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['ResolveAnomalyPayload'] = ResolversParentTypes['ResolveAnomalyPayload']> = {
  anomaly?: Resolver<Maybe<ResolversTypes['Anomaly']>, ParentType, ContextType>;
  conflict?: Resolver<Maybe<ResolversTypes['AnomalyConflict']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type SpaceResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Space'] = ResolversParentTypes['Space']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type SubscriptionResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  anomalyRaised?: SubscriptionResolver<ResolversTypes['Anomaly'], "anomalyRaised", ParentType, ContextType, RequireFields<SubscriptionAnomalyRaisedArgs, 'spaceId'>>;
  anomalyUpdated?: SubscriptionResolver<ResolversTypes['Anomaly'], "anomalyUpdated", ParentType, ContextType, RequireFields<SubscriptionAnomalyUpdatedArgs, 'spaceId'>>;
  feedItemAdded?: SubscriptionResolver<ResolversTypes['FeedItem'], "feedItemAdded", ParentType, ContextType>;
  logAdded?: SubscriptionResolver<ResolversTypes['Log'], "logAdded", ParentType, ContextType, RequireFields<SubscriptionLogAddedArgs, 'spaceId'>>;
};

export type UnwatchPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['UnwatchPayload'] = ResolversParentTypes['UnwatchPayload']> = {
  target?: Resolver<Maybe<ResolversTypes['WatchTarget']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type UpdateNotificationSettingsPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['UpdateNotificationSettingsPayload'] = ResolversParentTypes['UpdateNotificationSettingsPayload']> = {
  settings?: Resolver<Maybe<ResolversTypes['NotificationSettings']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type UserResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['User'] = ResolversParentTypes['User']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type UserErrorResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['UserError'] = ResolversParentTypes['UserError']> = {
  code?: Resolver<ResolversTypes['UserErrorCode'], ParentType, ContextType>;
  field?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type WatchResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Watch'] = ResolversParentTypes['Watch']> = {
  since?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  target?: Resolver<Maybe<ResolversTypes['WatchTarget']>, ParentType, ContextType>;
};

export type WatchPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['WatchPayload'] = ResolversParentTypes['WatchPayload']> = {
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
  watch?: Resolver<Maybe<ResolversTypes['Watch']>, ParentType, ContextType>;
};

export type WatchTargetResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['WatchTarget'] = ResolversParentTypes['WatchTarget']> = {
  __resolveType: TypeResolveFn<'Device' | 'Line' | 'Process' | 'Space', ParentType, ContextType>;
};

export type WebhookResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Webhook'] = ResolversParentTypes['Webhook']> = {
  secretSet?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  url?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type Resolvers<ContextType = SubgraphContext> = {
  AcknowledgeAnomaliesPayload?: AcknowledgeAnomaliesPayloadResolvers<ContextType>;
  AcknowledgeAnomalyPayload?: AcknowledgeAnomalyPayloadResolvers<ContextType>;
  Alert?: AlertResolvers<ContextType>;
  AlertConnection?: AlertConnectionResolvers<ContextType>;
  AlertEdge?: AlertEdgeResolvers<ContextType>;
  Anomaly?: AnomalyResolvers<ContextType>;
  AnomalyConflict?: AnomalyConflictResolvers<ContextType>;
  AnomalyConnection?: AnomalyConnectionResolvers<ContextType>;
  AnomalyEdge?: AnomalyEdgeResolvers<ContextType>;
  Clip?: ClipResolvers<ContextType>;
  Comment?: CommentResolvers<ContextType>;
  CommentConnection?: CommentConnectionResolvers<ContextType>;
  CommentEdge?: CommentEdgeResolvers<ContextType>;
  CommentOnAnomalyPayload?: CommentOnAnomalyPayloadResolvers<ContextType>;
  CompleteClipUploadPayload?: CompleteClipUploadPayloadResolvers<ContextType>;
  DateTime?: GraphQLScalarType;
  DeleteCommentPayload?: DeleteCommentPayloadResolvers<ContextType>;
  Device?: DeviceResolvers<ContextType>;
  EditCommentPayload?: EditCommentPayloadResolvers<ContextType>;
  FeedConnection?: FeedConnectionResolvers<ContextType>;
  FeedEdge?: FeedEdgeResolvers<ContextType>;
  FeedItem?: FeedItemResolvers<ContextType>;
  JSON?: GraphQLScalarType;
  Line?: LineResolvers<ContextType>;
  Log?: LogResolvers<ContextType>;
  LogConnection?: LogConnectionResolvers<ContextType>;
  LogEdge?: LogEdgeResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  NotificationSettings?: NotificationSettingsResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  PresenceEvent?: PresenceEventResolvers<ContextType>;
  PresenceEventConnection?: PresenceEventConnectionResolvers<ContextType>;
  PresenceEventEdge?: PresenceEventEdgeResolvers<ContextType>;
  Process?: ProcessResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  QuietHours?: QuietHoursResolvers<ContextType>;
  ReopenAnomalyPayload?: ReopenAnomalyPayloadResolvers<ContextType>;
  RequestClipUploadPayload?: RequestClipUploadPayloadResolvers<ContextType>;
  ResolveAnomalyPayload?: ResolveAnomalyPayloadResolvers<ContextType>;
  Space?: SpaceResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  UnwatchPayload?: UnwatchPayloadResolvers<ContextType>;
  UpdateNotificationSettingsPayload?: UpdateNotificationSettingsPayloadResolvers<ContextType>;
  User?: UserResolvers<ContextType>;
  UserError?: UserErrorResolvers<ContextType>;
  Watch?: WatchResolvers<ContextType>;
  WatchPayload?: WatchPayloadResolvers<ContextType>;
  WatchTarget?: WatchTargetResolvers<ContextType>;
  Webhook?: WebhookResolvers<ContextType>;
};

