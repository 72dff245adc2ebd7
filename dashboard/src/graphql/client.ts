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

let lastKey = 0

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
  const execute = document.definitions.some(one => 'operation' in one && one.operation === 'mutation')
    ? 'executeMutation'
    : 'executeQuery'
  const asked = createRequest(document, variables)
  // Of two requests of one key the second would share the first one's answer, and its being aborted.
  const result = await client[execute](
    { ...asked, key: ++lastKey },
    {
      fetchOptions: { headers: accessToken === null ? {} : { authorization: `Bearer ${accessToken}` } },
      fetch: (input, init) => fetch(input, { ...init, signal: either }),
    },
  ).toPromise()
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
