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
import type { DocumentReader } from './execution/document-reader.ts'
import { type OperationExecutor, subscriptionsNeedSocket } from './execution/operation-executor.ts'
import { createGatewayContext } from './gateway-context.ts'
import type { GatewayLimits } from './gateway-limits.ts'
import type { GatewayMetrics } from './gateway-metrics.ts'
import type { InFlight } from './in-flight.ts'

/** Answers GraphQL over HTTP on a plain `node:http` request. */
export type HandleGraphqlHttp = (request: IncomingMessage, response: ServerResponse) => void

/** Ids that callers may give their requests. */
const REQUEST_ID = /^[\w-]{8,64}$/

/**
 * Creates the HTTP side of `/graphql`: POST of JSON, and GET for queries with a CSRF header, both answered as
 * `application/json` or `application/graphql-response+json` (GraphQL over HTTP draft).
 *
 * Refused before the executor sees it: a body that is too large (413), no JSON (400) or of another type or encoding
 * (415); a document over its limits (400). A bad token is answered with 401, unless the operation makes a session. Past the deadline: 503. `x-request-id` is taken from the
 * request when it has a sensible one, and always answered.
 */
export function createGraphqlHttp({
  executor,
  reader,
  verifyAccessToken,
  inFlight,
  limits,
  metrics,
  logger,
}: {
  executor: OperationExecutor
  reader: DocumentReader
  verifyAccessToken: VerifyAccessToken
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
        checkDocument(readParameters(httpRequest), reader)
        const { viewer, refusal } = await identify(request.headers.authorization)
        return createGatewayContext(viewer, requestId, signal, refusal)
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
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    response.setHeader('x-request-id', requestId)
    try {
      const answered = await withDeadline('The request', limits.requestDeadlineMs, signal =>
        answer(request, requestId, AbortSignal.any([signal, gone.signal])),
      )
      await write(response, answered)
    } catch (thrown) {
      if (gone.signal.aborted) return
      const error = toAppError(thrown)
      if (error.code === 'INTERNAL_SERVER_ERROR')
        logger.error({ requestId, err: error.cause }, 'gateway.request_failed')
      // The rest of a body that was not read is in the way of the next request.
      if (!request.complete) response.setHeader('connection', 'close')
      writeError(response, statusOf(error), error)
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
  readonly query: string | undefined
  readonly operationName: string | undefined
}

/** Only what is read before Apollo Server reads the same, and complains about what is malformed. */
function readParameters({ method, body, search }: HTTPGraphQLRequest): Parameters {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
  if (method === 'GET') {
    const parameters = new URLSearchParams(search)
    return { query: text(parameters.get('query')), operationName: text(parameters.get('operationName')) }
  }
  if (typeof body !== 'object' || body === null) return { query: undefined, operationName: undefined }
  const { query, operationName } = body as Record<string, unknown>
  return { query: text(query), operationName: text(operationName) }
}

/** A persisted document comes without its text; it was checked when it was registered. */
function checkDocument({ query, operationName }: Parameters, reader: DocumentReader): void {
  if (query === undefined) return
  const { operation } = reader.read(query, operationName)
  if (operation.operation === 'subscription') throw subscriptionsNeedSocket()
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

function writeError(response: ServerResponse, status: number, { code, message }: AppError): void {
  if (response.destroyed || response.headersSent) return
  const body = JSON.stringify({ errors: [{ message, extensions: { code } }] })
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.setHeader('content-length', Buffer.byteLength(body))
  response.writeHead(status).end(body)
}
