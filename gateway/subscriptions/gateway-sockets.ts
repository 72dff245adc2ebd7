import { randomUUID } from 'node:crypto'
import { type FormattedExecutionResult, GraphQLError, type GraphQLSchema } from 'graphql'
import { type Context, makeServer, type SubscribePayload } from 'graphql-ws'
import { withDeadline } from '../../subgraphs/shared/deadline.ts'
import { AppError, toAppError } from '../../subgraphs/shared/errors.ts'
import {
  createGraphqlSockets,
  type GraphqlSocketExtra,
  type GraphqlSockets,
} from '../../subgraphs/shared/graphql/graphql-sockets.ts'
import type { Logger } from '../../subgraphs/shared/logger.ts'
import { asGraphqlError, authenticate, readBearer, type VerifyAccessToken } from '../authentication.ts'
import type { FormatError } from '../error-format.ts'
import type { OperationExecutor } from '../execution/operation-executor.ts'
import { createGatewayContext } from '../gateway-context.ts'
import type { GatewayLimits } from '../gateway-limits.ts'
import type { GatewayMetrics } from '../gateway-metrics.ts'
import type { InFlight } from '../in-flight.ts'
import type { Admission, AdmittedDocument } from '../limits/admission.ts'
import { identifyCaller } from '../limits/caller.ts'
import { readClientAddress } from '../limits/client-address.ts'
import { createRateError } from '../limits/limit-error.ts'
import type { DocumentReference } from '../limits/persisted-documents.ts'
import type { Connections } from './connections.ts'
import { createEndSignal } from './end-signal.ts'
import { createOpeningSockets } from './opening-sockets.ts'
import { type PreparedSubscription, prepareSubscription } from './prepare-subscription.ts'
import { findRenewedToken } from './renewed-token.ts'
import { createSocketSession, type SocketSession } from './socket-session.ts'
import type { SubscriptionHub } from './subscription-hub.ts'
import type { SubscriptionPlanner } from './subscription-planner.ts'

/** What the sockets need of the rest of the gateway. */
export interface GatewaySocketsOptions {
  /** What clients see. */
  readonly schema: GraphQLSchema
  readonly verifyAccessToken: VerifyAccessToken
  readonly admission: Admission
  /** See readClientAddress. */
  readonly trustedProxies: number
  readonly executor: OperationExecutor
  readonly planner: SubscriptionPlanner
  readonly hub: SubscriptionHub
  readonly connections: Connections
  readonly inFlight: InFlight
  readonly limits: GatewayLimits
  readonly formatError: FormatError
  readonly metrics: GatewayMetrics
  readonly logger: Logger
}

/** What runs behind a Subscribe, made before graphql-ws looks at the operation. */
type Run = () => Promise<FormattedExecutionResult | AsyncGenerator<never>>

interface Extra extends GraphqlSocketExtra {
  readonly session: SocketSession
  /** IP address of the client. */
  readonly address: string
  /** Takes the socket out of those of its address that are nobody's yet. */
  readonly opened: () => void
  /** Takes the socket out of the connections; undefined before connection_init. */
  leave: (() => void) | undefined
  isClosed: boolean
  /** Queries and mutations that were not answered yet, by id, with what to call then. */
  readonly running: Map<string, () => void>
  /** What ends each subscription. */
  readonly following: Set<() => void>
}

type SocketContext = Context<Record<string, unknown>, Extra>

/** Close codes of graphql-transport-ws and RFC 6455 that are said here; graphql-ws says the others. */
const FORBIDDEN = 4403
const TRY_AGAIN_LATER = 1013

/** Longest id that a client may give an operation. */
const MAX_ID_LENGTH = 256

/**
 * Creates the gateway's WebSocket side (graphql-transport-ws): subscriptions, queries and mutations.
 *
 * A bad or expired token at connection_init closes with 4403 Forbidden, as the protocol recommends for refusals during
 * initialisation (4401 is for a Subscribe before it): its clients ask for a new token and try again, while 4401 makes
 * them give up. The token's later expiry closes with 4403 too, unless `refreshSession` ran over the socket, or an
 * operation brought a new token of the same user (`extensions: { authorization: "Bearer …" }`). Whatever is wrong with
 * an operation is answered by an `error` message, or by errors in its result, and never costs the socket.
 */
export function createGatewaySockets(options: GatewaySocketsOptions): GraphqlSockets {
  const { schema, verifyAccessToken, admission, executor, planner, hub, connections, inFlight } = options
  const { trustedProxies, limits, formatError, metrics, logger } = options
  const opening = createOpeningSockets(limits.maxOpeningSocketsPerAddress)

  function prepare(
    extra: Extra,
    id: string,
    payload: SubscribePayload,
    read: AdmittedDocument,
  ): Run | readonly GraphQLError[] {
    const { session, address } = extra
    const { query } = read
    const operationName = payload.operationName ?? undefined
    const variables = payload.variables ?? {}
    if (read.operation.operation !== 'subscription') {
      return () => answer(session, address, { query, operationName, variables }, read)
    }
    const { resumeAfter } = payload.extensions ?? {}
    const call = { operationName, variables, resumeAfter, kept: payload, caller: callerOf(extra) }
    const prepared = prepareSubscription({ planner, admission, connections, limits }, read, call)
    if (!('request' in prepared)) return prepared
    return async () => {
      try {
        return follow(extra, id, prepared)
      } catch (error) {
        prepared.release()
        throw error
      }
    }
  }

  /** The results go past graphql-ws, which would turn each of them into JSON anew for each socket. */
  function follow(
    { session, writer, following }: Extra,
    id: string,
    { request, release }: PreparedSubscription,
  ): AsyncGenerator<never> {
    const head = Buffer.from(`{"id":${JSON.stringify(id).slice(0, -1)}`)
    return createEndSignal(end => {
      const cancel = hub.subscribe(request, {
        get viewer() {
          return session.viewer
        },
        next(batch) {
          // Events often come to several subscriptions of a socket at once.
          if (batch.isWholeTurn && following.size === 1) writer.writeShared(head, batch.nextMessages)
          else for (const { nextTail } of batch.payloads) writer.write(head, nextTail)
        },
        whenWritable: writer.whenWritable,
        end,
      })
      const stop = () => {
        following.delete(stop)
        release()
        cancel()
      }
      following.add(stop)
      return stop
    })
  }

  async function answer(
    session: SocketSession,
    address: string,
    request: Parameters<OperationExecutor['execute']>[0],
    { document, operation }: AdmittedDocument,
  ): Promise<FormattedExecutionResult> {
    const stop = metrics.startOperation('websocket')
    const { viewer } = session
    const caller = identifyCaller(viewer, address)
    try {
      const result = await withDeadline('The operation', limits.requestDeadlineMs, signal =>
        executor.execute(request, createGatewayContext(viewer, randomUUID(), signal, { caller, address })),
      )
      const token = findRenewedToken(document, operation, result.data)
      if (token !== undefined) await renew(session, token)
      return result
    } finally {
      stop()
    }
  }

  /** The answer carries the new tokens, so it is sent whatever becomes of the socket's own renewal. */
  async function renew(session: SocketSession, token: string): Promise<void> {
    try {
      await session.renew(token)
    } catch (error) {
      logger.warn({ err: error }, 'gateway.renewal_failed')
    }
  }

  /** Renews the socket by a token that came with an operation. Rejects with UNAUTHENTICATED or FORBIDDEN. */
  async function renewBy({ session }: Extra, authorization: unknown): Promise<void> {
    const isRenewed = await session.renew(readBearer(authorization))
    if (!isRenewed) throw new AppError('FORBIDDEN', 'A socket keeps the user that it was opened for.')
  }

  function refuse(thrown: unknown): readonly GraphQLError[] {
    if (thrown instanceof GraphQLError) return [thrown]
    const error = toAppError(thrown)
    if (error.code === 'INTERNAL_SERVER_ERROR') logger.error({ err: error.cause }, 'gateway.subscribe_failed')
    return [asGraphqlError(error)]
  }

  /** Runs it, and answers what it throws: a rejection here would close the whole socket. */
  async function run(contextValue: unknown): Promise<never> {
    try {
      return (await (contextValue as Run)()) as never
    } catch (error) {
      return { errors: refuse(error).map(e => formatError(e.toJSON(), e)) } as never
    }
  }

  const server = makeServer<Record<string, unknown>, Extra>({
    connectionInitWaitTimeout: limits.connectionInitTimeoutMs,
    async onConnect(ctx) {
      try {
        const { authorization, Authorization } = ctx.connectionParams ?? {}
        // It may be as large as a message, and would be kept as long as the socket.
        Object.assign(ctx, { connectionParams: undefined })
        const { extra } = ctx
        const { session } = extra
        const viewer = await authenticate(authorization ?? Authorization, verifyAccessToken)
        if (extra.isClosed) return false
        extra.leave = connections.admit(identifyCaller(viewer, extra.address), {
          get viewer() {
            return session.viewer
          },
          end: reason => extra.close(FORBIDDEN, reason),
        })
        session.begin(viewer)
        extra.opened()
        return true
      } catch (thrown) {
        const { code, message } = toAppError(thrown)
        if (code === 'UNAUTHENTICATED' || code === 'FORBIDDEN') ctx.extra.close(FORBIDDEN, message)
        else ctx.extra.close(TRY_AGAIN_LATER, 'Try again')
        return false
      }
    },
    async onSubscribe(ctx, id, payload) {
      try {
        if (inFlight.isDraining) throw new AppError('UNAVAILABLE', 'The server is going away. Try again.')
        if (id.length > MAX_ID_LENGTH)
          throw new AppError('BAD_USER_INPUT', `An operation's id has ${MAX_ID_LENGTH} characters at most.`)
        if (ctx.extra.running.has(id))
          throw new AppError('CONFLICT', 'The operation that had this id before is not over yet.')
        checkRoom(ctx, limits.maxOperationsPerSocket)
        const operationName = payload.operationName ?? undefined
        const reference = readReference(payload)
        const read = admission.admit(reference, operationName, payload.variables, callerOf(ctx.extra))
        if (read === undefined) throw new AppError('BAD_USER_INPUT', 'There is no query.')
        const authorization = payload.extensions?.authorization
        if (authorization !== undefined && authorization !== null) await renewBy(ctx.extra, authorization)
        // Closed meanwhile, or no longer wanted: nobody would let go of what is opened now.
        if (ctx.extra.isClosed || !(id in ctx.subscriptions))
          throw new AppError('UNAVAILABLE', 'The operation was given up.')
        const prepared = prepare(ctx.extra, id, payload, read)
        if (typeof prepared !== 'function') return prepared
        if (read.operation.operation !== 'subscription') {
          const answered = Promise.withResolvers<void>()
          ctx.extra.running.set(id, answered.resolve)
          void inFlight.track(() => answered.promise)
        }
        return { schema, document: read.document, operationName, contextValue: prepared }
      } catch (error) {
        return refuse(error)
      }
    },
    execute: args => run(args.contextValue),
    subscribe: args => run(args.contextValue),
    onNext: (_ctx, _id, _payload, _args, result) => result as FormattedExecutionResult,
    onError: (_ctx, _id, _payload, errors) => errors.map(error => formatError(error.toJSON(), error)),
    onComplete({ extra: { running } }, id) {
      running.get(id)?.()
      running.delete(id)
    },
    onClose({ extra }) {
      extra.isClosed = true
      extra.opened()
      extra.leave?.()
      for (const answered of extra.running.values()) answered()
      // Those whose id was taken again are not all known to graphql-ws.
      for (const stop of [...extra.following]) stop()
      extra.session[Symbol.dispose]()
    },
  })

  return createGraphqlSockets<Extra>({
    server,
    limits,
    logger,
    hasRoom: request => opening.hasRoom(readClientAddress(request, trustedProxies)),
    makeExtra(extra, request) {
      const address = readClientAddress(request, trustedProxies)
      return {
        ...extra,
        address,
        opened: opening.add(address),
        leave: undefined,
        isClosed: false,
        running: new Map(),
        following: new Set(),
        session: createSocketSession({
          verifyAccessToken,
          onExpired: () => extra.close(FORBIDDEN, 'The access token has expired'),
        }),
      }
    },
  })
}

/** graphql-ws has already reserved a place for the operation that is being asked about. */
function checkRoom(ctx: SocketContext, maxOperations: number): void {
  if (Object.keys(ctx.subscriptions).length <= maxOperations) return
  throw createRateError(
    'operationsPerSocket',
    maxOperations,
    0,
    `More than ${maxOperations} operations at once on one socket.`,
  )
}

function callerOf({ session, address }: Extra): string {
  return identifyCaller(session.viewer, address)
}

/** graphql-ws wants a query in every Subscribe; a client that has an id only sends an empty one. */
function readReference({ query, extensions, ...others }: SubscribePayload): DocumentReference {
  return {
    query: query === '' ? undefined : query,
    persistedQuery: extensions?.persistedQuery,
    documentId: 'documentId' in others ? others.documentId : extensions?.documentId,
  }
}
