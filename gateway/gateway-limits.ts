import {
  DEFAULT_SOCKET_LIMITS,
  type GraphqlSocketLimits,
} from '../subgraphs/shared/graphql/graphql-sockets.ts'

/** What a document may be, before it is validated or planned. Breaking one is BAD_USER_INPUT. */
export interface DocumentLimits {
  /** Operations of the document, of which a request picks one. */
  readonly maxOperations: number
  /** Tokens of the whole document. */
  readonly maxTokens: number
  /** Levels of nested fields. */
  readonly maxDepth: number
  /** Fields at the root. */
  readonly maxRootFields: number
  /** Fields with an alias, fragments written out. */
  readonly maxAliases: number
  /** Aliases of fields of one name, fragments written out. */
  readonly maxAliasesPerField: number
  /** Fields, fragments written out. */
  readonly maxFields: number
  /** Fragments, spread or inline, written out. */
  readonly maxFragments: number
  /** Directives at one place of the document. */
  readonly maxDirectives: number
}

/** How an operation's cost is reckoned: each field costs 1, times the sizes of the lists it stands in. */
export interface CostTable {
  /** Page of a field with `first` or `last` when neither is given and the SDL has no default. */
  readonly defaultPageSize: number
  /** Assumed size of lists that cannot be paged: `Type.field`, or `*` for all others. */
  readonly listSizes: Readonly<Record<string, number>>
  /** What a field costs instead of 1: `Type.field`, else `Type.*`, else `*.field`. */
  readonly fieldCosts: Readonly<Record<string, number>>
}

/** What one caller may do in a time: a user, a device, or an address without either. Past it: RATE_LIMITED. */
export interface RateLimits {
  /** Points of a caller in a window; an operation takes one, and more by its cost. 0: no limit. */
  readonly maxPoints: number
  readonly pointsWindowSeconds: number
  /** A whole multiple of this in an operation's cost takes another point. */
  readonly costPerPoint: number
  /** So many characters of a document that is new take another point: it is parsed, validated and planned. */
  readonly textPerPoint: number
  /** Attempts at mutations that try a secret or have a mail sent. */
  readonly accountRates: Readonly<Record<AccountMutation, AccountRate>>
}

/** Mutations that try a secret, or have a mail sent. */
export type AccountMutation =
  | 'signIn'
  | 'signUp'
  | 'verifyEmail'
  | 'resendVerification'
  | 'requestPasswordReset'
  | 'resetPassword'
  | 'changePassword'
  | 'deviceToken'
  | 'inviteMember'
  | 'acceptInvitation'

/** Attempts at a mutation in a window. 0: no limit. */
export interface AccountRate {
  /** Which attempts: those that fail, or those that are taken, whatever comes of them. */
  readonly counts: 'failed' | 'taken'
  /** From one IP address. */
  readonly maxPerIp: number
  /** At one account, whether it exists or not, from one IP address. */
  readonly maxPerIpAndAccount: number
  /** At one account from anywhere. Whoever spends it locks its owner out of the mutation for the window. */
  readonly maxPerAccount: number
  readonly windowSeconds: number
}

/** Bounds of the gateway. */
export interface GatewayLimits extends DocumentLimits, CostTable, RateLimits, GraphqlSocketLimits {
  /** Body of a POST; a larger one is answered with 413. */
  readonly maxBodyBytes: number
  /** Values and keys of the variables of a request, nested ones too. */
  readonly maxVariableValues: number
  /** Cost of an operation with its variables, and of each event of a subscription. */
  readonly maxCost: number
  /** From the request's head to its answer, and for each event of a subscription. Past it: UNAVAILABLE. */
  readonly requestDeadlineMs: number
  /** Distinct documents, persisted ones, and plans of subscriptions that are remembered, each. */
  readonly maxKeptDocuments: number
  /** Operations at once on one WebSocket; one more is answered with RATE_LIMITED. */
  readonly maxOperationsPerSocket: number
  /** Characters of a subscription, its variables with it, as JSON: all is kept as long as it lasts. Breaking it is BAD_USER_INPUT. */
  readonly maxSubscriptionText: number
  /** Subscriptions at once of one caller, on all its connections; one more is answered with RATE_LIMITED. */
  readonly maxSubscriptionsPerCaller: number
  /** WebSockets and event streams at once of one caller; one more is closed with 1013, or answered with RATE_LIMITED. */
  readonly maxConnectionsPerCaller: number
  /** Event streams at once; one more is answered with UNAVAILABLE. */
  readonly maxEventStreams: number
  /** How long a subgraph's stream that was lost is tried to be opened again before its subscriptions end. */
  readonly reopenDeadlineMs: number
  /** WebSockets of one address that have not been initialised yet; an upgrade past it is answered with 503. */
  readonly maxOpeningSocketsPerAddress: number
  /** A WebSocket without a connection_init by then is closed with 4408. */
  readonly connectionInitTimeoutMs: number
  /** How long operations in flight may take to finish when the gateway stops. */
  readonly drainDeadlineMs: number
}

function hourly(rate: Pick<AccountRate, 'counts' | 'maxPerIp' | 'maxPerAccount'>): AccountRate {
  return { ...rate, maxPerIpAndAccount: 0, windowSeconds: 3_600 }
}

/**
 * Limits unless configured otherwise.
 *
 * `maxCost` is about the number of values in the largest answer: 100,000 are some 3 MB of JSON and a few tenths of a
 * second of one core. The dashboard's overview (20 spaces with lines, each with 20 devices and their 3 newest logs)
 * costs 37,000, so it has room to grow; 100 devices × 100 logs with 8 fields pass, 100 × 100 × 100 of anything do not.
 */
export const DEFAULT_GATEWAY_LIMITS: GatewayLimits = {
  ...DEFAULT_SOCKET_LIMITS,
  maxOperations: 10,
  maxTokens: 2_000,
  maxDepth: 12,
  maxRootFields: 20,
  maxAliases: 50,
  maxAliasesPerField: 15,
  maxFields: 500,
  // Validation compares each with each: 100 take it 20 ms.
  maxFragments: 100,
  maxDirectives: 10,
  maxCost: 100_000,
  defaultPageSize: 20,
  listSizes: {
    'RegisterDevicesPayload.registered': 500,
    'Query.deletedSpaces': 50,
    'Query.watches': 100,
    'AcknowledgeAnomaliesPayload.anomalies': 100,
    'AcknowledgeAnomaliesPayload.conflicts': 100,
    'AnomalyReport.rows': 100,
    'LogReport.rows': 100,
    'AvailabilityReport.rows': 100,
    'ResponseReport.rows': 20,
    'ProducerReplaced.consumers': 2,
    'SignalingSnapshot.consumers': 2,
    'Space.lines': 10,
    'Space.processes': 10,
    'Line.processes': 5,
    '*': 10,
  },
  fieldCosts: {
    // Counting to 10,000 takes 4.5 ms a device; lists of things are shorter and counted from an index.
    '*.totalCount': 500,
    '*.totalCountIsAtLeast': 500,
    'SpaceConnection.totalCount': 20,
    'DeviceConnection.totalCount': 20,
    'MembershipConnection.totalCount': 20,
    'InvitationConnection.totalCount': 20,
    'Space.deviceCounts': 20,
    'Mutation.*': 1_000,
    // Hashing a password takes a core for some 50 ms.
    'Mutation.signIn': 5_000,
    'Mutation.signUp': 5_000,
    'Mutation.resetPassword': 5_000,
    'Mutation.changePassword': 10_000,
  },
  // No person comes near it; a program that polls as fast as it can takes a few hundred a second.
  maxPoints: 1_000,
  pointsWindowSeconds: 2,
  costPerPoint: 10_000,
  // One of 5,000 characters takes a core for some 25 ms, as much as 80 plain requests.
  textPerPoint: 64,
  accountRates: {
    signIn: {
      counts: 'failed',
      maxPerIp: 60,
      maxPerIpAndAccount: 10,
      // Guessed from many addresses at once. 30,000 guesses a day at a password of 10 characters are no danger.
      maxPerAccount: 100,
      windowSeconds: 300,
    },
    // Each has a mail sent; a person gets a few, a factory behind one address many.
    signUp: hourly({ counts: 'taken', maxPerIp: 100, maxPerAccount: 5 }),
    resendVerification: hourly({ counts: 'taken', maxPerIp: 60, maxPerAccount: 5 }),
    requestPasswordReset: hourly({ counts: 'taken', maxPerIp: 60, maxPerAccount: 5 }),
    // A million codes, 20 guesses an hour: by chance one address in six years.
    verifyEmail: hourly({ counts: 'failed', maxPerIp: 60, maxPerAccount: 20 }),
    // Nobody guesses 256 bits: against load alone.
    resetPassword: hourly({ counts: 'failed', maxPerIp: 60, maxPerAccount: 0 }),
    changePassword: hourly({ counts: 'failed', maxPerIp: 60, maxPerAccount: 10 }),
    // Nobody guesses 256 bits: against load alone, and nobody's device is locked out. A fleet may have one address.
    deviceToken: {
      ...hourly({ counts: 'failed', maxPerIp: 600, maxPerAccount: 0 }),
      maxPerIpAndAccount: 30,
    },
    // A space has 200 open at most; whoever is invited has a few mails of all spaces together.
    inviteMember: hourly({ counts: 'taken', maxPerIp: 300, maxPerAccount: 10 }),
    acceptInvitation: hourly({ counts: 'failed', maxPerIp: 60, maxPerAccount: 0 }),
  },
  maxBodyBytes: 1_048_576,
  // A bulk of 500 devices with all their fields has some 4,500.
  maxVariableValues: 6_000,
  requestDeadlineMs: 15_000,
  maxKeptDocuments: 1_000,
  maxOperationsPerSocket: 100,
  // Of a caller with 1,000 subscriptions some 50 MB.
  maxSubscriptionText: 16_384,
  maxSubscriptionsPerCaller: 1_000,
  maxConnectionsPerCaller: 100,
  maxEventStreams: 10_000,
  reopenDeadlineMs: 30_000,
  // A factory behind one address comes back within a second.
  maxOpeningSocketsPerAddress: 1_000,
  connectionInitTimeoutMs: 3_000,
  drainDeadlineMs: 4_000,
}
