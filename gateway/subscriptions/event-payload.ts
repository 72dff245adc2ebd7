import type { FormattedExecutionResult } from 'graphql'
import { createSharedMessages, type SharedMessages } from '../../subgraphs/shared/graphql/shared-messages.ts'

/**
 * One result of a subscription, ready to be sent to however many get it: turned into JSON once, and into the bytes of
 * each transport once, when the first of them asks.
 */
export interface EventPayload {
  /** Where the event stands in its topic; undefined when its source has no cursors. */
  readonly cursor: string | undefined
  /** Says that events were missed; goes to everyone, wherever they stand. */
  readonly isGap: boolean
  /** The execution result as JSON. */
  readonly json: string
  /** What follows the id in a `next` message of graphql-transport-ws, closing quote of the id included. */
  readonly nextTail: Buffer
  /** The `next` event of graphql-sse. */
  readonly nextEvent: Buffer
}

/** Creates the payload of a result. */
export function createEventPayload(
  result: FormattedExecutionResult,
  cursor?: string,
  isGap = false,
): EventPayload {
  const json = JSON.stringify(result)
  let nextTail: Buffer | undefined
  let nextEvent: Buffer | undefined
  return {
    cursor,
    isGap,
    json,
    get nextTail() {
      nextTail ??= Buffer.from(`","type":"next","payload":${json}}`)
      return nextTail
    },
    get nextEvent() {
      nextEvent ??= createNextEvent(json, cursor)
      return nextEvent
    },
  }
}

/** The `next` event of graphql-sse, of a result as JSON. */
export function createNextEvent(json: string, cursor?: string): Buffer {
  const id = cursor === undefined ? '' : `id: ${cursor}\n`
  return Buffer.from(`event: next\n${id}data: ${json}\n\n`)
}

/** Creates the payload that says that events were missed before `cursor`, and that the client must load anew. */
export function createGapPayload(cursor: string | undefined): EventPayload {
  return createEventPayload(
    { data: null, extensions: { gap: true, ...(cursor && { cursor }) } },
    cursor,
    true,
  )
}

/** Results that leave together, to however many get them. */
export interface EventBatch {
  /** At least one, in order. */
  readonly payloads: readonly EventPayload[]
  /** There is nothing more in this turn of the event loop, so it need not wait for its end. */
  readonly isWholeTurn: boolean
  /** Their `next` messages of graphql-transport-ws, to follow `{"id":"…`. */
  readonly nextMessages: SharedMessages
}

/** Creates a batch. */
export function createEventBatch(payloads: readonly EventPayload[], isWholeTurn = false): EventBatch {
  let nextMessages: SharedMessages | undefined
  return {
    payloads,
    isWholeTurn,
    get nextMessages() {
      nextMessages ??= createSharedMessages(payloads.map(({ nextTail }) => nextTail))
      return nextMessages
    },
  }
}
