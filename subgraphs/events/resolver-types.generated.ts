import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { LogParent, LogConnectionParent, DeviceParent, LineParent, ProcessParent } from './model.ts';
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

/** A camera, sensor or controller; the device subgraph tells more. */
export type Device = {
  __typename?: 'Device';
  /** UUIDv7. */
  id: Scalars['ID']['output'];
  /** Logs of this device, newest first. */
  logs: Maybe<LogConnection>;
};


/** A camera, sensor or controller; the device subgraph tells more. */
export type DeviceLogsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};

/** A production line; the device subgraph tells more. */
export type Line = {
  __typename?: 'Line';
  /** UUIDv7. */
  id: Scalars['ID']['output'];
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

/** A step of production, on a line or for itself; the device subgraph tells more. */
export type Process = {
  __typename?: 'Process';
  /** UUIDv7. */
  id: Scalars['ID']['output'];
};

export type Query = {
  __typename?: 'Query';
  /** Logs of a space, newest first. */
  logs: LogConnection;
};


export type QueryLogsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<LogFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  spaceId: Scalars['ID']['input'];
};

export type Subscription = {
  __typename?: 'Subscription';
  /** Each new log of the space. */
  logAdded: Log;
};


export type SubscriptionLogAddedArgs = {
  filter?: InputMaybe<LogFilter>;
  spaceId: Scalars['ID']['input'];
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
  Log: Log;
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
  Log:
    ( { __typename: 'Log' }
    & GraphQLRecursivePick<FederationTypes['Log'], {"id":true}> );
  Process:
    ( { __typename: 'Process' }
    & GraphQLRecursivePick<FederationTypes['Process'], {"id":true}> );
};



/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  Device: ResolverTypeWrapper<DeviceParent>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  JSON: ResolverTypeWrapper<Scalars['JSON']['output']>;
  Line: ResolverTypeWrapper<LineParent>;
  Log: ResolverTypeWrapper<LogParent>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  LogConnection: ResolverTypeWrapper<LogConnectionParent>;
  LogEdge: ResolverTypeWrapper<Omit<LogEdge, 'node'> & { node: ResolversTypes['Log'] }>;
  LogFilter: LogFilter;
  LogLevel: LogLevel;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  Process: ResolverTypeWrapper<ProcessParent>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  User: ResolverTypeWrapper<User>;
  UserError: ResolverTypeWrapper<UserError>;
  UserErrorCode: UserErrorCode;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  DateTime: Scalars['DateTime']['output'];
  Device: DeviceParent;
  ID: Scalars['ID']['output'];
  String: Scalars['String']['output'];
  Int: Scalars['Int']['output'];
  JSON: Scalars['JSON']['output'];
  Line: LineParent;
  Log: LogParent;
  Boolean: Scalars['Boolean']['output'];
  LogConnection: LogConnectionParent;
  LogEdge: Omit<LogEdge, 'node'> & { node: ResolversParentTypes['Log'] };
  LogFilter: LogFilter;
  PageInfo: PageInfo;
  Process: ProcessParent;
  Query: Record<PropertyKey, never>;
  Subscription: Record<PropertyKey, never>;
  User: User;
  UserError: UserError;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export type DeviceResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Device'] = ResolversParentTypes['Device'], FederationReferenceType extends FederationReferenceTypes['Device'] = FederationReferenceTypes['Device']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Device']> | FederationReferenceType, FederationReferenceType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  logs?: Resolver<Maybe<ResolversTypes['LogConnection']>, ParentType, ContextType, RequireFields<DeviceLogsArgs, 'first'>>;
};

export interface JsonScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['JSON'], any> {
  name: 'JSON';
}

export type LineResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Line'] = ResolversParentTypes['Line'], FederationReferenceType extends FederationReferenceTypes['Line'] = FederationReferenceTypes['Line']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Line']> | FederationReferenceType, FederationReferenceType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
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

export type PageInfoResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ProcessResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Process'] = ResolversParentTypes['Process'], FederationReferenceType extends FederationReferenceTypes['Process'] = FederationReferenceTypes['Process']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Process']> | FederationReferenceType, FederationReferenceType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type QueryResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  logs?: Resolver<ResolversTypes['LogConnection'], ParentType, ContextType, RequireFields<QueryLogsArgs, 'spaceId'>>;
};

export type SubscriptionResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  logAdded?: SubscriptionResolver<ResolversTypes['Log'], "logAdded", ParentType, ContextType, RequireFields<SubscriptionLogAddedArgs, 'spaceId'>>;
};

export type UserResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['User'] = ResolversParentTypes['User']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type UserErrorResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['UserError'] = ResolversParentTypes['UserError']> = {
  code?: Resolver<ResolversTypes['UserErrorCode'], ParentType, ContextType>;
  field?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type Resolvers<ContextType = SubgraphContext> = {
  DateTime?: GraphQLScalarType;
  Device?: DeviceResolvers<ContextType>;
  JSON?: GraphQLScalarType;
  Line?: LineResolvers<ContextType>;
  Log?: LogResolvers<ContextType>;
  LogConnection?: LogConnectionResolvers<ContextType>;
  LogEdge?: LogEdgeResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  Process?: ProcessResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  User?: UserResolvers<ContextType>;
  UserError?: UserErrorResolvers<ContextType>;
};

