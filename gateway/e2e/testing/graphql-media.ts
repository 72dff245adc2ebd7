import { createClient } from 'graphql-ws'
import { WebSocket } from 'ws'
import type { MediaEvent, MediaPort } from '../../../subgraphs/shared/media-port.ts'
import { graphqlData } from '../../../subgraphs/shared/testkit/graphql-request.ts'

/** Live video as a client has it: calls and news by GraphQL, under the names that media's port gives them. */
export interface GraphqlMedia extends AsyncDisposable {
  /** What the page of a browser calls; sessions have the names that it gives them. */
  readonly port: MediaPort
  /** Id of a session that was opened under this name. */
  idOf(name: string): string
  /** `__typename` of all news so far, with the reason of an end, by the name of the session. */
  newsOf(name: string): readonly string[]
}

const ERRORS = 'userErrors { code message }'
const SESSION = `session { id routerRtpCapabilities transport { id iceParameters iceCandidates dtlsParameters } iceServers } ${ERRORS}`

/** What each call of the port is: mutation, type of its input, what is selected, and what of that is the answer. */
const MUTATIONS: Record<string, readonly [field: string, input: string, selection: string]> = {
  join: ['joinBroadcast', 'JoinBroadcastInput', SESSION],
  publish: ['publishBroadcast', 'PublishBroadcastInput', SESSION],
  connect: ['connectBroadcast', 'ConnectBroadcastInput', `sequence ${ERRORS}`],
  produce: ['produceBroadcast', 'ProduceBroadcastInput', `producerId ${ERRORS}`],
  consume: [
    'consumeBroadcast',
    'ConsumeBroadcastInput',
    `consumers { id producerId kind rtpParameters } ${ERRORS}`,
  ],
  resumeConsumer: ['resumeConsumer', 'ConsumerInput', `sequence ${ERRORS}`],
  restartIce: ['restartIce', 'RestartIceInput', `iceParameters iceServers ${ERRORS}`],
}

const SIGNALING = `subscription ($sessionId: ID!) { signaling(sessionId: $sessionId) { __typename
  ... on ConsumerClosed { consumerId }
  ... on ProducerReplaced { closedConsumerIds consumers { id producerId kind rtpParameters } }
  ... on SessionEnded { reason } } }`

/** Opens the way of a client with this token to the gateway at `url`. */
export function openGraphqlMedia(url: string, token: string): GraphqlMedia {
  const ids = new Map<string, string>()
  const news = new Map<string, string[]>()
  const listeners = new Set<(event: MediaEvent) => void>()
  const sockets = createClient({
    url: `${url.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${token}` },
  })

  function follow(name: string, sessionId: string): void {
    const heard: string[] = []
    news.set(name, heard)
    sockets.subscribe<{ signaling: { __typename: string; reason?: string } }>(
      { query: SIGNALING, variables: { sessionId } },
      {
        next({ data }) {
          if (data == null) return
          const { __typename: type, reason } = data.signaling
          heard.push(reason === undefined ? type : `${type} ${reason}`)
          for (const tell of listeners) tell({ ...data.signaling, type, sessionId: name } as never)
        },
        error: error => heard.push(JSON.stringify(error)),
        complete: () => heard.push('complete'),
      },
    )
  }

  async function call(method: string, given: Record<string, unknown>): Promise<unknown> {
    const [field, type, selection] = MUTATIONS[method] ?? []
    if (field === undefined) throw new TypeError(`Expected a call that the page makes, got ${method}.`)
    const { sessionId: name = '', ...rest } = given as { sessionId?: string }
    const isOpening = method === 'join' || method === 'publish'
    const input = isOpening ? rest : { ...rest, sessionId: ids.get(name) }
    const query = `mutation ($input: ${type}!) { ${field}(input: $input) { ${selection} } }`
    const data = await graphqlData<Record<string, { userErrors: unknown[]; session?: { id: string } }>>(
      url,
      query,
      {
        token,
        variables: { input },
      },
    )
    const payload = data[field]
    if (payload === undefined || payload.userErrors.length > 0) throw new Error(JSON.stringify(payload))
    if (payload.session === undefined) return payload
    ids.set(name, payload.session.id)
    follow(name, payload.session.id)
    return payload.session
  }

  const calls = Object.keys(MUTATIONS).map(method => [
    method,
    (input: Record<string, unknown>) => call(method, input),
  ])
  return {
    port: {
      ...Object.fromEntries(calls),
      listen(listener: (event: MediaEvent) => void) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    } as MediaPort,
    idOf: name => ids.get(name) ?? '',
    newsOf: name => news.get(name) ?? [],
    async [Symbol.asyncDispose]() {
      await sockets.dispose()
    },
  }
}
