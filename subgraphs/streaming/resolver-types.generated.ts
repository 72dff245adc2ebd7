import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { BroadcastParent, BroadcastIngestParent, DeviceParent } from './model.ts';
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

/** The live picture and sound of a device. */
export type Broadcast = {
  __typename?: 'Broadcast';
  /** Such as OPUS. Null without sound, or before it is known. */
  audioCodec: Maybe<Scalars['String']['output']>;
  /** Whose. */
  device: Maybe<Device>;
  /** UUIDv7; another one when a device that has ended begins again. */
  id: Scalars['ID']['output'];
  /** How its media arrives. */
  ingest: BroadcastIngest;
  /** Why it is not live. Null once media flows as agreed. */
  problem: Maybe<BroadcastProblem>;
  /** When it was opened. */
  startedAt: Scalars['DateTime']['output'];
  /** What arrives, over the last seconds. Null before the first sample. */
  stats: Maybe<BroadcastStats>;
  /** How far it is. */
  status: BroadcastStatus;
  /** Such as VP8 or H264. Null without video, or before it is known. */
  videoCodec: Maybe<Scalars['String']['output']>;
  /** How many watch. */
  viewerCount: Scalars['Int']['output'];
};

/** What a client needs to create a consumer with mediasoup's client. */
export type BroadcastConsumer = {
  __typename?: 'BroadcastConsumer';
  /** Id at media. */
  id: Scalars['ID']['output'];
  /** audio or video. */
  kind: Scalars['String']['output'];
  /** Id of the producer. */
  producerId: Scalars['ID']['output'];
  /** How it is sent. */
  rtpParameters: Scalars['JSON']['output'];
  /** simple, simulcast or svc: the last two have layers to prefer. */
  type: Scalars['String']['output'];
};

/** The device has stopped; SessionEnded follows. */
export type BroadcastEnded = {
  __typename?: 'BroadcastEnded';
  /** Place in the session's sequence. */
  sequence: Scalars['Int']['output'];
};

/** How media arrives. */
export type BroadcastIngest = {
  __typename?: 'BroadcastIngest';
  /** By what. */
  kind: BroadcastKind;
};

/** How media arrives. */
export type BroadcastKind =
  /** RTP over UDP. */
  | 'RTP'
  /** Fetched from the device; not offered yet. */
  | 'RTSP'
  /** WebRTC by the mutations here: publishBroadcast. */
  | 'WEBRTC'
  /** WebRTC by HTTP (RFC 9725); not offered yet. */
  | 'WHIP';

/** Why a broadcast is not live, for whoever builds the device. */
export type BroadcastProblem = {
  __typename?: 'BroadcastProblem';
  /** Machine-readable kind: SILENCE, SSRC_MISMATCH, PAYLOAD_TYPE_MISMATCH, PROFILE_MISMATCH, SRTP_MISMATCH, NOT_RTP, WORKER_DIED. */
  code: Scalars['String']['output'];
  /** Which stream: video or audio. */
  kind: Scalars['String']['output'];
  /** What was expected and what came. */
  message: Scalars['String']['output'];
};

/** What a client needs to create its transport with mediasoup's client. */
export type BroadcastSession = {
  __typename?: 'BroadcastSession';
  /** When the session ends unless it is connected by then. */
  expiresAt: Scalars['DateTime']['output'];
  /** As RTCIceServer of the browsers. */
  iceServers: Array<Scalars['JSON']['output']>;
  /** Known to its owner alone: for everybody else there is no such session. */
  id: Scalars['ID']['output'];
  /** What the router can send. */
  routerRtpCapabilities: Scalars['JSON']['output'];
  /** Place of this reply in the session's sequence. */
  sequence: Scalars['Int']['output'];
  /** The transport of this session. */
  transport: SessionTransport;
};

/** What arrives, over the last seconds. */
export type BroadcastStats = {
  __typename?: 'BroadcastStats';
  /** Kilobits per second. */
  bitrateKbps: Scalars['Float']['output'];
  /** Milliseconds. */
  jitterMs: Scalars['Float']['output'];
  /** 0 to 1. */
  packetLoss: Scalars['Float']['output'];
  /** 0 (worst) to 10. */
  score: Scalars['Float']['output'];
};

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

/** Connects a transport. */
export type ConnectBroadcastInput = {
  /** Role and fingerprints of the client. */
  dtlsParameters: Scalars['JSON']['input'];
  /** Id of the session. */
  sessionId: Scalars['ID']['input'];
};

/** Asks for consumers. */
export type ConsumeBroadcastInput = {
  /** What the client can decode. */
  rtpCapabilities: Scalars['JSON']['input'];
  /** Id of the session. */
  sessionId: Scalars['ID']['input'];
};

/** What came of consumeBroadcast. */
export type ConsumeBroadcastPayload = {
  __typename?: 'ConsumeBroadcastPayload';
  /** A consumer for each track. Null when it was refused. */
  consumers: Maybe<Array<BroadcastConsumer>>;
  /** Place of this reply in the session's sequence. Null when it was refused. */
  sequence: Maybe<Scalars['Int']['output']>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** A consumer is closed: its track has ended. */
export type ConsumerClosed = {
  __typename?: 'ConsumerClosed';
  /** Which. */
  consumerId: Scalars['ID']['output'];
  /** Place in the session's sequence. */
  sequence: Scalars['Int']['output'];
};

/** Names a consumer. */
export type ConsumerInput = {
  /** Id of the consumer. */
  consumerId: Scalars['ID']['input'];
  /** Id of the session. */
  sessionId: Scalars['ID']['input'];
};

/** Layers of a simulcast or SVC source. */
export type ConsumerLayers = {
  __typename?: 'ConsumerLayers';
  /** From 0, the smallest picture. */
  spatialLayer: Scalars['Int']['output'];
  /** From 0, the fewest frames. Null without temporal layers. */
  temporalLayer: Maybe<Scalars['Int']['output']>;
};

/** A consumer as it is. */
export type ConsumerState = {
  __typename?: 'ConsumerState';
  /** What a client needs to create it. */
  consumer: BroadcastConsumer;
  /** Whether it waits for resumeConsumer. */
  isPaused: Scalars['Boolean']['output'];
  /** Layers that are sent. Null without layers, or while nothing is sent. */
  layers: Maybe<ConsumerLayers>;
  /** Of the way to the viewer: 0 (worst) to 10. */
  score: Scalars['Int']['output'];
};

/** A camera, sensor or controller; the device subgraph tells more. */
export type Device = {
  __typename?: 'Device';
  /** Its broadcast. Null when it has none. */
  broadcast: Maybe<Broadcast>;
  /** UUIDv7. */
  id: Scalars['ID']['output'];
};

/** Where and how a device sends; of the picture where there is one, else of the sound. */
export type IngestTarget = {
  __typename?: 'IngestTarget';
  /** Of the sound beside the picture: codec, ip, port, rtcpPort, payloadType, ssrc, srtp. Null without it. */
  audio: Maybe<Scalars['JSON']['output']>;
  /** VP8, H264 or OPUS. Null for WebRTC, as is all that follows. */
  codec: Maybe<Scalars['String']['output']>;
  /** Address or name. */
  ip: Maybe<Scalars['String']['output']>;
  /** By what. */
  kind: BroadcastKind;
  /** Payload type. */
  payloadType: Maybe<Scalars['Int']['output']>;
  /** UDP port of RTP. */
  port: Maybe<Scalars['Int']['output']>;
  /** UDP port of RTCP. Null when it is that of RTP. */
  rtcpPort: Maybe<Scalars['Int']['output']>;
  /** cryptoSuite, key (base64: what the device encrypts with) and ourKey (what our RTCP is encrypted with). Null for plain RTP. */
  srtp: Maybe<Scalars['JSON']['output']>;
  /** SSRC: up to 4294967295, and so not an Int. */
  ssrc: Maybe<Scalars['Float']['output']>;
  /** Where to send by WHIP; not offered yet. */
  whipUrl: Maybe<Scalars['String']['output']>;
};

/** Lets a viewer in. */
export type JoinBroadcastInput = {
  /** Tells players of one sign-in apart, such as tabs: a join replaces the earlier session of the same player alone. 64 characters at most. */
  clientId?: InputMaybe<Scalars['String']['input']>;
  /** Which device. */
  deviceId: Scalars['ID']['input'];
};

/** What came of joinBroadcast. */
export type JoinBroadcastPayload = {
  __typename?: 'JoinBroadcastPayload';
  /** The session. Null when it was refused. */
  session: Maybe<BroadcastSession>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** Other layers are sent. */
export type LayersChanged = {
  __typename?: 'LayersChanged';
  /** Of which consumer. */
  consumerId: Scalars['ID']['output'];
  /** Null while nothing is sent. */
  layers: Maybe<ConsumerLayers>;
  /** Place in the session's sequence. */
  sequence: Scalars['Int']['output'];
};

/** Ends a session. */
export type LeaveBroadcastInput = {
  /** Id of the session. */
  sessionId: Scalars['ID']['input'];
};

/** What came of leaveBroadcast. */
export type LeaveBroadcastPayload = {
  __typename?: 'LeaveBroadcastPayload';
  /** Whether the session has ended. */
  left: Scalars['Boolean']['output'];
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

export type Mutation = {
  __typename?: 'Mutation';
  /** Takes the client's DTLS parameters. Again with the same ones: the same answer. */
  connectBroadcast: SignalingPayload;
  /**
   * Offers what the device sends, paused: see resumeConsumer. Empty while the device has not begun; signaling tells of what
   * comes later. BAD_USER_INPUT when the client can decode none of it.
   */
  consumeBroadcast: ConsumeBroadcastPayload;
  /**
   * Lets a viewer in. Who joins the same device again, by the same sign-in, replaces their earlier session. CONFLICT when
   * the device does not broadcast.
   */
  joinBroadcast: JoinBroadcastPayload;
  /** Ends a session and all that belongs to it. */
  leaveBroadcast: LeaveBroadcastPayload;
  /** Stops the flow of media until resumeConsumer. */
  pauseConsumer: SignalingPayload;
  /** Starts to send a track of a session of publishBroadcast. A second one of its kind replaces the first. */
  produceBroadcast: ProduceBroadcastPayload;
  /**
   * Lets the device itself, or an OPERATOR in its place, in to send by WebRTC into its broadcast of kind WEBRTC: then
   * connectBroadcast, and produceBroadcast for each track. Who comes later replaces who was there.
   */
  publishBroadcast: PublishBroadcastPayload;
  /** New ICE parameters for a client whose network has changed. */
  restartIce: RestartIcePayload;
  /** Lets media flow, and asks the source for a key frame. */
  resumeConsumer: SignalingPayload;
  /** Chooses the highest layers of a simulcast source that are sent. Without effect on a source without layers. */
  setPreferredLayers: SignalingPayload;
  /**
   * Opens the broadcast of a device and says where to send. A device that starts again (a restarted camera) goes on in the
   * broadcast it has, and its viewers stay; for an OPERATOR a device that broadcasts is a CONFLICT.
   */
  startBroadcast: StartBroadcastPayload;
  /** Ends the broadcast of a device; its viewers get BroadcastEnded. Does nothing when it has none. */
  stopBroadcast: StopBroadcastPayload;
};


export type MutationConnectBroadcastArgs = {
  input: ConnectBroadcastInput;
};


export type MutationConsumeBroadcastArgs = {
  input: ConsumeBroadcastInput;
};


export type MutationJoinBroadcastArgs = {
  input: JoinBroadcastInput;
};


export type MutationLeaveBroadcastArgs = {
  input: LeaveBroadcastInput;
};


export type MutationPauseConsumerArgs = {
  input: ConsumerInput;
};


export type MutationProduceBroadcastArgs = {
  input: ProduceBroadcastInput;
};


export type MutationPublishBroadcastArgs = {
  input: PublishBroadcastInput;
};


export type MutationRestartIceArgs = {
  input: RestartIceInput;
};


export type MutationResumeConsumerArgs = {
  input: ConsumerInput;
};


export type MutationSetPreferredLayersArgs = {
  input: SetPreferredLayersInput;
};


export type MutationStartBroadcastArgs = {
  input: StartBroadcastInput;
};


export type MutationStopBroadcastArgs = {
  input: StopBroadcastInput;
};

/** A track to send. */
export type ProduceBroadcastInput = {
  /** audio or video. */
  kind: Scalars['String']['input'];
  /** Parameters of mediasoup's client. */
  rtpParameters: Scalars['JSON']['input'];
  /** Id of the session. */
  sessionId: Scalars['ID']['input'];
};

/** What came of produceBroadcast. */
export type ProduceBroadcastPayload = {
  __typename?: 'ProduceBroadcastPayload';
  /** Id of the producer. Null when it was refused. */
  producerId: Maybe<Scalars['ID']['output']>;
  /** Place of this reply in the session's sequence. Null when it was refused. */
  sequence: Maybe<Scalars['Int']['output']>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** The source is another one, such as that of a restarted camera: other consumers take the place of the closed ones, paused. */
export type ProducerReplaced = {
  __typename?: 'ProducerReplaced';
  /** Consumers that are closed. */
  closedConsumerIds: Array<Scalars['ID']['output']>;
  /** Consumers that are new: see resumeConsumer. */
  consumers: Array<BroadcastConsumer>;
  /** Place in the session's sequence. */
  sequence: Scalars['Int']['output'];
};

/** Lets a publisher in. */
export type PublishBroadcastInput = {
  /** Which device. */
  deviceId: Scalars['ID']['input'];
};

/** What came of publishBroadcast. */
export type PublishBroadcastPayload = {
  __typename?: 'PublishBroadcastPayload';
  /** The session. Null when it was refused. */
  session: Maybe<BroadcastSession>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

export type Query = {
  __typename?: 'Query';
  /** Broadcasts of the space that have not ended, newest first, 500 at most. */
  broadcasts: Array<Broadcast>;
};


export type QueryBroadcastsArgs = {
  spaceId: Scalars['ID']['input'];
};

/** Restarts ICE. */
export type RestartIceInput = {
  /** Id of the session. */
  sessionId: Scalars['ID']['input'];
};

/** What came of restartIce. */
export type RestartIcePayload = {
  __typename?: 'RestartIcePayload';
  /** User name fragment and password. Null when it was refused. */
  iceParameters: Maybe<Scalars['JSON']['output']>;
  /** As RTCIceServer of the browsers. Null when it was refused. */
  iceServers: Maybe<Array<Scalars['JSON']['output']>>;
  /** Place of this reply in the session's sequence. Null when it was refused. */
  sequence: Maybe<Scalars['Int']['output']>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** The way of media is better or worse. */
export type ScoreChanged = {
  __typename?: 'ScoreChanged';
  /** Of which consumer. */
  consumerId: Scalars['ID']['output'];
  /** Of the way from the device: 0 (worst) to 10. */
  producerScore: Scalars['Int']['output'];
  /** Of the way to the viewer: 0 (worst) to 10. */
  score: Scalars['Int']['output'];
  /** Place in the session's sequence. */
  sequence: Scalars['Int']['output'];
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

/** The session is over, and so is this subscription. */
export type SessionEnded = {
  __typename?: 'SessionEnded';
  /** Why. After all but LEFT, REPLACED and RIGHTS_ENDED a client joins again by itself. */
  reason: SessionEndReason;
  /** Place in the session's sequence. */
  sequence: Scalars['Int']['output'];
};

/** The server's side of a transport. */
export type SessionTransport = {
  __typename?: 'SessionTransport';
  /** Fingerprints. */
  dtlsParameters: Scalars['JSON']['output'];
  /** Where media listens. */
  iceCandidates: Array<Scalars['JSON']['output']>;
  /** User name fragment and password. */
  iceParameters: Scalars['JSON']['output'];
  /** Id at media. */
  id: Scalars['ID']['output'];
};

/** Chooses layers. */
export type SetPreferredLayersInput = {
  /** Id of the consumer. */
  consumerId: Scalars['ID']['input'];
  /** Id of the session. */
  sessionId: Scalars['ID']['input'];
  /** From 0, the smallest picture. */
  spatialLayer: Scalars['Int']['input'];
  /** From 0, the fewest frames. The highest when left out. */
  temporalLayer?: InputMaybe<Scalars['Int']['input']>;
};

/** News of a session. */
export type SignalingEvent = BroadcastEnded | ConsumerClosed | LayersChanged | ProducerReplaced | ScoreChanged | SessionEnded | SignalingSnapshot;

/** What came of a call of a session. */
export type SignalingPayload = {
  __typename?: 'SignalingPayload';
  /** Place of this reply in the session's sequence. Null when it was refused. */
  sequence: Maybe<Scalars['Int']['output']>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** The session as it is: first of all, and after what may have been missed. */
export type SignalingSnapshot = {
  __typename?: 'SignalingSnapshot';
  /** What is watched, or sent. */
  broadcast: Broadcast;
  /** Consumers as they are. */
  consumers: Array<ConsumerState>;
  /** Whether the transport is connected. */
  isConnected: Scalars['Boolean']['output'];
  /** Place of the last reply or event that it holds: what has this place or an earlier one is old. */
  sequence: Scalars['Int']['output'];
};

/** How SRTP encrypts (RFC 3711, 7714). */
export type SrtpCryptoSuite =
  /** As cheap. */
  | 'AEAD_AES_128_GCM'
  /** The cheapest and strongest. */
  | 'AEAD_AES_256_GCM'
  /** With shorter tags. */
  | 'AES_CM_128_HMAC_SHA1_32'
  /** For devices that know no better. */
  | 'AES_CM_128_HMAC_SHA1_80';

/** Opens a broadcast. */
export type StartBroadcastInput = {
  /** RTP: OPUS for sound beside the picture. */
  audioCodec?: InputMaybe<Scalars['String']['input']>;
  /** RTP: VP8 (so when neither codec is given), H264, or OPUS for sound alone. */
  codec?: InputMaybe<Scalars['String']['input']>;
  /** Which device. */
  deviceId: Scalars['ID']['input'];
  /** How media is sent. */
  kind: BroadcastKind;
  /** RTP, of the picture: 96 to 127; chosen when left out. */
  payloadType?: InputMaybe<Scalars['Int']['input']>;
  /** RTP with H264: six hexadecimal digits (RFC 6184); 42e01f when left out. */
  profileLevelId?: InputMaybe<Scalars['String']['input']>;
  /** RTP: RTCP on the port of RTP; off when left out, for ffmpeg. */
  rtcpMux?: InputMaybe<Scalars['Boolean']['input']>;
  /** RTSP: where to fetch from. */
  rtspUrl?: InputMaybe<Scalars['String']['input']>;
  /** RTP: encrypts with this suite and a key that the answer has. */
  srtpCryptoSuite?: InputMaybe<SrtpCryptoSuite>;
  /** RTP, of the picture: chosen when left out. */
  ssrc?: InputMaybe<Scalars['Float']['input']>;
};

/** What came of startBroadcast. */
export type StartBroadcastPayload = {
  __typename?: 'StartBroadcastPayload';
  /** The broadcast. Null when it was refused. */
  broadcast: Maybe<Broadcast>;
  /** Where to send. Null when it was refused. */
  ingest: Maybe<IngestTarget>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

/** Ends a broadcast. */
export type StopBroadcastInput = {
  /** Which device. */
  deviceId: Scalars['ID']['input'];
};

/** What came of stopBroadcast. */
export type StopBroadcastPayload = {
  __typename?: 'StopBroadcastPayload';
  /** The broadcast that has ended. Null when there was none. */
  broadcast: Maybe<Broadcast>;
  /** What the caller can mend. */
  userErrors: Array<UserError>;
};

export type Subscription = {
  __typename?: 'Subscription';
  /** Each device of the space whose broadcast begins, changes or ends. Viewers that come and go are told of once a second. */
  broadcastChanged: Device;
  /**
   * News of a session of one's own, after a SignalingSnapshot, until SessionEnded. Replies of mutations and events share one
   * sequence without gaps. It has no cursor: whoever subscribes again, and whoever was told of a gap, gets a new snapshot.
   */
  signaling: SignalingEvent;
};


export type SubscriptionBroadcastChangedArgs = {
  spaceId: Scalars['ID']['input'];
};


export type SubscriptionSignalingArgs = {
  sessionId: Scalars['ID']['input'];
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
};

/** Mapping of federation reference types */
export type FederationReferenceTypes = {
  Device:
    ( { __typename: 'Device' }
    & GraphQLRecursivePick<FederationTypes['Device'], {"id":true}> );
};

/** Mapping of union types */
export type ResolversUnionTypes<_RefType extends Record<string, unknown>> = {
  SignalingEvent:
    | ( BroadcastEnded )
    | ( ConsumerClosed )
    | ( LayersChanged )
    | ( ProducerReplaced )
    | ( ScoreChanged )
    | ( SessionEnded )
    | ( Omit<SignalingSnapshot, 'broadcast'> & { broadcast: _RefType['Broadcast'] } )
  ;
};


/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  Broadcast: ResolverTypeWrapper<BroadcastParent>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  BroadcastConsumer: ResolverTypeWrapper<BroadcastConsumer>;
  BroadcastEnded: ResolverTypeWrapper<BroadcastEnded>;
  BroadcastIngest: ResolverTypeWrapper<BroadcastIngestParent>;
  BroadcastKind: BroadcastKind;
  BroadcastProblem: ResolverTypeWrapper<BroadcastProblem>;
  BroadcastSession: ResolverTypeWrapper<BroadcastSession>;
  BroadcastStats: ResolverTypeWrapper<BroadcastStats>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  BroadcastStatus: BroadcastStatus;
  ConnectBroadcastInput: ConnectBroadcastInput;
  ConsumeBroadcastInput: ConsumeBroadcastInput;
  ConsumeBroadcastPayload: ResolverTypeWrapper<ConsumeBroadcastPayload>;
  ConsumerClosed: ResolverTypeWrapper<ConsumerClosed>;
  ConsumerInput: ConsumerInput;
  ConsumerLayers: ResolverTypeWrapper<ConsumerLayers>;
  ConsumerState: ResolverTypeWrapper<ConsumerState>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  Device: ResolverTypeWrapper<DeviceParent>;
  IngestTarget: ResolverTypeWrapper<IngestTarget>;
  JSON: ResolverTypeWrapper<Scalars['JSON']['output']>;
  JoinBroadcastInput: JoinBroadcastInput;
  JoinBroadcastPayload: ResolverTypeWrapper<JoinBroadcastPayload>;
  LayersChanged: ResolverTypeWrapper<LayersChanged>;
  LeaveBroadcastInput: LeaveBroadcastInput;
  LeaveBroadcastPayload: ResolverTypeWrapper<LeaveBroadcastPayload>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  ProduceBroadcastInput: ProduceBroadcastInput;
  ProduceBroadcastPayload: ResolverTypeWrapper<ProduceBroadcastPayload>;
  ProducerReplaced: ResolverTypeWrapper<ProducerReplaced>;
  PublishBroadcastInput: PublishBroadcastInput;
  PublishBroadcastPayload: ResolverTypeWrapper<PublishBroadcastPayload>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  RestartIceInput: RestartIceInput;
  RestartIcePayload: ResolverTypeWrapper<RestartIcePayload>;
  ScoreChanged: ResolverTypeWrapper<ScoreChanged>;
  SessionEndReason: SessionEndReason;
  SessionEnded: ResolverTypeWrapper<SessionEnded>;
  SessionTransport: ResolverTypeWrapper<SessionTransport>;
  SetPreferredLayersInput: SetPreferredLayersInput;
  SignalingEvent: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['SignalingEvent']>;
  SignalingPayload: ResolverTypeWrapper<SignalingPayload>;
  SignalingSnapshot: ResolverTypeWrapper<Omit<SignalingSnapshot, 'broadcast'> & { broadcast: ResolversTypes['Broadcast'] }>;
  SrtpCryptoSuite: SrtpCryptoSuite;
  StartBroadcastInput: StartBroadcastInput;
  StartBroadcastPayload: ResolverTypeWrapper<Omit<StartBroadcastPayload, 'broadcast'> & { broadcast?: Maybe<ResolversTypes['Broadcast']> }>;
  StopBroadcastInput: StopBroadcastInput;
  StopBroadcastPayload: ResolverTypeWrapper<Omit<StopBroadcastPayload, 'broadcast'> & { broadcast?: Maybe<ResolversTypes['Broadcast']> }>;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  UserError: ResolverTypeWrapper<UserError>;
  UserErrorCode: UserErrorCode;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  Broadcast: BroadcastParent;
  String: Scalars['String']['output'];
  ID: Scalars['ID']['output'];
  Int: Scalars['Int']['output'];
  BroadcastConsumer: BroadcastConsumer;
  BroadcastEnded: BroadcastEnded;
  BroadcastIngest: BroadcastIngestParent;
  BroadcastProblem: BroadcastProblem;
  BroadcastSession: BroadcastSession;
  BroadcastStats: BroadcastStats;
  Float: Scalars['Float']['output'];
  ConnectBroadcastInput: ConnectBroadcastInput;
  ConsumeBroadcastInput: ConsumeBroadcastInput;
  ConsumeBroadcastPayload: ConsumeBroadcastPayload;
  ConsumerClosed: ConsumerClosed;
  ConsumerInput: ConsumerInput;
  ConsumerLayers: ConsumerLayers;
  ConsumerState: ConsumerState;
  Boolean: Scalars['Boolean']['output'];
  DateTime: Scalars['DateTime']['output'];
  Device: DeviceParent;
  IngestTarget: IngestTarget;
  JSON: Scalars['JSON']['output'];
  JoinBroadcastInput: JoinBroadcastInput;
  JoinBroadcastPayload: JoinBroadcastPayload;
  LayersChanged: LayersChanged;
  LeaveBroadcastInput: LeaveBroadcastInput;
  LeaveBroadcastPayload: LeaveBroadcastPayload;
  Mutation: Record<PropertyKey, never>;
  ProduceBroadcastInput: ProduceBroadcastInput;
  ProduceBroadcastPayload: ProduceBroadcastPayload;
  ProducerReplaced: ProducerReplaced;
  PublishBroadcastInput: PublishBroadcastInput;
  PublishBroadcastPayload: PublishBroadcastPayload;
  Query: Record<PropertyKey, never>;
  RestartIceInput: RestartIceInput;
  RestartIcePayload: RestartIcePayload;
  ScoreChanged: ScoreChanged;
  SessionEnded: SessionEnded;
  SessionTransport: SessionTransport;
  SetPreferredLayersInput: SetPreferredLayersInput;
  SignalingEvent: ResolversUnionTypes<ResolversParentTypes>['SignalingEvent'];
  SignalingPayload: SignalingPayload;
  SignalingSnapshot: Omit<SignalingSnapshot, 'broadcast'> & { broadcast: ResolversParentTypes['Broadcast'] };
  StartBroadcastInput: StartBroadcastInput;
  StartBroadcastPayload: Omit<StartBroadcastPayload, 'broadcast'> & { broadcast?: Maybe<ResolversParentTypes['Broadcast']> };
  StopBroadcastInput: StopBroadcastInput;
  StopBroadcastPayload: Omit<StopBroadcastPayload, 'broadcast'> & { broadcast?: Maybe<ResolversParentTypes['Broadcast']> };
  Subscription: Record<PropertyKey, never>;
  UserError: UserError;
};

export type ViewerDependentDirectiveArgs = { };

export type ViewerDependentDirectiveResolver<Result, Parent, ContextType = SubgraphContext, Args = ViewerDependentDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type BroadcastResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Broadcast'] = ResolversParentTypes['Broadcast']> = {
  audioCodec?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  device?: Resolver<Maybe<ResolversTypes['Device']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  ingest?: Resolver<ResolversTypes['BroadcastIngest'], ParentType, ContextType>;
  problem?: Resolver<Maybe<ResolversTypes['BroadcastProblem']>, ParentType, ContextType>;
  startedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  stats?: Resolver<Maybe<ResolversTypes['BroadcastStats']>, ParentType, ContextType>;
  status?: Resolver<ResolversTypes['BroadcastStatus'], ParentType, ContextType>;
  videoCodec?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  viewerCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type BroadcastConsumerResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['BroadcastConsumer'] = ResolversParentTypes['BroadcastConsumer']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  producerId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  rtpParameters?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type BroadcastEndedResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['BroadcastEnded'] = ResolversParentTypes['BroadcastEnded']> = {
  sequence?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type BroadcastIngestResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['BroadcastIngest'] = ResolversParentTypes['BroadcastIngest']> = {
  kind?: Resolver<ResolversTypes['BroadcastKind'], ParentType, ContextType>;
};

export type BroadcastProblemResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['BroadcastProblem'] = ResolversParentTypes['BroadcastProblem']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type BroadcastSessionResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['BroadcastSession'] = ResolversParentTypes['BroadcastSession']> = {
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  iceServers?: Resolver<Array<ResolversTypes['JSON']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  routerRtpCapabilities?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  sequence?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  transport?: Resolver<ResolversTypes['SessionTransport'], ParentType, ContextType>;
};

export type BroadcastStatsResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['BroadcastStats'] = ResolversParentTypes['BroadcastStats']> = {
  bitrateKbps?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  jitterMs?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  packetLoss?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  score?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type ConsumeBroadcastPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['ConsumeBroadcastPayload'] = ResolversParentTypes['ConsumeBroadcastPayload']> = {
  consumers?: Resolver<Maybe<Array<ResolversTypes['BroadcastConsumer']>>, ParentType, ContextType>;
  sequence?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type ConsumerClosedResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['ConsumerClosed'] = ResolversParentTypes['ConsumerClosed']> = {
  consumerId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  sequence?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ConsumerLayersResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['ConsumerLayers'] = ResolversParentTypes['ConsumerLayers']> = {
  spatialLayer?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  temporalLayer?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type ConsumerStateResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['ConsumerState'] = ResolversParentTypes['ConsumerState']> = {
  consumer?: Resolver<ResolversTypes['BroadcastConsumer'], ParentType, ContextType>;
  isPaused?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  layers?: Resolver<Maybe<ResolversTypes['ConsumerLayers']>, ParentType, ContextType>;
  score?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export type DeviceResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Device'] = ResolversParentTypes['Device'], FederationReferenceType extends FederationReferenceTypes['Device'] = FederationReferenceTypes['Device']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Device']> | FederationReferenceType, FederationReferenceType, ContextType>;
  broadcast?: Resolver<Maybe<ResolversTypes['Broadcast']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type IngestTargetResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['IngestTarget'] = ResolversParentTypes['IngestTarget']> = {
  audio?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  codec?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  ip?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['BroadcastKind'], ParentType, ContextType>;
  payloadType?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  port?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  rtcpPort?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  srtp?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  ssrc?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  whipUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export interface JsonScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['JSON'], any> {
  name: 'JSON';
}

export type JoinBroadcastPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['JoinBroadcastPayload'] = ResolversParentTypes['JoinBroadcastPayload']> = {
  session?: Resolver<Maybe<ResolversTypes['BroadcastSession']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type LayersChangedResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['LayersChanged'] = ResolversParentTypes['LayersChanged']> = {
  consumerId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  layers?: Resolver<Maybe<ResolversTypes['ConsumerLayers']>, ParentType, ContextType>;
  sequence?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type LeaveBroadcastPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['LeaveBroadcastPayload'] = ResolversParentTypes['LeaveBroadcastPayload']> = {
  left?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type MutationResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  connectBroadcast?: Resolver<ResolversTypes['SignalingPayload'], ParentType, ContextType, RequireFields<MutationConnectBroadcastArgs, 'input'>>;
  consumeBroadcast?: Resolver<ResolversTypes['ConsumeBroadcastPayload'], ParentType, ContextType, RequireFields<MutationConsumeBroadcastArgs, 'input'>>;
  joinBroadcast?: Resolver<ResolversTypes['JoinBroadcastPayload'], ParentType, ContextType, RequireFields<MutationJoinBroadcastArgs, 'input'>>;
  leaveBroadcast?: Resolver<ResolversTypes['LeaveBroadcastPayload'], ParentType, ContextType, RequireFields<MutationLeaveBroadcastArgs, 'input'>>;
  pauseConsumer?: Resolver<ResolversTypes['SignalingPayload'], ParentType, ContextType, RequireFields<MutationPauseConsumerArgs, 'input'>>;
  produceBroadcast?: Resolver<ResolversTypes['ProduceBroadcastPayload'], ParentType, ContextType, RequireFields<MutationProduceBroadcastArgs, 'input'>>;
  publishBroadcast?: Resolver<ResolversTypes['PublishBroadcastPayload'], ParentType, ContextType, RequireFields<MutationPublishBroadcastArgs, 'input'>>;
  restartIce?: Resolver<ResolversTypes['RestartIcePayload'], ParentType, ContextType, RequireFields<MutationRestartIceArgs, 'input'>>;
  resumeConsumer?: Resolver<ResolversTypes['SignalingPayload'], ParentType, ContextType, RequireFields<MutationResumeConsumerArgs, 'input'>>;
  setPreferredLayers?: Resolver<ResolversTypes['SignalingPayload'], ParentType, ContextType, RequireFields<MutationSetPreferredLayersArgs, 'input'>>;
  startBroadcast?: Resolver<ResolversTypes['StartBroadcastPayload'], ParentType, ContextType, RequireFields<MutationStartBroadcastArgs, 'input'>>;
  stopBroadcast?: Resolver<ResolversTypes['StopBroadcastPayload'], ParentType, ContextType, RequireFields<MutationStopBroadcastArgs, 'input'>>;
};

export type ProduceBroadcastPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['ProduceBroadcastPayload'] = ResolversParentTypes['ProduceBroadcastPayload']> = {
  producerId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  sequence?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type ProducerReplacedResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['ProducerReplaced'] = ResolversParentTypes['ProducerReplaced']> = {
  closedConsumerIds?: Resolver<Array<ResolversTypes['ID']>, ParentType, ContextType>;
  consumers?: Resolver<Array<ResolversTypes['BroadcastConsumer']>, ParentType, ContextType>;
  sequence?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type PublishBroadcastPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['PublishBroadcastPayload'] = ResolversParentTypes['PublishBroadcastPayload']> = {
  session?: Resolver<Maybe<ResolversTypes['BroadcastSession']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type QueryResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  broadcasts?: Resolver<Array<ResolversTypes['Broadcast']>, ParentType, ContextType, RequireFields<QueryBroadcastsArgs, 'spaceId'>>;
};

export type RestartIcePayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['RestartIcePayload'] = ResolversParentTypes['RestartIcePayload']> = {
  iceParameters?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  iceServers?: Resolver<Maybe<Array<ResolversTypes['JSON']>>, ParentType, ContextType>;
  sequence?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type ScoreChangedResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['ScoreChanged'] = ResolversParentTypes['ScoreChanged']> = {
  consumerId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  producerScore?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  score?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  sequence?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type SessionEndedResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['SessionEnded'] = ResolversParentTypes['SessionEnded']> = {
  reason?: Resolver<ResolversTypes['SessionEndReason'], ParentType, ContextType>;
  sequence?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type SessionTransportResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['SessionTransport'] = ResolversParentTypes['SessionTransport']> = {
  dtlsParameters?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  iceCandidates?: Resolver<Array<ResolversTypes['JSON']>, ParentType, ContextType>;
  iceParameters?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type SignalingEventResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['SignalingEvent'] = ResolversParentTypes['SignalingEvent']> = {
  __resolveType: TypeResolveFn<'BroadcastEnded' | 'ConsumerClosed' | 'LayersChanged' | 'ProducerReplaced' | 'ScoreChanged' | 'SessionEnded' | 'SignalingSnapshot', ParentType, ContextType>;
};

export type SignalingPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['SignalingPayload'] = ResolversParentTypes['SignalingPayload']> = {
  sequence?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type SignalingSnapshotResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['SignalingSnapshot'] = ResolversParentTypes['SignalingSnapshot']> = {
  broadcast?: Resolver<ResolversTypes['Broadcast'], ParentType, ContextType>;
  consumers?: Resolver<Array<ResolversTypes['ConsumerState']>, ParentType, ContextType>;
  isConnected?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  sequence?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type StartBroadcastPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['StartBroadcastPayload'] = ResolversParentTypes['StartBroadcastPayload']> = {
  broadcast?: Resolver<Maybe<ResolversTypes['Broadcast']>, ParentType, ContextType>;
  ingest?: Resolver<Maybe<ResolversTypes['IngestTarget']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type StopBroadcastPayloadResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['StopBroadcastPayload'] = ResolversParentTypes['StopBroadcastPayload']> = {
  broadcast?: Resolver<Maybe<ResolversTypes['Broadcast']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type SubscriptionResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  broadcastChanged?: SubscriptionResolver<ResolversTypes['Device'], "broadcastChanged", ParentType, ContextType, RequireFields<SubscriptionBroadcastChangedArgs, 'spaceId'>>;
  signaling?: SubscriptionResolver<ResolversTypes['SignalingEvent'], "signaling", ParentType, ContextType, RequireFields<SubscriptionSignalingArgs, 'sessionId'>>;
};

export type UserErrorResolvers<ContextType = SubgraphContext, ParentType extends ResolversParentTypes['UserError'] = ResolversParentTypes['UserError']> = {
  code?: Resolver<ResolversTypes['UserErrorCode'], ParentType, ContextType>;
  field?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type Resolvers<ContextType = SubgraphContext> = {
  Broadcast?: BroadcastResolvers<ContextType>;
  BroadcastConsumer?: BroadcastConsumerResolvers<ContextType>;
  BroadcastEnded?: BroadcastEndedResolvers<ContextType>;
  BroadcastIngest?: BroadcastIngestResolvers<ContextType>;
  BroadcastProblem?: BroadcastProblemResolvers<ContextType>;
  BroadcastSession?: BroadcastSessionResolvers<ContextType>;
  BroadcastStats?: BroadcastStatsResolvers<ContextType>;
  ConsumeBroadcastPayload?: ConsumeBroadcastPayloadResolvers<ContextType>;
  ConsumerClosed?: ConsumerClosedResolvers<ContextType>;
  ConsumerLayers?: ConsumerLayersResolvers<ContextType>;
  ConsumerState?: ConsumerStateResolvers<ContextType>;
  DateTime?: GraphQLScalarType;
  Device?: DeviceResolvers<ContextType>;
  IngestTarget?: IngestTargetResolvers<ContextType>;
  JSON?: GraphQLScalarType;
  JoinBroadcastPayload?: JoinBroadcastPayloadResolvers<ContextType>;
  LayersChanged?: LayersChangedResolvers<ContextType>;
  LeaveBroadcastPayload?: LeaveBroadcastPayloadResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  ProduceBroadcastPayload?: ProduceBroadcastPayloadResolvers<ContextType>;
  ProducerReplaced?: ProducerReplacedResolvers<ContextType>;
  PublishBroadcastPayload?: PublishBroadcastPayloadResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  RestartIcePayload?: RestartIcePayloadResolvers<ContextType>;
  ScoreChanged?: ScoreChangedResolvers<ContextType>;
  SessionEnded?: SessionEndedResolvers<ContextType>;
  SessionTransport?: SessionTransportResolvers<ContextType>;
  SignalingEvent?: SignalingEventResolvers<ContextType>;
  SignalingPayload?: SignalingPayloadResolvers<ContextType>;
  SignalingSnapshot?: SignalingSnapshotResolvers<ContextType>;
  StartBroadcastPayload?: StartBroadcastPayloadResolvers<ContextType>;
  StopBroadcastPayload?: StopBroadcastPayloadResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  UserError?: UserErrorResolvers<ContextType>;
};

export type DirectiveResolvers<ContextType = SubgraphContext> = {
  viewerDependent?: ViewerDependentDirectiveResolver<any, any, ContextType>;
};
