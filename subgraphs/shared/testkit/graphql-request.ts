/** An answer of the gateway over HTTP. */
export interface GraphqlAnswer<T> {
  readonly status: number
  readonly data: T | null
  readonly errors?: readonly { message: string; path?: (string | number)[]; extensions: { code: string } }[]
}

/** POSTs an operation to `<url>/graphql`, as a browser's client would. */
export async function graphqlRequest<T = Record<string, unknown>>(
  url: string,
  query: string,
  options: { variables?: Record<string, unknown>; token?: string } = {},
): Promise<GraphqlAnswer<T>> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json, application/json',
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
    },
    body: JSON.stringify({ query, variables: options.variables }),
    signal: AbortSignal.timeout(20_000),
  })
  return { status: response.status, ...((await response.json()) as Omit<GraphqlAnswer<T>, 'status'>) }
}

/** Like graphqlRequest, but rejects on any error and answers the data alone. */
export async function graphqlData<T>(
  url: string,
  query: string,
  options?: { variables?: Record<string, unknown>; token?: string },
): Promise<T> {
  const { data, errors, status } = await graphqlRequest<T>(url, query, options)
  if (errors !== undefined || data === null) throw new Error(`HTTP ${status}: ${JSON.stringify(errors)}`)
  return data
}

/** Signs in and answers the access token. */
export async function signIn(
  url: string,
  email = 'demo@nuvion.local',
  password = 'nuvion-demo',
): Promise<string> {
  const { signIn } = await graphqlData<{ signIn: { accessToken: string | null; userErrors: unknown[] } }>(
    url,
    `mutation ($input: SignInInput!) { signIn(input: $input) { accessToken userErrors { code message } } }`,
    { variables: { input: { email, password } } },
  )
  if (signIn.accessToken === null) throw new Error(JSON.stringify(signIn.userErrors))
  return signIn.accessToken
}
