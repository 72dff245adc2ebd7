import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HTTPGraphQLResponse } from '@apollo/server'
import type { GraphQLError } from 'graphql'
import type { Viewer } from '../subgraphs/shared/auth/viewer.ts'
import { withDeadline } from '../subgraphs/shared/deadline.ts'
import { AppError, toAppError } from '../subgraphs/shared/errors.ts'
import type { SubgraphReply } from '../subgraphs/shared/graphql/subgraph.ts'
import type { Logger } from '../subgraphs/shared/logger.ts'
import { readAcceptedTypes } from './accepted-types.ts'
import { authenticate, type VerifyAccessToken } from './authentication.ts'
import type { FormatError } from './error-format.ts'
import { type OperationExecutor, refuseSubscription } from './execution/operation-executor.ts'
import { createGatewayContext } from './gateway-context.ts'
import type { GatewayLimits } from './gateway-limits.ts'
import type { GatewayMetrics } from './gateway-metrics.ts'
import { createRefusal, writeError, writeEvents, writeJson } from './http-answer.ts'
import { asHttpError } from './http-error.ts'
import { readHttpRequest, readOperation, requireVariables, setQuery } from './http-operation.ts'
import type { InFlight } from './in-flight.ts'
import type { Admission } from './limits/admission.ts'
import { identifyCaller } from './limits/caller.ts'
import { readClientAddress } from './limits/client-address.ts'
import { mayUseCookie, readRefreshCookie, writeRefreshCookie } from './refresh-cookie.ts'
import type { EventStreams } from './subscriptions/event-streams.ts'

/** Answers GraphQL over HTTP on a plain `node:http` request; `onStream` is called when the answer is a stream. */
export type HandleGraphqlHttp = (
  request: IncomingMessage,
  response: ServerResponse,
  onStream?: () => void,
) => void

/** Ids that callers may give their requests. */
const REQUEST_ID = /^[\w-]{8,64}$/

/**
 * Creates the HTTP side of `/graphql`: POST of JSON, and GET for queries and subscriptions with a CSRF header, answered
 * as `application/json` or `application/graphql-response+json` (GraphQL over HTTP draft), or as `text/event-stream`
 * (graphql-sse, distinct connections mode): subscriptions for those who accept it, the rest for those who prefer it. A
 * subscription resumes after the cursor of `Last-Event-ID`, else of `extensions.resumeAfter`.
 *
 * Refused before the executor sees it: a body that is too large (413), no JSON (400) or of another type or encoding
 * (415); a batch, a document over its limits (400); a caller without points (429). A bad token is answered with 401,
 * unless the operation makes a session. Sessions of browsers may live in a cookie: see refresh-cookie.ts. Past the deadline: 503. `x-request-id` is taken from the request when it has a
 * sensible one, and always answered.
 */
export function createGraphqlHttp({
  executor,
  admission,
  streams,
  verifyAccessToken,
  trustedProxies,
  publicUrl,
  inFlight,
  limits,
  formatError,
  metrics,
  logger,
}: {
  executor: OperationExecutor
  admission: Admission
  streams: EventStreams
  verifyAccessToken: VerifyAccessToken
  /** See readClientAddress. */
  trustedProxies: number
  /** See SiteOrigin. */
  publicUrl: string | null
  inFlight: InFlight
  limits: GatewayLimits
  formatError: FormatError
  metrics: GatewayMetrics
  logger: Logger
}): HandleGraphqlHttp {
  const site = { publicUrl, trustedProxies }

  /** Undefined when the response has become a stream. */
  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    signal: AbortSignal,
  ): Promise<HTTPGraphQLResponse | undefined> {
    const httpRequest = await readHttpRequest(request, limits.maxBodyBytes, signal)
    const { takesEvents, prefersEvents } = readAcceptedTypes(request.headers.accept)
    if (prefersEvents) httpRequest.headers.set('accept', 'application/json')
    let reply: SubgraphReply = {}
    let followed: { readonly errors: readonly GraphQLError[] | undefined } | undefined
    const answered = await executor.executeHttp(httpRequest, async () => {
      try {
        const { viewer, refusal } = await identify(request.headers.authorization)
        const address = readClientAddress(request, trustedProxies)
        const caller = identifyCaller(viewer, address)
        const operation = readOperation(httpRequest)
        const { reference, operationName, extensions } = operation
        const admitted = admission.admit(reference, operationName, operation.variables, caller)
        if (admitted?.operation.operation === 'subscription') {
          if (!takesEvents) throw refuseSubscription()
          if (refusal !== null) throw refusal
          const variables = requireVariables(operation)
          const resumeAfter = request.headers['last-event-id'] || extensions.resumeAfter
          const kept = { query: admitted.query, variables }
          const call = { operationName, variables, resumeAfter, kept, caller }
          followed = { errors: streams.follow(response, viewer, admitted, call) }
          // What the executor makes of it is not sent.
          throw refuseSubscription()
        }
        if (admitted !== undefined) setQuery(httpRequest, admitted.query)
        const usesCookie = admitted !== undefined && mayUseCookie(admitted.operation, admitted.document)
        const refreshCookie = usesCookie ? readRefreshCookie(request, site) : undefined
        const context = createGatewayContext(viewer, requestId, signal, {
          refusal,
          caller,
          address,
          refreshCookie,
        })
        if (usesCookie) reply = context.reply
        return context
      } catch (thrown) {
        throw asHttpError(thrown, logger)
      }
    })
    writeRefreshCookie(request, response, reply, site)
    if (followed === undefined) return answered
    return followed.errors && createRefusal(followed.errors.map(error => formatError(error.toJSON(), error)))
  }

  /** A bad token refuses the request only once it is known what it asks for. */
  async function identify(
    authorization: string | undefined,
  ): Promise<{ viewer: Viewer | null; refusal: GraphQLError | null }> {
    try {
      return { viewer: await authenticate(authorization, verifyAccessToken), refusal: null }
    } catch (thrown) {
      if (!(thrown instanceof AppError && thrown.code === 'UNAUTHENTICATED')) throw thrown
      return { viewer: null, refusal: asHttpError(thrown, logger) }
    }
  }

  async function handle(
    request: IncomingMessage,
    response: ServerResponse,
    onStream?: () => void,
  ): Promise<void> {
    const given = String(request.headers['x-request-id'] ?? '')
    const requestId = REQUEST_ID.test(given) ? given : randomUUID()
    const stop = metrics.startOperation('http')
    const abort = new AbortController()
    let isGone = false
    response.once('close', () => {
      isGone = !response.writableFinished
      if (isGone) abort.abort()
    })
    response.setHeader('x-request-id', requestId)
    try {
      const answered = await withDeadline(
        'The request',
        limits.requestDeadlineMs,
        signal => answer(request, response, requestId, signal),
        abort,
      )
      if (answered === undefined) onStream?.()
      else if (readAcceptedTypes(request.headers.accept).prefersEvents) writeEvents(response, answered)
      else writeJson(response, answered)
    } catch (thrown) {
      if (isGone) return
      const error = toAppError(thrown)
      if (error.code === 'INTERNAL_SERVER_ERROR')
        logger.error({ requestId, err: error.cause }, 'gateway.request_failed')
      // The rest of a body that was not read is in the way of the next request.
      if (!request.complete) response.setHeader('connection', 'close')
      writeError(response, error, limits)
    } finally {
      stop()
    }
  }

  return (request, response, onStream) => {
    void inFlight.track(() => handle(request, response, onStream))
  }
}
