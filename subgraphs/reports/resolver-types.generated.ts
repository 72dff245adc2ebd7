import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { AnomalyReportParent, AnomalyReportRowParent, LogReportParent, LogReportRowParent, AvailabilityReportParent, AvailabilityReportRowParent, ResponseReportParent, ResponseReportRowParent, DeviceParent, LineParent, ProcessParent } from './model.ts';
import type { SubgraphContext } from './context.ts';
export type Maybe<T> = T | null;
export type InputMaybe<T> = T | null | undefined;
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
  _FieldSet: { input: unknown; output: unknown; }
};

/** Occurrences of anomalies in a range. */
export type AnomalyReport = {
  __typename?: 'AnomalyReport';
  /** Begin of the range, cut to the quarter of an hour. */
  from: Scalars['DateTime']['output'];
  /**
   * A row for each bucket and each group that occurs in the range, also where it is 0. By bucketStart, then by line, process,
   * device (each by id, none first), type and severity (from the least).
   */
  rows: Array<AnomalyReportRow>;
  /** Zone by whose calendar buckets begin. */
  timezone: Scalars['String']['output'];
  /** End of the range, cut to the quarter of an hour. */
  to: Scalars['DateTime']['output'];
  /** All of the range: a whole number, a Float because there may be more than an Int can say. */
  total: Scalars['Float']['output'];
};

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

/** Anomalies of one bucket and group. */
export type AnomalyReportRow = {
  __typename?: 'AnomalyReportRow';
  /**
   * Begin of the bucket. The first may begin before the range, and counts what is in the range. Where a zone's offset was
   * no multiple of 15 minutes, as before 1972 in some places, it is rounded to the next quarter of an hour.
   */
  bucketStart: Scalars['DateTime']['output'];
  /** The device; null without DEVICE. */
  device: Maybe<Device>;
  /** The line; null without LINE, and for devices that stood on none. */
  line: Maybe<Line>;
  /** The process; null without PROCESS, and for devices that served none. */
  process: Maybe<Process>;
  /** The severity; null without SEVERITY. */
  severity: Maybe<Severity>;
  /** How many: a whole number. */
  total: Scalars['Float']['output'];
  /** The type; null without TYPE. */
  type: Maybe<Scalars['String']['output']>;
};

/** How long devices were online in a range: their times are added up. */
export type Availability = {
  __typename?: 'Availability';
  /** Time offline in the range, the wait for the first connect included. */
  downtimeSeconds: Scalars['Float']['output'];
  /** Mean time between failures: time online by outages; null without outages. */
  mtbfSeconds: Maybe<Scalars['Float']['output']>;
  /** Mean time to repair: time offline in the range by outages; null without outages. */
  mttrSeconds: Maybe<Scalars['Float']['output']>;
  /** Time online by all time, from 0 to 1; null where there was no time, as of a device registered after the range. */
  onlineRatio: Maybe<Scalars['Float']['output']>;
  /** Times offline that overlap the range, among them one that began before and one that lasts. */
  outages: Scalars['Int']['output'];
};

/** How long devices were online in a range. */
export type AvailabilityReport = {
  __typename?: 'AvailabilityReport';
  /** Begin of the range. */
  from: Scalars['DateTime']['output'];
  /** A row for each group that has a device, by line, process and device (each by id, none first); one row without groupBy. */
  rows: Array<AvailabilityReportRow>;
  /** Zone that was asked for, that of the space by default. */
  timezone: Scalars['String']['output'];
  /** End of the range, now at the latest. */
  to: Scalars['DateTime']['output'];
};

/** What availability can be told apart by. */
export type AvailabilityReportGroup =
  /** The device. */
  | 'DEVICE'
  /** The line that the device stands on now. */
  | 'LINE'
  /** The process that the device serves now. */
  | 'PROCESS';

/** Availability of the devices of one group. */
export type AvailabilityReportRow = {
  __typename?: 'AvailabilityReportRow';
  /** The device; null without DEVICE. */
  device: Maybe<Device>;
  /** As in Availability. */
  downtimeSeconds: Scalars['Float']['output'];
  /** The line; null without LINE, and for devices that stand on none. */
  line: Maybe<Line>;
  /** As in Availability. */
  mtbfSeconds: Maybe<Scalars['Float']['output']>;
  /** As in Availability. */
  mttrSeconds: Maybe<Scalars['Float']['output']>;
  /** As in Availability. */
  onlineRatio: Maybe<Scalars['Float']['output']>;
  /** As in Availability. */
  outages: Scalars['Int']['output'];
  /** The process; null without PROCESS, and for devices that serve none. */
  process: Maybe<Process>;
};

/** A camera, sensor or controller; the device subgraph tells more. */
export type Device = {
  __typename?: 'Device';
  /** How many anomalies of this device occurred in a range: a whole number. */
  anomalyCount: Maybe<Scalars['Float']['output']>;
  /** How long this device was online, as availabilityReport tells it. */
  availability: Maybe<Availability>;
  /** UUIDv7. */
  id: Scalars['ID']['output'];
};


/** A camera, sensor or controller; the device subgraph tells more. */
export type DeviceAnomalyCountArgs = {
  from: Scalars['DateTime']['input'];
  to: Scalars['DateTime']['input'];
};


/** A camera, sensor or controller; the device subgraph tells more. */
export type DeviceAvailabilityArgs = {
  from: Scalars['DateTime']['input'];
  to: Scalars['DateTime']['input'];
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
  bom?: Scalars['Boolean']['input'];
  /** Only events of these devices, 100 at most; of ANOMALIES and LOGS, as all conditions. */
  deviceIds?: InputMaybe<Array<Scalars['ID']['input']>>;
  /** Begin of the range. */
  from: Scalars['DateTime']['input'];
  /** What a report counts apart; a group that has nothing in a bucket has no row there. */
  groupBy?: InputMaybe<Array<ExportGroup>>;
  /** Length of a bucket; of reports alone. */
  interval?: InputMaybe<ReportInterval>;
  /** What the file has rows of. */
  kind: ExportKind;
  /** Only logs of these levels; of LOGS alone. */
  levels?: InputMaybe<Array<LogLevel>>;
  /** Only events of devices that stood on this line. */
  lineId?: InputMaybe<Scalars['ID']['input']>;
  /** Only events of devices that served this process. */
  processId?: InputMaybe<Scalars['ID']['input']>;
  /** Only occurrences of these severities; of ANOMALIES alone. */
  severities?: InputMaybe<Array<Severity>>;
  /** Id of the space. */
  spaceId: Scalars['ID']['input'];
  /** IANA name of the zone in which times are written, with their offset, and reports count; that of the space by default. */
  timezone?: InputMaybe<Scalars['String']['input']>;
  /**
   * End of the range, after from. Events later than the moment of asking are left out; one that occurred before, and is
   * written while the file is read, is in the file when the reading has not come to its time yet. Reports have ranges as in
   * anomalyReport.
   */
  to: Scalars['DateTime']['input'];
  /** Only occurrences of these types, 20 at most; of ANOMALIES alone. */
  types?: InputMaybe<Array<Scalars['String']['input']>>;
};

/** The link to a file. */
export type ExportReportPayload = {
  __typename?: 'ExportReportPayload';
  /** Until when the link can be opened: 5 minutes. A file that is being read then is read to its end. */
  expiresAt: Maybe<Scalars['DateTime']['output']>;
  /**
   * Where GET answers the file, relative to the address of the site; null when it was refused. Whoever has the link can
   * open it until expiresAt, as often as they like, as long as the person who asked may read the space. HEAD answers the
   * headers alone. The header X-Estimated-Rows says about how many rows will come: of whole quarters of an hour exactly as
   * many, else those of the quarters that the range touches. 503 with Retry-After says that as many exports run as
   * may: come again. What cannot be finished ends with a broken connection, never as if it were whole.
   */
  url: Maybe<Scalars['String']['output']>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** A production line; the device subgraph tells more. */
export type Line = {
  __typename?: 'Line';
  /** How many anomalies occurred in a range, of devices that stood on this line then: a whole number. */
  anomalyCount: Maybe<Scalars['Float']['output']>;
  /** UUIDv7. */
  id: Scalars['ID']['output'];
};


/** A production line; the device subgraph tells more. */
export type LineAnomalyCountArgs = {
  from: Scalars['DateTime']['input'];
  to: Scalars['DateTime']['input'];
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

/** Logs in a range. */
export type LogReport = {
  __typename?: 'LogReport';
  /** Begin of the range, cut to the quarter of an hour. */
  from: Scalars['DateTime']['output'];
  /** As rows of AnomalyReport, in the same order, the level from the least. */
  rows: Array<LogReportRow>;
  /** Zone by whose calendar buckets begin. */
  timezone: Scalars['String']['output'];
  /** End of the range, cut to the quarter of an hour. */
  to: Scalars['DateTime']['output'];
  /** All of the range: a whole number, a Float because there may be more than an Int can say. */
  total: Scalars['Float']['output'];
};

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

/** Logs of one bucket and group. */
export type LogReportRow = {
  __typename?: 'LogReportRow';
  /** Begin of the bucket, as in AnomalyReportRow. */
  bucketStart: Scalars['DateTime']['output'];
  /** The device; null without DEVICE. */
  device: Maybe<Device>;
  /** The level; null without LEVEL. */
  level: Maybe<LogLevel>;
  /** The line; null without LINE, and for devices that stood on none. */
  line: Maybe<Line>;
  /** The process; null without PROCESS, and for devices that served none. */
  process: Maybe<Process>;
  /** How many: a whole number. */
  total: Scalars['Float']['output'];
};

export type Mutation = {
  __typename?: 'Mutation';
  /**
   * Makes a link to a file of events, or of a report, which the database fills while it is read: as CSV (RFC 4180, UTF-8,
   * CRLF, a header row), from the oldest to the newest, without a limit of rows. For those who may read the space. Cells of
   * text that a spreadsheet would run as a formula begin with an apostrophe; numbers are numbers.
   */
  exportReport: ExportReportPayload;
};


export type MutationExportReportArgs = {
  input: ExportReportInput;
};

/** A step of production, on a line or for itself; the device subgraph tells more. */
export type Process = {
  __typename?: 'Process';
  /** How many anomalies occurred in a range, of devices that served this process then: a whole number. */
  anomalyCount: Maybe<Scalars['Float']['output']>;
  /** UUIDv7. */
  id: Scalars['ID']['output'];
};


/** A step of production, on a line or for itself; the device subgraph tells more. */
export type ProcessAnomalyCountArgs = {
  from: Scalars['DateTime']['input'];
  to: Scalars['DateTime']['input'];
};

export type Query = {
  __typename?: 'Query';
  /**
   * How many anomalies occurred, by the calendar of the site. It includes every occurrence whose receipt a device has got
   * and that has been written since. More than 10,000 rows are a BAD_USER_INPUT: a shorter range, a longer interval or
   * fewer groups have less.
   */
  anomalyReport: AnomalyReport;
  /**
   * How long devices were online. Counted are devices that are not removed, from their registration on and until now;
   * one that has never been seen was offline all the time.
   */
  availabilityReport: AvailabilityReport;
  /** How many logs were written, as anomalyReport tells of anomalies. */
  logReport: LogReport;
  /** How fast people answered the anomalies that were raised in a range. */
  responseReport: ResponseReport;
};


export type QueryAnomalyReportArgs = {
  from: Scalars['DateTime']['input'];
  groupBy?: InputMaybe<Array<AnomalyReportGroup>>;
  interval?: ReportInterval;
  spaceId: Scalars['ID']['input'];
  timezone?: InputMaybe<Scalars['String']['input']>;
  to: Scalars['DateTime']['input'];
};


export type QueryAvailabilityReportArgs = {
  from: Scalars['DateTime']['input'];
  groupBy?: InputMaybe<Array<AvailabilityReportGroup>>;
  spaceId: Scalars['ID']['input'];
  timezone?: InputMaybe<Scalars['String']['input']>;
  to: Scalars['DateTime']['input'];
};


export type QueryLogReportArgs = {
  from: Scalars['DateTime']['input'];
  groupBy?: InputMaybe<Array<LogReportGroup>>;
  interval?: ReportInterval;
  spaceId: Scalars['ID']['input'];
  timezone?: InputMaybe<Scalars['String']['input']>;
  to: Scalars['DateTime']['input'];
};


export type QueryResponseReportArgs = {
  from: Scalars['DateTime']['input'];
  groupBy?: InputMaybe<Array<ResponseReportGroup>>;
  spaceId: Scalars['ID']['input'];
  to: Scalars['DateTime']['input'];
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

/** How fast anomalies were answered. */
export type ResponseReport = {
  __typename?: 'ResponseReport';
  /** Begin of the range. */
  from: Scalars['DateTime']['output'];
  /**
   * A row for each group that has an anomaly, by line, process, device (each by id, none first), type and severity (from the
   * least); one row without groupBy.
   */
  rows: Array<ResponseReportRow>;
  /** End of the range. */
  to: Scalars['DateTime']['output'];
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

/** Answers to the anomalies of one group. */
export type ResponseReportRow = {
  __typename?: 'ResponseReportRow';
  /** From being raised to being acknowledged, of those that are or were. */
  acknowledge: ResponseTime;
  /** The device; null without DEVICE. */
  device: Maybe<Device>;
  /** The line; null without LINE, and for devices that stood on none. */
  line: Maybe<Line>;
  /** The process; null without PROCESS, and for devices that served none. */
  process: Maybe<Process>;
  /** Anomalies that were raised. */
  raised: Scalars['Int']['output'];
  /** From being raised to being resolved, of those that are. */
  resolve: ResponseTime;
  /** The severity; null without SEVERITY. */
  severity: Maybe<Severity>;
  /** The type; null without TYPE. */
  type: Maybe<Scalars['String']['output']>;
};

/** How long something took, over many. */
export type ResponseTime = {
  __typename?: 'ResponseTime';
  /** How many there are. */
  count: Scalars['Int']['output'];
  /** Their mean, in seconds; null when there are none. */
  meanSeconds: Maybe<Scalars['Float']['output']>;
  /** Half of them took no longer than this one of them, in seconds; null when there are none. */
  p50Seconds: Maybe<Scalars['Float']['output']>;
  /** 95 of 100 took no longer than this one of them, in seconds; null when there are none. */
  p95Seconds: Maybe<Scalars['Float']['output']>;
};

/** How grave an anomaly is. */
export type Severity =
  /** To be looked at now. */
  | 'CRITICAL'
  /** Good to know. */
  | 'INFO'
  /** To be looked at today. */
  | 'MAJOR'
  /** To be looked at some time. */
  | 'MINOR';

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
  | 'BAD_USER_INPUT';



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
  Device: Device;
  Line: Line;
  Process: Process;
};

/** Mapping of federation reference types */
export type FederationReferenceTypes = {
  Device:
    ( { __typename: 'Device' }
    & GraphQLRecursivePick<FederationTypes['Device'], {"id":true}> );
  Line:
    ( { __typename: 'Line' }
    & GraphQLRecursivePick<FederationTypes['Line'], {"id":true}> );
  Process:
    ( { __typename: 'Process' }
    & GraphQLRecursivePick<FederationTypes['Process'], {"id":true}> );
};



/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  AnomalyReport: ResolverTypeWrapper<AnomalyReportParent>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  AnomalyReportGroup: AnomalyReportGroup;
  AnomalyReportRow: ResolverTypeWrapper<AnomalyReportRowParent>;
  Availability: ResolverTypeWrapper<Availability>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  AvailabilityReport: ResolverTypeWrapper<AvailabilityReportParent>;
  AvailabilityReportGroup: AvailabilityReportGroup;
  AvailabilityReportRow: ResolverTypeWrapper<AvailabilityReportRowParent>;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  Device: ResolverTypeWrapper<DeviceParent>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  ExportGroup: ExportGroup;
  ExportKind: ExportKind;
  ExportReportInput: ExportReportInput;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  ExportReportPayload: ResolverTypeWrapper<ExportReportPayload>;
  Line: ResolverTypeWrapper<LineParent>;
  LogLevel: LogLevel;
  LogReport: ResolverTypeWrapper<LogReportParent>;
  LogReportGroup: LogReportGroup;
  LogReportRow: ResolverTypeWrapper<LogReportRowParent>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Process: ResolverTypeWrapper<ProcessParent>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  ReportInterval: ReportInterval;
  ResponseReport: ResolverTypeWrapper<ResponseReportParent>;
  ResponseReportGroup: ResponseReportGroup;
  ResponseReportRow: ResolverTypeWrapper<ResponseReportRowParent>;
  ResponseTime: ResolverTypeWrapper<ResponseTime>;
  Severity: Severity;
  UserError: ResolverTypeWrapper<UserError>;
  UserErrorCode: UserErrorCode;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  AnomalyReport: AnomalyReportParent;
  String: Scalars['String']['output'];
  Float: Scalars['Float']['output'];
  AnomalyReportRow: AnomalyReportRowParent;
  Availability: Availability;
  Int: Scalars['Int']['output'];
  AvailabilityReport: AvailabilityReportParent;
  AvailabilityReportRow: AvailabilityReportRowParent;
  DateTime: Scalars['DateTime']['output'];
  Device: DeviceParent;
  ID: Scalars['ID']['output'];
  ExportReportInput: ExportReportInput;
  Boolean: Scalars['Boolean']['output'];
  ExportReportPayload: ExportReportPayload;
  Line: LineParent;
  LogReport: LogReportParent;
  LogReportRow: LogReportRowParent;
  Mutation: Record<PropertyKey, never>;
  Process: ProcessParent;
  Query: Record<PropertyKey, never>;
  ResponseReport: ResponseReportParent;
  ResponseReportRow: ResponseReportRowParent;
  ResponseTime: ResponseTime;
  UserError: UserError;
};

export type AnomalyReportResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['AnomalyReport'] = ResolversParentTypes['AnomalyReport']> = {
  from?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  rows?: Resolver<Array<ResolversTypes['AnomalyReportRow']>, ParentType, ContextType>;
  timezone?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  to?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  total?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type AnomalyReportRowResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['AnomalyReportRow'] = ResolversParentTypes['AnomalyReportRow']> = {
  bucketStart?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  device?: Resolver<Maybe<ResolversTypes['Device']>, ParentType, ContextType>;
  line?: Resolver<Maybe<ResolversTypes['Line']>, ParentType, ContextType>;
  process?: Resolver<Maybe<ResolversTypes['Process']>, ParentType, ContextType>;
  severity?: Resolver<Maybe<ResolversTypes['Severity']>, ParentType, ContextType>;
  total?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  type?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type AvailabilityResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Availability'] = ResolversParentTypes['Availability']> = {
  downtimeSeconds?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  mtbfSeconds?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  mttrSeconds?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  onlineRatio?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  outages?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type AvailabilityReportResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['AvailabilityReport'] = ResolversParentTypes['AvailabilityReport']> = {
  from?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  rows?: Resolver<Array<ResolversTypes['AvailabilityReportRow']>, ParentType, ContextType>;
  timezone?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  to?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type AvailabilityReportRowResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['AvailabilityReportRow'] = ResolversParentTypes['AvailabilityReportRow']> = {
  device?: Resolver<Maybe<ResolversTypes['Device']>, ParentType, ContextType>;
  downtimeSeconds?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  line?: Resolver<Maybe<ResolversTypes['Line']>, ParentType, ContextType>;
  mtbfSeconds?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  mttrSeconds?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  onlineRatio?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  outages?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  process?: Resolver<Maybe<ResolversTypes['Process']>, ParentType, ContextType>;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export type DeviceResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Device'] = ResolversParentTypes['Device'], FederationReferenceType extends FederationReferenceTypes['Device'] = FederationReferenceTypes['Device']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Device']> | FederationReferenceType, FederationReferenceType, ContextType>;
  anomalyCount?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType, RequireFields<DeviceAnomalyCountArgs, 'from' | 'to'>>;
  availability?: Resolver<Maybe<ResolversTypes['Availability']>, ParentType, ContextType, RequireFields<DeviceAvailabilityArgs, 'from' | 'to'>>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type ExportReportPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['ExportReportPayload'] = ResolversParentTypes['ExportReportPayload']> = {
  expiresAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  url?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type LineResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Line'] = ResolversParentTypes['Line'], FederationReferenceType extends FederationReferenceTypes['Line'] = FederationReferenceTypes['Line']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Line']> | FederationReferenceType, FederationReferenceType, ContextType>;
  anomalyCount?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType, RequireFields<LineAnomalyCountArgs, 'from' | 'to'>>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type LogReportResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['LogReport'] = ResolversParentTypes['LogReport']> = {
  from?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  rows?: Resolver<Array<ResolversTypes['LogReportRow']>, ParentType, ContextType>;
  timezone?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  to?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  total?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type LogReportRowResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['LogReportRow'] = ResolversParentTypes['LogReportRow']> = {
  bucketStart?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  device?: Resolver<Maybe<ResolversTypes['Device']>, ParentType, ContextType>;
  level?: Resolver<Maybe<ResolversTypes['LogLevel']>, ParentType, ContextType>;
  line?: Resolver<Maybe<ResolversTypes['Line']>, ParentType, ContextType>;
  process?: Resolver<Maybe<ResolversTypes['Process']>, ParentType, ContextType>;
  total?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type MutationResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  exportReport?: Resolver<ResolversTypes['ExportReportPayload'], ParentType, ContextType, RequireFields<MutationExportReportArgs, 'input'>>;
};

export type ProcessResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Process'] = ResolversParentTypes['Process'], FederationReferenceType extends FederationReferenceTypes['Process'] = FederationReferenceTypes['Process']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Process']> | FederationReferenceType, FederationReferenceType, ContextType>;
  anomalyCount?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType, RequireFields<ProcessAnomalyCountArgs, 'from' | 'to'>>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type QueryResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  anomalyReport?: Resolver<ResolversTypes['AnomalyReport'], ParentType, ContextType, RequireFields<QueryAnomalyReportArgs, 'from' | 'interval' | 'spaceId' | 'to'>>;
  availabilityReport?: Resolver<ResolversTypes['AvailabilityReport'], ParentType, ContextType, RequireFields<QueryAvailabilityReportArgs, 'from' | 'spaceId' | 'to'>>;
  logReport?: Resolver<ResolversTypes['LogReport'], ParentType, ContextType, RequireFields<QueryLogReportArgs, 'from' | 'interval' | 'spaceId' | 'to'>>;
  responseReport?: Resolver<ResolversTypes['ResponseReport'], ParentType, ContextType, RequireFields<QueryResponseReportArgs, 'from' | 'spaceId' | 'to'>>;
};

export type ResponseReportResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['ResponseReport'] = ResolversParentTypes['ResponseReport']> = {
  from?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  rows?: Resolver<Array<ResolversTypes['ResponseReportRow']>, ParentType, ContextType>;
  to?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type ResponseReportRowResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['ResponseReportRow'] = ResolversParentTypes['ResponseReportRow']> = {
  acknowledge?: Resolver<ResolversTypes['ResponseTime'], ParentType, ContextType>;
  device?: Resolver<Maybe<ResolversTypes['Device']>, ParentType, ContextType>;
  line?: Resolver<Maybe<ResolversTypes['Line']>, ParentType, ContextType>;
  process?: Resolver<Maybe<ResolversTypes['Process']>, ParentType, ContextType>;
  raised?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  resolve?: Resolver<ResolversTypes['ResponseTime'], ParentType, ContextType>;
  severity?: Resolver<Maybe<ResolversTypes['Severity']>, ParentType, ContextType>;
  type?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ResponseTimeResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['ResponseTime'] = ResolversParentTypes['ResponseTime']> = {
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  meanSeconds?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  p50Seconds?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  p95Seconds?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
};

export type UserErrorResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['UserError'] = ResolversParentTypes['UserError']> = {
  code?: Resolver<ResolversTypes['UserErrorCode'], ParentType, ContextType>;
  field?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type Resolvers<ContextType = SubgraphContext> = {
  AnomalyReport?: AnomalyReportResolvers<ContextType>;
  AnomalyReportRow?: AnomalyReportRowResolvers<ContextType>;
  Availability?: AvailabilityResolvers<ContextType>;
  AvailabilityReport?: AvailabilityReportResolvers<ContextType>;
  AvailabilityReportRow?: AvailabilityReportRowResolvers<ContextType>;
  DateTime?: GraphQLScalarType;
  Device?: DeviceResolvers<ContextType>;
  ExportReportPayload?: ExportReportPayloadResolvers<ContextType>;
  Line?: LineResolvers<ContextType>;
  LogReport?: LogReportResolvers<ContextType>;
  LogReportRow?: LogReportRowResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  Process?: ProcessResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  ResponseReport?: ResponseReportResolvers<ContextType>;
  ResponseReportRow?: ResponseReportRowResolvers<ContextType>;
  ResponseTime?: ResponseTimeResolvers<ContextType>;
  UserError?: UserErrorResolvers<ContextType>;
};

