import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { type FormattedExecutionResult, GraphQLError, GraphQLSchema, parse } from 'graphql'
import { makeServer } from 'graphql-ws'
import { INTERNAL_HEADER, type InternalClaims, openInternalCredential } from '../auth/internal-credential.ts'
import { AppError, ERROR_CODES, toAppError } from '../errors.ts'
import { readBody } from '../http/read-body.ts'
import type { Logger } from '../logger.ts'
import { createGraphqlSockets, DEFAULT_SOCKET_LIMITS, type GraphqlSocketExtra } from './graphql-sockets.ts'
import type { Subgraph, SubgraphReply } from './subgraph.ts'
import { createSubgraphExecutor, type SubgraphOperation, type SubgraphResult } from './subgraph-executor.ts'

/** A subgraph as a role of its own, reached by gateways alone. */
export interface SubgraphServer {
  /** Answers `POST /graphql`. */
  handleRequest(request: IncomingMessage, response: ServerResponse): void
  /** Takes over `WS /graphql` (graphql-transport-ws, subscriptions only). */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Closes the sockets with 1001. */
  [Symbol.asyncDispose](): Promise<void>
}

/** Representations of a large page are well below this. */
const MAX_BODY_BYTES = 8_388_608

/** Payload of a Subscribe between roles: `extensions.internal` is the credential of whoever subscribes. */
interface InternalSubscribe {
  readonly query: string
  readonly variables?: Record<string, unknown> | null
  readonly operationName?: string | null
  readonly extensions?: Record<string, unknown> | null
}

/**
 * Creates the server side of a subgraph's role. Requests need a valid internal credential (`secret` is the site's) in
 * the header INTERNAL_HEADER and are answered with 401 otherwise. A socket needs one in `connectionParams.internal`
 * (closed with 4403 otherwise), and every Subscribe one more in `extensions.internal`, which says for whom it is: so a
 * gateway needs one socket for all its viewers.
 */
export function createSubgraphServer({
  subgraph,
  secret,
  logger,
}: {
  subgraph: Subgraph
  secret: string
  logger: Logger
}): SubgraphServer {
  const executor = createSubgraphExecutor(subgraph, { logger })

  async function answer(request: IncomingMessage): Promise<SubgraphResult> {
    const claims = openCredential(secret, request.headers[INTERNAL_HEADER])
    if (request.method !== 'POST') throw new AppError('BAD_USER_INPUT', 'Only POST is answered here.')
    const operation = parseOperation(await readBody(request, MAX_BODY_BYTES))
    const reply: SubgraphReply = {}
    const result = await executor.execute(operation, subgraph.createContext(claims, reply), claims.requestId)
    return reply.refreshCookie === undefined ? result : { ...result, extensions: { reply } }
  }

  const server = makeServer<Record<string, unknown>, GraphqlSocketExtra>({
    onConnect: ctx => {
      try {
        openCredential(secret, ctx.connectionParams?.internal)
        return true
      } catch {
        return false
      }
    },
    onSubscribe(_ctx, _id, payload: InternalSubscribe) {
      try {
        const claims = openCredential(secret, payload.extensions?.internal)
        const { query, variables, operationName } = payload
        const operation = {
          query,
          variables: variables ?? undefined,
          operationName: operationName ?? undefined,
        }
        // graphql-ws looks at the document for the kind of operation and hands the rest to `subscribe`.
        return {
          schema: NO_SCHEMA,
          document: parse(query, { noLocation: true }),
          operationName: operation.operationName,
          contextValue: { operation, claims } satisfies Prepared,
        }
      } catch (error) {
        const { code, message } = toAppError(error)
        return [new GraphQLError(message, { extensions: { code } })]
      }
    },
    execute: () => ({ errors: [new GraphQLError('Only subscriptions run over this socket.')] }),
    subscribe: args => {
      const { operation, claims } = args.contextValue as Prepared
      return executor.subscribe(operation, () => claims) as never
    },
    onNext: (_ctx, _id, _payload, _args, result) => result as FormattedExecutionResult,
  })
  const sockets = createGraphqlSockets({
    server,
    makeExtra: extra => extra,
    limits: { ...DEFAULT_SOCKET_LIMITS, maxMessageBytes: MAX_BODY_BYTES, maxBufferedBytes: 67_108_864 },
    logger,
  })

  return {
    handleRequest(request, response) {
      answer(request).then(
        result => respond(response, 200, result),
        error => {
          const { code, message } = toAppError(error)
          if (code === 'INTERNAL_SERVER_ERROR') logger.error({ err: error }, 'subgraph.request_failed')
          respond(response, ERROR_CODES[code].httpStatus, { errors: [{ message, extensions: { code } }] })
        },
      )
    },
    handleUpgrade: sockets.handleUpgrade,
    [Symbol.asyncDispose]: sockets[Symbol.asyncDispose],
  }
}

interface Prepared {
  readonly operation: SubgraphOperation
  readonly claims: InternalClaims
}

/** graphql-ws wants a schema beside the document; ours is the executor's. */
const NO_SCHEMA = new GraphQLSchema({})

function openCredential(secret: string, sealed: unknown): InternalClaims {
  const claims = typeof sealed === 'string' ? openInternalCredential(secret, sealed) : null
  if (claims === null) throw new AppError('UNAUTHENTICATED', 'This is for roles of the same site only.')
  return claims
}

function parseOperation(body: Buffer): SubgraphOperation {
  let parsed: unknown
  try {
    parsed = JSON.parse(body.toString())
  } catch (cause) {
    throw new AppError('BAD_USER_INPUT', 'The body is not JSON.', { cause })
  }
  if (typeof parsed === 'object' && parsed !== null && 'query' in parsed && typeof parsed.query === 'string')
    return parsed as SubgraphOperation
  throw new AppError('BAD_USER_INPUT', 'The body has no query.')
}

function respond(response: ServerResponse, status: number, result: SubgraphResult): void {
  if (response.destroyed) return
  const body = JSON.stringify(result)
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    .end(body)
}
