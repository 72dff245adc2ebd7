import type { SessionEvent, SessionSnapshot } from '../shared/media-port.ts'
import type { ResolversParentTypes } from './resolver-types.generated.ts'

/** News of a session as the union of the SDL has it. */
export type SignalingEvent = ResolversParentTypes['SignalingEvent']

/** Answers an event of media as the union has it. */
export function toSignalingEvent({ type, seq: sequence, ...told }: SessionEvent): SignalingEvent {
  return { __typename: type, sequence, ...told } as unknown as SignalingEvent
}

/** Answers a snapshot as the union has it. */
export function toSignalingSnapshot(snapshot: SessionSnapshot): SignalingEvent {
  const { seq: sequence, broadcast, isConnected, consumers } = snapshot
  return {
    __typename: 'SignalingSnapshot',
    ...{ sequence, broadcast, isConnected },
    consumers: consumers.map(({ isPaused, layers, score, ...consumer }) => ({
      ...{ consumer, isPaused, layers, score },
    })),
  }
}
