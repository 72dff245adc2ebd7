import type { ServerResponse } from 'node:http'
import { HeaderMap, type HTTPGraphQLResponse } from '@apollo/server'
import type { GraphQLFormattedError } from 'graphql'
import type { AppError } from '../subgraphs/shared/errors.ts'
import type { GatewayLimits } from './gateway-limits.ts'
import { statusOf } from './http-error.ts'
import { createNextEvent } from './subscriptions/event-payload.ts'
import { COMPLETE_EVENT, EVENT_STREAM_HEADERS } from './subscriptions/event-stream.ts'

/** Statuses that are about the operation: it will be answered the same when it is sent again. */
const SETTLED = new Set([200, 400, 403])

/** Apollo Server's code for requests that are not as GraphQL over HTTP wants them. */
const MALFORMED = '"code":"BAD_REQUEST"'

/** Writes an answer as it is. */
export function writeJson(
  response: ServerResponse,
  { status = 200, headers, body }: HTTPGraphQLResponse,
): void {
  if (response.destroyed) return
  for (const [name, value] of headers) response.setHeader(name, value)
  if (body.kind !== 'complete') throw new TypeError(`Expected a complete body, got ${body.kind}.`)
  response.setHeader('content-length', Buffer.byteLength(body.string))
  response.writeHead(status).end(body.string)
}

/**
 * Writes an answer as a stream of one `next` and `complete`, where graphql-sse wants it so: also what the operation is
 * refused for, as its clients ask again and again after any status but 200, and never read why. What may succeed the
 * next time (a token, a rate, a server that is away) and what is no GraphQL request keeps its status, and is JSON.
 */
export function writeEvents(response: ServerResponse, answer: HTTPGraphQLResponse): void {
  const { headers, body } = answer
  if (response.destroyed) return
  if (body.kind !== 'complete' || !isSettled(answer)) {
    writeJson(response, answer)
    return
  }
  const events = Buffer.concat([createNextEvent(body.string.trimEnd()), COMPLETE_EVENT])
  for (const [name, value] of headers) response.setHeader(name, value)
  response.setHeader('content-length', events.length)
  response.writeHead(200, EVENT_STREAM_HEADERS).end(events)
}

/** The answer to an operation that is refused. */
export function createRefusal(errors: readonly GraphQLFormattedError[]): HTTPGraphQLResponse {
  return {
    status: 400,
    headers: new HeaderMap([['content-type', 'application/json; charset=utf-8']]),
    body: { kind: 'complete', string: JSON.stringify({ errors }) },
  }
}

/** Answers a request that failed before it was known what it asks for. */
export function writeError(response: ServerResponse, error: AppError, { maxBodyBytes }: GatewayLimits): void {
  if (response.destroyed || response.headersSent) return
  const { code, message } = error
  const extensions = code === 'PAYLOAD_TOO_LARGE' ? { code, limit: 'body', max: maxBodyBytes } : { code }
  const body = JSON.stringify({ errors: [{ message, extensions }] })
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.setHeader('content-length', Buffer.byteLength(body))
  response.writeHead(statusOf(error)).end(body)
}

function isSettled({ status = 200, body }: HTTPGraphQLResponse): boolean {
  const isMalformed = status === 400 && body.kind === 'complete' && body.string.includes(MALFORMED)
  return SETTLED.has(status) && !isMalformed
}
