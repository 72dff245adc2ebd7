import type { ServerResponse } from 'node:http'
import { GraphQLError } from 'graphql'
import type { Viewer } from '../../subgraphs/shared/auth/viewer.ts'
import { AppError } from '../../subgraphs/shared/errors.ts'
import type { Logger } from '../../subgraphs/shared/logger.ts'
import type { VerifyAccessToken } from '../authentication.ts'
import type { FormatError } from '../error-format.ts'
import type { GatewayLimits } from '../gateway-limits.ts'
import type { InFlight } from '../in-flight.ts'
import type { Admission, AdmittedDocument } from '../limits/admission.ts'
import type { Connections } from './connections.ts'
import { createEventPayload } from './event-payload.ts'
import { openEventStream } from './event-stream.ts'
import {
  type PreparedSubscription,
  prepareSubscription,
  type SubscriptionCall,
} from './prepare-subscription.ts'
import { createSocketSession } from './socket-session.ts'
import type { SubscriptionHub } from './subscription-hub.ts'
import type { SubscriptionPlanner } from './subscription-planner.ts'

/** Subscriptions of HTTP clients: each is a response of its own (graphql-sse, distinct connections mode). */
export interface EventStreams {
  /**
   * Follows a subscription on a response: `next` events until it ends, then `complete`. Answers the GraphQLErrors that
   * forbid it instead, if there are any.
   *
   * When the viewer's token expires, their session ends or their rights are lost, a last `next` says so before it. The
   * caller has one connection more as long as the stream is open.
   *
   * Throws, before anything is written: what prepareSubscription throws, RATE_LIMITED when the caller has too many
   * connections, UNAVAILABLE when the gateway has too many streams or is going away, BAD_USER_INPUT for a bad cursor and
   * for a request that was sent before the last one on its connection was answered.
   */
  follow(
    response: ServerResponse,
    viewer: Viewer | null,
    read: AdmittedDocument,
    call: SubscriptionCall,
  ): readonly GraphQLError[] | undefined
  /** Streams open now. */
  readonly size: number
  /** Ends all streams without `complete`, so that their clients come again elsewhere and resume; cuts them after 2 s. */
  [Symbol.asyncDispose](): Promise<void>
}

/** Creates the streams of a gateway. */
export function createEventStreams({
  admission,
  planner,
  hub,
  connections,
  verifyAccessToken,
  inFlight,
  limits,
  formatError,
  logger,
}: {
  admission: Admission
  planner: SubscriptionPlanner
  hub: SubscriptionHub
  connections: Connections
  verifyAccessToken: VerifyAccessToken
  inFlight: InFlight
  limits: GatewayLimits
  formatError: FormatError
  logger: Logger
}): EventStreams {
  const streams = new Set<{ breakOff(): Promise<void> }>()

  function checkRoom(response: ServerResponse): void {
    // Nobody would be told when the connection closes.
    if (response.socket === null || response.destroyed)
      throw new AppError('BAD_USER_INPUT', 'A stream cannot wait behind other answers of its connection.')
    if (response.headersSent) throw new AppError('UNAVAILABLE', 'The request took too long.')
    if (inFlight.isDraining) throw new AppError('UNAVAILABLE', 'The server is going away. Try again.')
    if (streams.size >= limits.maxEventStreams)
      throw new AppError('UNAVAILABLE', 'There are too many event streams here. Try again.')
  }

  function open(
    response: ServerResponse,
    viewer: Viewer | null,
    { request, release }: PreparedSubscription,
    caller: string,
  ): void {
    const closed = Promise.withResolvers<void>()
    const session = createSocketSession({
      verifyAccessToken,
      onExpired: () => end(createSessionError('The access token has expired.')),
    })
    const leave = connections.admit(caller, {
      viewer,
      end: reason => end(createSessionError(`${reason}.`)),
    })
    let cancel: () => void
    try {
      cancel = hub.subscribe(request, {
        viewer,
        next({ payloads }) {
          for (const payload of payloads) stream.next(payload)
        },
        whenWritable: () => stream.whenWritable(),
        end,
      })
    } catch (error) {
      leave()
      throw error
    }
    const stream = openEventStream({
      response,
      limits,
      onOverflow() {
        letGo()
        logger.warn({ requestId: response.getHeader('x-request-id') }, 'gateway.event_stream_too_slow')
      },
      onClose() {
        letGo()
        leave()
        streams.delete(entry)
        closed.resolve()
      },
    })
    const entry = {
      breakOff() {
        letGo()
        stream.breakOff()
        return closed.promise
      },
    }
    streams.add(entry)
    session.begin(viewer)

    function letGo(): void {
      session[Symbol.dispose]()
      cancel()
      release()
    }

    function end(error?: GraphQLError): void {
      letGo()
      if (error !== undefined)
        stream.next(createEventPayload({ errors: [formatError(error.toJSON(), error)] }))
      stream.complete()
    }
  }

  return {
    follow(response, viewer, read, call) {
      checkRoom(response)
      const prepared = prepareSubscription({ planner, admission, connections, limits }, read, call)
      if (!('request' in prepared)) return prepared
      try {
        open(response, viewer, prepared, call.caller)
      } catch (error) {
        prepared.release()
        throw error
      }
    },
    get size() {
      return streams.size
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...streams].map(stream => stream.breakOff()))
    },
  }
}

/** What the client of a stream is told whose token is no good any more: there is no new one for a stream. */
function createSessionError(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'UNAUTHENTICATED' } })
}
