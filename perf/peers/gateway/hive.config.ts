/** What a request looks like to the propagation of headers. */
interface ClientRequest {
  readonly request?: { readonly headers: { get(name: string): string | null } }
}

/**
 * Settings of Hive Gateway. What its documentation lets one turn off and the comparison does not need is off; the
 * user's token goes on to the subgraphs, which have to know who asks; without it Hive lets requests in flight
 * share one subgraph answer among users.
 */
export const gatewayConfig = {
  logging: 'warn',
  pollingInterval: 0,
  landingPage: false,
  graphiql: false,
  requestId: false,
  cors: false,
  disableWebsockets: true,
  propagateHeaders: {
    fromClientToSubgraphs: ({ request }: ClientRequest) => ({
      authorization: request?.headers.get('authorization') ?? '',
    }),
  },
}
