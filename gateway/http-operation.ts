import type { IncomingMessage } from 'node:http'
import { HeaderMap, type HTTPGraphQLRequest } from '@apollo/server'
import { AppError } from '../subgraphs/shared/errors.ts'
import { readBody } from '../subgraphs/shared/http/read-body.ts'
import { HttpError } from './http-error.ts'
import { createLimitError } from './limits/limit-error.ts'
import type { DocumentReference } from './limits/persisted-documents.ts'

/** What a request asks for. */
export interface HttpOperation {
  readonly reference: DocumentReference
  readonly operationName: string | undefined
  /** As they came. */
  readonly variables: unknown
  /** Empty when there are none. */
  readonly extensions: Readonly<Record<string, unknown>>
}

/**
 * Reads a request with its body. Rejects with BAD_USER_INPUT when the body is no JSON (400), or of another type or
 * encoding (415), and with what readBody rejects with.
 */
export async function readHttpRequest(
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

/**
 * Finds the operation of a request. Only what is read before Apollo Server reads the same, and complains about what is
 * malformed. Throws BAD_USER_INPUT for a batch.
 */
export function readOperation({ method, body, search }: HTTPGraphQLRequest): HttpOperation {
  if (method === 'GET') {
    const parameters = new URLSearchParams(search)
    const variables = parameters.get('variables') ?? undefined
    return toOperation({
      ...Object.fromEntries(parameters),
      variables: variables === undefined ? undefined : parseJson(variables, variables),
      extensions: parseJson(parameters.get('extensions') ?? ''),
    })
  }
  if (Array.isArray(body))
    throw createLimitError('batch', 1, 'Batches are not taken: send each operation in a request of its own.')
  return toOperation(body)
}

/** Gives Apollo Server the text of a document that came by its id. */
export function setQuery(request: HTTPGraphQLRequest, query: string): void {
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

/** The variables of an operation that Apollo Server does not see. Throws BAD_USER_INPUT when they are no object. */
export function requireVariables({ variables }: HttpOperation): Record<string, unknown> {
  if (variables === undefined || variables === null) return {}
  if (typeof variables === 'object' && !Array.isArray(variables)) return toRecord(variables)
  throw new AppError('BAD_USER_INPUT', 'The variables are not a JSON object.')
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

function toOperation(given: unknown): HttpOperation {
  const { query, operationName, variables, documentId, extensions: givenExtensions } = toRecord(given)
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
  const extensions = toRecord(givenExtensions)
  return {
    reference: { query: text(query), documentId, persistedQuery: extensions.persistedQuery },
    operationName: text(operationName),
    variables,
    extensions,
  }
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function parseJson(text: string, otherwise?: unknown): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return otherwise
  }
}
