import type { BroadcastState } from '../shared/media-port.ts'

/** A broadcast as media, Redis and the live topic have it. */
export type BroadcastParent = BroadcastState

/** How media arrives. */
export interface BroadcastIngestParent {
  readonly kind: BroadcastState['kind']
}

/** A device as this subgraph knows it; with its broadcast where an event has told that. */
export interface DeviceParent {
  readonly id: string
  /** What is not told is looked up. */
  readonly toldBroadcast?: BroadcastState
}
