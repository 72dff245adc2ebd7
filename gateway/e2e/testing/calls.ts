import { createClient } from 'graphql-ws'
import { WebSocket } from 'ws'
import { withDeadline } from '../../../subgraphs/shared/deadline.ts'
import { graphqlRequest } from '../../../subgraphs/shared/testkit/graphql-request.ts'
import type { Outcome } from './rights-of-operations.ts'
import type { Operation } from './sdl-operations.ts'

/** What came of a call. */
export interface Called {
  /** An outcome of the table, or the code of an error that the table knows nothing of. */
  readonly outcome: Outcome | (string & {})
  /** Whether it took effect. */
  readonly isDone: boolean
  /** The answer as it came. */
  readonly text: string
  /** The request as it was sent. */
  readonly request: string
}

interface Answer {
  readonly data?: Record<string, unknown> | null
  readonly errors?: readonly { readonly extensions?: { readonly code?: unknown } }[]
}

/** Calls a query or mutation `Type.field` over HTTP. */
export async function call(
  url: string,
  token: string | undefined,
  operation: Operation,
  name: string,
): Promise<Called> {
  const { query, variables } = operation
  const answer = await graphqlRequest(url, query, token === undefined ? { variables } : { variables, token })
  return read(answer, operation, name)
}

/** Subscribes over a WebSocket until the first message, and ends it. */
export async function subscribeOnce(
  url: string,
  token: string | undefined,
  operation: Operation,
  name: string,
): Promise<Called> {
  const client = createClient({
    url: `${url.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    ...(token === undefined ? {} : { connectionParams: { authorization: `Bearer ${token}` } }),
    retryAttempts: 0,
  })
  const answered = Promise.withResolvers<Answer>()
  const cancel = client.subscribe(
    { ...operation },
    {
      next: result => answered.resolve(result as Answer),
      error: error =>
        Array.isArray(error) ? answered.resolve({ errors: error }) : answered.reject(error as Error),
      complete: () => answered.reject(new Error('The subscription ended without a word.')),
    },
  )
  try {
    return read(await withDeadline(`The answer to ${name}`, 10_000, () => answered.promise), operation, name)
  } finally {
    cancel()
    await client.dispose()
  }
}

function read(answer: Answer, operation: Operation, name: string): Called {
  const { outcome, isDone } = judge(answer, name.split('.')[1] ?? '')
  return { outcome, isDone, text: JSON.stringify(answer), request: JSON.stringify(operation) }
}

function judge({ data, errors = [] }: Answer, field: string): Pick<Called, 'outcome' | 'isDone'> {
  const [error] = errors
  if (error !== undefined) return { outcome: String(error.extensions?.code), isDone: false }
  const value = data?.[field] as { userErrors?: { code: string }[] } | null | undefined
  if (value === null || value === undefined) return { outcome: 'NOT_FOUND', isDone: false }
  const codes = (value.userErrors ?? []).map(({ code }) => code)
  const told = codes.find(code => code === 'NOT_FOUND' || code === 'EMAIL_NOT_VERIFIED')
  return { outcome: told ?? 'allowed', isDone: codes.length === 0 }
}

/**
 * Subscribes over one WebSocket to some operations, then to a plain one, and waits for `count` messages of that. Answers
 * the data that each of the others has had by then.
 */
export async function followUntil(
  url: string,
  token: string | undefined,
  operations: readonly Operation[],
  plain: Operation,
  count: number,
): Promise<string[][]> {
  const client = createClient({
    url: `${url.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${token}` },
    retryAttempts: 0,
  })
  const heard = operations.map((): string[] => [])
  const heardEnough = Promise.withResolvers<void>()
  for (const [i, operation] of operations.entries()) {
    client.subscribe(
      { ...operation },
      {
        next: ({ data }) => (data ? heard[i]?.push(JSON.stringify(data)) : undefined),
        error: error => (Array.isArray(error) ? undefined : heardEnough.reject(error)),
        complete: () => {},
      },
    )
  }
  let left = count
  client.subscribe(
    { ...plain },
    {
      next: () => (--left === 0 ? heardEnough.resolve() : undefined),
      error: error => heardEnough.reject(new Error(JSON.stringify(error))),
      complete: () => {},
    },
  )
  try {
    await withDeadline('What the plain subscription hears', 10_000, () => heardEnough.promise)
    return heard
  } finally {
    await client.dispose()
  }
}
