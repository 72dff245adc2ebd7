import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { type CombinedError, createClient, createRequest, fetchExchange } from '@urql/core'
import { RequestError, toRequestError } from './request-error.ts'

/** What a request answered. A field of another subgraph may be null and its reason in `problem`. */
export interface Answer<Data> {
  readonly data: Data
  /** Why something of the data is missing. */
  readonly problem: RequestError | null
}

/** How a request is made. */
export interface RequestOptions {
  readonly signal?: AbortSignal
  /** Milliseconds; 20,000 by default. */
  readonly deadlineMs?: number
}

const DEADLINE_MS = 20_000

const client = createClient({
  url: '/graphql',
  exchanges: [fetchExchange],
  preferGetMethod: false,
  requestPolicy: 'network-only',
})

/** Requests so far. */
let sent = 0

/**
 * Runs a query or a mutation. Rejects with a RequestError when it has no data at all, and with the reason of `signal`
 * when that is aborted.
 */
export async function sendRequest<Data, Variables extends Record<string, unknown>>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  accessToken: string | null,
  { signal, deadlineMs = DEADLINE_MS }: RequestOptions = {},
): Promise<Answer<Data>> {
  const deadline = AbortSignal.timeout(deadlineMs)
  const either = signal === undefined ? deadline : AbortSignal.any([signal, deadline])
  const isMutation = document.definitions.some(one => 'operation' in one && one.operation === 'mutation')
  // A key of its own: urql would let a request share the answer of an equal one, which somebody else may break off.
  const operation = { ...createRequest(document, variables), key: ++sent }
  const context = {
    ...(accessToken !== null && { fetchOptions: { headers: { authorization: `Bearer ${accessToken}` } } }),
    fetch: (input: RequestInfo | URL, init?: RequestInit) => fetch(input, { ...init, signal: either }),
  }
  const result = await client[isMutation ? 'executeMutation' : 'executeQuery'](operation, context).toPromise()
  signal?.throwIfAborted()
  const problem = result.error === undefined ? null : describe(result.error)
  if (result.data == null) throw problem ?? new RequestError('INTERNAL_SERVER_ERROR', 'No answer')
  return { data: result.data, problem }
}

function describe({ graphQLErrors, networkError, response }: CombinedError): RequestError {
  if (graphQLErrors.length > 0) return toRequestError(graphQLErrors)
  const status: unknown = response?.status
  const isBusy = status === 429
  return new RequestError(
    isBusy ? 'RATE_LIMITED' : 'OFFLINE',
    networkError?.message ?? 'The product did not answer.',
    { cause: networkError },
  )
}
