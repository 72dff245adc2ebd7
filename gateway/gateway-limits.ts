import {
  DEFAULT_SOCKET_LIMITS,
  type GraphqlSocketLimits,
} from '../subgraphs/shared/graphql/graphql-sockets.ts'

/** What a document may be, before it is validated or planned. Breaking one is BAD_USER_INPUT. */
export interface DocumentLimits {
  /** Tokens of the whole document. */
  readonly maxTokens: number
  /** Levels of nested fields. */
  readonly maxDepth: number
  /** Fields at the root. */
  readonly maxRootFields: number
  /** Fields with an alias, fragments written out. */
  readonly maxAliases: number
  /** Fields, fragments written out. */
  readonly maxFields: number
}

/** Bounds of the gateway. */
export interface GatewayLimits extends DocumentLimits, GraphqlSocketLimits {
  /** Body of a POST; a larger one is answered with 413. */
  readonly maxBodyBytes: number
  /** From the request's head to its answer, and for each event of a subscription. Past it: UNAVAILABLE. */
  readonly requestDeadlineMs: number
  /** Distinct documents, and plans of subscriptions, that are remembered. */
  readonly maxKeptDocuments: number
  /** Operations at once on one WebSocket; one more is answered with RATE_LIMITED. */
  readonly maxOperationsPerSocket: number
  /** A WebSocket without a connection_init by then is closed with 4408. */
  readonly connectionInitTimeoutMs: number
  /** How long operations in flight may take to finish when the gateway stops. */
  readonly drainDeadlineMs: number
}

/** Limits unless configured otherwise. */
export const DEFAULT_GATEWAY_LIMITS: GatewayLimits = {
  ...DEFAULT_SOCKET_LIMITS,
  maxTokens: 2_000,
  maxDepth: 12,
  maxRootFields: 20,
  maxAliases: 50,
  maxFields: 500,
  maxBodyBytes: 1_048_576,
  requestDeadlineMs: 15_000,
  maxKeptDocuments: 1_000,
  maxOperationsPerSocket: 100,
  connectionInitTimeoutMs: 3_000,
  drainDeadlineMs: 8_000,
}
