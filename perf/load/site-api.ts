import { setTimeout as sleep } from 'node:timers/promises'

/** What went wrong with a call of the product's API. */
export class ApiError extends Error {
  /** `extensions.code` of its first error, or that of its first userError; `HTTP` when no GraphQL came back. */
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

const ANSWER_DEADLINE_MS = 30_000

/** One of several answers that say `come again`, and how long to wait. */
const RETRY_MS = 2_000
const RETRIES = 5

/** Asks the product for data. Throws an ApiError for whatever is in `errors`. */
export async function ask<T>(
  url: string,
  token: string | null,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<T> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ query, variables }),
    signal: AbortSignal.timeout(ANSWER_DEADLINE_MS),
  })
  const text = await response.text()
  const answer = parseAnswer<T>(text)
  if (answer === null) throw new ApiError('HTTP', `Status ${response.status}: ${text.slice(0, 300)}`)
  const [error] = answer.errors ?? []
  if (error !== undefined) throw new ApiError(error.extensions?.code ?? 'UNKNOWN', error.message)
  return answer.data
}

/**
 * Calls a mutation that takes one input. Throws an ApiError for its errors and its userErrors alike. `selection` is what
 * is asked for beside these. UNAVAILABLE is tried again.
 */
export async function mutate<T>(
  url: string,
  token: string | null,
  field: string,
  input: Record<string, unknown>,
  selection: string,
): Promise<T> {
  const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`
  const query = `mutation ($input: ${type}!) { ${field}(input: $input) { ${selection} userErrors { code message field } } }`
  for (let attempt = 1; ; attempt++) {
    try {
      const data = await ask<Record<string, T & { userErrors: { code: string; message: string }[] }>>(
        url,
        token,
        query,
        { input },
      )
      const payload = data[field]
      if (payload === undefined) throw new ApiError('HTTP', `${field} was not answered.`)
      const [problem] = payload.userErrors
      if (problem !== undefined) throw new ApiError(problem.code, `${field}: ${problem.message}`)
      return payload
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'UNAVAILABLE' || attempt > RETRIES) throw error
      await sleep(RETRY_MS)
    }
  }
}

/** A session of a person. */
export interface Session {
  readonly accessToken: string
  readonly refreshToken: string
}

/** Signs a person in. */
export async function signIn(url: string, person: { email: string; password: string }): Promise<Session> {
  const { email, password } = person
  return await mutate<Session>(url, null, 'signIn', { email, password }, 'accessToken refreshToken')
}

interface Answer<T> {
  readonly data: T
  readonly errors?: readonly { message: string; extensions?: { code?: string } }[]
}

function parseAnswer<T>(text: string): Answer<T> | null {
  try {
    const answer = JSON.parse(text) as Answer<T>
    return typeof answer === 'object' && answer !== null ? answer : null
  } catch {
    return null
  }
}
