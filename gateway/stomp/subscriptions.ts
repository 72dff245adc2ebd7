import { DEVICE_QUEUES, type DeviceQueue } from '../../schema/device-message.ts'
import { asWritten, ProtocolError, type StompFrame, type StompVersion, serializeFrame } from './frame.ts'

const ACK_MODES = ['auto', 'client', 'client-individual']
const MAX_SUBSCRIPTIONS = 16

interface DeviceSubscription {
  /** Header `id` as the client wrote it; undefined where 1.0 goes without. */
  readonly id: string | undefined
  readonly queue: DeviceQueue
  /** The client will ACK or NACK each message. */
  readonly isAcknowledged: boolean
}

/** Subscriptions of a session. Methods throw ProtocolError where a frame breaks the protocol. */
export interface Subscriptions {
  add(frame: StompFrame): void
  /** Takes a subscription away; one that is not there is no mistake. */
  remove(frame: StompFrame): void
  /** Checks that an ACK or NACK names a message that can have been sent. */
  checkAcknowledgement(frame: StompFrame): void
  /** MESSAGE frames with `body` as JSON, one for each subscription of the queue. */
  messagesTo(queue: DeviceQueue, body: unknown, correlation: Correlation): readonly string[]
}

/** What a message answers: the frame's id as a device wrote it (`echoed`), or one of our own. */
export interface Correlation {
  readonly id?: string | undefined
  readonly echoed?: string | undefined
}

/** Creates the subscriptions of a session: only to its own queues, at most 16. */
export function createSubscriptions(version: StompVersion): Subscriptions {
  const byKey = new Map<string, DeviceSubscription>()
  let sentMessages = 0

  function keyOf(frame: StompFrame): string {
    const id = frame.headers.get('id')
    if (id !== undefined) return `id:${id}`
    if (version !== '1.0') throw new ProtocolError(`${frame.command} needs the header id.`)
    const destination = frame.headers.get('destination')
    if (destination === undefined)
      throw new ProtocolError(`${frame.command} needs the header id or destination.`)
    return `destination:${destination}`
  }

  return {
    add(frame) {
      const destination = frame.headers.get('destination')
      const queue = DEVICE_QUEUES.find(name => name === destination)
      if (queue === undefined)
        throw new ProtocolError(`A device may SUBSCRIBE only to ${DEVICE_QUEUES.join(', ')}.`, 'FORBIDDEN')
      const ack = frame.headers.get('ack') ?? 'auto'
      if (!ACK_MODES.includes(ack)) throw new ProtocolError(`ack must be one of ${ACK_MODES.join(', ')}.`)
      const key = keyOf(frame)
      if (byKey.has(key)) throw new ProtocolError('There is a subscription of this id already.')
      if (byKey.size >= MAX_SUBSCRIPTIONS)
        throw new ProtocolError(`A session may have at most ${MAX_SUBSCRIPTIONS} subscriptions.`)
      byKey.set(key, { id: asWritten(frame, 'id'), queue, isAcknowledged: ack !== 'auto' })
    },

    remove(frame) {
      byKey.delete(keyOf(frame))
    },

    checkAcknowledgement(frame) {
      if (frame.command === 'NACK' && version === '1.0') throw new ProtocolError('STOMP 1.0 has no NACK.')
      const name = version === '1.2' ? 'id' : 'message-id'
      const value = frame.headers.get(name)
      if (value === undefined) throw new ProtocolError(`${frame.command} needs the header ${name}.`)
      if (version === '1.1' && !byKey.has(`id:${frame.headers.get('subscription') ?? ''}`))
        throw new ProtocolError(`${frame.command} names no subscription of this session.`)
      if (!/^[1-9]\d{0,14}$/.test(value) || Number(value) > sentMessages)
        throw new ProtocolError(`${frame.command} names no message of this session.`)
    },

    messagesTo(queue, body, { id: correlationId, echoed }) {
      const frames: string[] = []
      let text: string | undefined
      for (const { id, queue: subscribed, isAcknowledged } of byKey.values()) {
        if (subscribed !== queue) continue
        text ??= JSON.stringify(body) ?? 'null'
        const messageId = String(++sentMessages)
        const headers = {
          'message-id': messageId,
          destination: queue,
          ack: isAcknowledged && version === '1.2' ? messageId : undefined,
          'content-type': 'application/json',
          'correlation-id': correlationId,
        }
        const written = { subscription: id, 'correlation-id': echoed }
        frames.push(serializeFrame('MESSAGE', headers, text, version, written))
      }
      return frames
    },
  }
}
