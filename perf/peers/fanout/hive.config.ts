/** What a subscription looks like to the propagation of headers. */
interface FromClient {
  readonly context?: { readonly connectionParams?: { readonly authorization?: string } }
}

/**
 * Settings of Hive Gateway. What its documentation lets one turn off and the comparison does not need is off; the
 * user's token goes on to the subgraphs, which have to know who asks. Subscriptions are opened at their subgraph over
 * graphql-ws.
 */
export const gatewayConfig = {
  logging: 'warn',
  pollingInterval: 0,
  landingPage: false,
  graphiql: false,
  requestId: false,
  cors: false,
  propagateHeaders: {
    fromClientToSubgraphs: ({ context }: FromClient) => ({
      authorization: context?.connectionParams?.authorization ?? '',
    }),
  },
  transportEntries: {
    '*.http': {
      options: {
        subscriptions: {
          kind: 'ws',
          options: { connectionParams: { authorization: '{context.connectionParams.authorization}' } },
        },
      },
    },
  },
}
