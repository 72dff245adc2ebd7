import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { HeaderMap, type HTTPGraphQLRequest, type HTTPGraphQLResponse } from '@apollo/server'
import { GraphQLError } from 'graphql'
import type { Viewer } from '../subgraphs/shared/auth/viewer.ts'
import { withDeadline } from '../subgraphs/shared/deadline.ts'
import { AppError, ERROR_CODES, type ErrorCode, toAppError } from '../subgraphs/shared/errors.ts'
import { readBody } from '../subgraphs/shared/http/read-body.ts'
import type { Logger } from '../subgraphs/shared/logger.ts'
import { authenticate, type VerifyAccessToken } from './authentication.ts'
import { type OperationExecutor, subscriptionsNeedSocket } from './execution/operation-executor.ts'
import { createGatewayContext } from './gateway-context.ts'
import type { GatewayLimits } from './gateway-limits.ts'
import type { GatewayMetrics } from './gateway-metrics.ts'
import type { InFlight } from './in-flight.ts'
import type { Admission } from './limits/admission.ts'
import { identifyCaller } from './limits/caller.ts'
import { readClientAddress } from './limits/client-address.ts'
import { createLimitError } from './limits/limit-error.ts'
import type { DocumentReference } from './limits/persisted-documents.ts'

/** Answers GraphQL over HTTP on a plain `node:http` request. */
export type HandleGraphqlHttp = (request: IncomingMessage, response: ServerResponse) => void

/** Ids that callers may give their requests. */
const REQUEST_ID = /^[\w-]{8,64}$/

/**
 * Creates the HTTP side of `/graphql`: POST of JSON, and GET for queries with a CSRF header, both answered as
 * `application/json` or `application/graphql-response+json` (GraphQL over HTTP draft).
 *
 * Refused before the executor sees it: a body that is too large (413), no JSON (400) or of another type or encoding
 * (415); a batch, a document over its limits (400); a caller without points (429). A bad token is answered with 401,
 * unless the operation makes a session. Past the deadline: 503. `x-request-id` is taken from the request when it has a
 * sensible one, and always answered.
 */
export function createGraphqlHttp({
  executor,
  admission,
  verifyAccessToken,
  trustedProxies,
  inFlight,
  limits,
  metrics,
  logger,
}: {
  executor: OperationExecutor
  admission: Admission
  verifyAccessToken: VerifyAccessToken
  /** See readClientAddress. */
  trustedProxies: number
  inFlight: InFlight
  limits: GatewayLimits
  metrics: GatewayMetrics
  logger: Logger
}): HandleGraphqlHttp {
  async function answer(
    request: IncomingMessage,
    requestId: string,
    signal: AbortSignal,
  ): Promise<HTTPGraphQLResponse> {
    const httpRequest = await readHttpRequest(request, limits.maxBodyBytes, signal)
    return executor.executeHttp(httpRequest, async () => {
      try {
        const { viewer, refusal } = await identify(request.headers.authorization)
        const address = readClientAddress(request, trustedProxies)
        const caller = identifyCaller(viewer, address)
        const { reference, operationName, variables } = readParameters(httpRequest)
        const admitted = admission.admit(reference, operationName, variables, caller)
        if (admitted?.operation.operation === 'subscription') throw subscriptionsNeedSocket()
        if (admitted !== undefined) setQuery(httpRequest, admitted.query)
        return createGatewayContext(viewer, requestId, signal, { refusal, caller, address })
      } catch (thrown) {
        throw asHttpError(thrown, logger)
      }
    })
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

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
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
        signal => answer(request, requestId, signal),
        abort,
      )
      await write(response, answered)
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

  return (request, response) => {
    void inFlight.track(() => handle(request, response))
  }
}

/** An AppError whose status is not that of its code. */
class HttpError extends AppError {
  readonly status: number

  constructor(status: number, code: ErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options)
    this.status = status
  }
}

function statusOf(error: AppError): number {
  return error instanceof HttpError ? error.status : ERROR_CODES[error.code].httpStatus
}

async function readHttpRequest(
  request: IncomingMessage,
  maxBodyBytes: number,
  signal: AbortSignal,
): Promise<HTTPGraphQLRequest> {
  const { method = '', url = '' } = request
  const headers = new HeaderMap()
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  const queryAt = url.indexOf('?')
  const search = queryAt < 0 ? '' : url.slice(queryAt)
  const body = method === 'POST' ? await readJson(request, maxBodyBytes, signal) : undefined
  return { method, headers, search, body }
}

async function readJson(request: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<unknown> {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers
  if (!/^application\/json *(;|$)/i.test(type))
    throw new HttpError(415, 'BAD_USER_INPUT', 'The Content-Type is not application/json.')
  if (encoding !== 'identity') throw new HttpError(415, 'BAD_USER_INPUT', 'The body must not be compressed.')
  const body = await readBody(request, maxBytes, signal)
  try {
    return JSON.parse(body.toString())
  } catch (cause) {
    throw new AppError('BAD_USER_INPUT', 'The body is not JSON.', { cause })
  }
}

interface Parameters {
  readonly reference: DocumentReference
  readonly operationName: string | undefined
  /** As they came; those of a GET are text, which is as long as a URL at most. */
  readonly variables: unknown
}

/**
 * Only what is read before Apollo Server reads the same, and complains about what is malformed. Throws BAD_USER_INPUT
 * for a batch.
 */
function readParameters({ method, body, search }: HTTPGraphQLRequest): Parameters {
  if (method === 'GET') {
    const parameters = new URLSearchParams(search)
    return toParameters({
      ...Object.fromEntries(parameters),
      extensions: parseJson(parameters.get('extensions') ?? ''),
    })
  }
  if (Array.isArray(body))
    throw createLimitError('batch', 1, 'Batches are not taken: send each operation in a request of its own.')
  return toParameters(body)
}

function toParameters(given: unknown): Parameters {
  const { query, operationName, variables, documentId, extensions } = toRecord(given)
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
  return {
    reference: { query: text(query), documentId, persistedQuery: toRecord(extensions).persistedQuery },
    operationName: text(operationName),
    variables,
  }
}

/** Gives Apollo Server the text of a document that came by its id. */
function setQuery(request: HTTPGraphQLRequest, query: string): void {
  if (request.method === 'GET') {
    const parameters = new URLSearchParams(request.search)
    if (parameters.get('query') === query && !parameters.has('extensions')) return
    parameters.set('query', query)
    parameters.delete('extensions')
    request.search = `?${parameters}`
    return
  }
  const body = toRecord(request.body)
  if (body.query === query && body.extensions === undefined) return
  const { persistedQuery, ...extensions } = toRecord(body.extensions)
  request.body = { ...body, query, ...(persistedQuery !== undefined && { extensions }) }
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function asHttpError(thrown: unknown, logger: Logger): GraphQLError {
  if (thrown instanceof GraphQLError) {
    const extensions = { http: { status: 400 }, ...thrown.extensions }
    return new GraphQLError(thrown.message, {
      nodes: thrown.nodes,
      source: thrown.source,
      positions: thrown.positions,
      extensions,
    })
  }
  const error = toAppError(thrown)
  if (error.code === 'INTERNAL_SERVER_ERROR') logger.error({ err: error.cause }, 'gateway.context_failed')
  return new GraphQLError(error.message, {
    extensions: { code: error.code, http: { status: statusOf(error) } },
  })
}

async function write(
  response: ServerResponse,
  { status, headers, body }: HTTPGraphQLResponse,
): Promise<void> {
  if (response.destroyed) return
  for (const [name, value] of headers) response.setHeader(name, value)
  if (body.kind !== 'complete') throw new TypeError(`Expected a complete body, got ${body.kind}.`)
  response.setHeader('content-length', Buffer.byteLength(body.string))
  response.writeHead(status ?? 200).end(body.string)
}

function writeError(response: ServerResponse, error: AppError, { maxBodyBytes }: GatewayLimits): void {
  if (response.destroyed || response.headersSent) return
  const { code, message } = error
  const extensions = code === 'PAYLOAD_TOO_LARGE' ? { code, limit: 'body', max: maxBodyBytes } : { code }
  const body = JSON.stringify({ errors: [{ message, extensions }] })
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.setHeader('content-length', Buffer.byteLength(body))
  response.writeHead(statusOf(error)).end(body)
}
