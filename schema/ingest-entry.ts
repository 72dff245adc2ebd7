import type { AnomalyMessage, ConnectivityMessage, LogMessage, StateMessage } from './device-message.ts'

/** Number of shards of the ingest log. Fixed for the life of a site: a device's shard never changes. */
export const SHARD_COUNT = 8

/** What every item of the ingest log says. Times are epoch milliseconds. */
interface ItemBase {
  readonly spaceId: string
  readonly deviceId: string
  /** When the door took it. */
  readonly receivedAt: number
}

/** A log on its way to its table; its time is that of `id`. */
export interface LogItem extends ItemBase, Pick<LogMessage, 'level' | 'message' | 'attributes'> {
  readonly kind: 'log'
  readonly id: string
  /** The door replaced the id that the device gave. */
  readonly clockReplaced: boolean
}

/** An occurrence of an anomaly, or word that one is over, on its way to its table; its time is that of `id`. */
export interface AnomalyItem
  extends ItemBase,
    Pick<AnomalyMessage, 'type' | 'severity' | 'message' | 'score' | 'attributes'> {
  readonly kind: 'anomaly'
  readonly id: string
  /** The anomaly is over. */
  readonly cleared: boolean
  /** The door replaced the id that the device gave. */
  readonly clockReplaced: boolean
}

/** What is kept as a row of its own, once per id. */
export type EventItem = LogItem | AnomalyItem

/** A state report; `at` is when the device reported it. */
export interface StateItem extends ItemBase, Pick<StateMessage, 'status' | 'metrics'> {
  readonly kind: 'state'
  readonly at: number
}

/** A connectivity report; `at` is when the device reported it. */
export interface ConnectivityItem
  extends ItemBase,
    Pick<ConnectivityMessage, 'network' | 'signal' | 'latencyMs'> {
  readonly kind: 'connectivity'
  readonly at: number
}

/** A device went online or offline; the time of `id` is its CONNECT or its last life sign. */
export interface PresenceItem extends ItemBase {
  readonly kind: 'presence'
  readonly id: string
  readonly online: boolean
  /** Number of the session, rising per device; a transition of an older one than the last written says nothing. */
  readonly generation: number
}

/** One item of the ingest log. An entry of a shard's stream holds a JSON array of these in its field `v`. */
export type IngestItem = EventItem | StateItem | ConnectivityItem | PresenceItem

/** Shard of a device: FNV-1a over its id, modulo SHARD_COUNT. */
export function shardOf(deviceId: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < deviceId.length; i++) hash = Math.imul(hash ^ deviceId.charCodeAt(i), 0x01000193)
  return (hash >>> 0) % SHARD_COUNT
}

/** An entry of the dead-letter stream. */
export interface DeadLetter {
  /** `MALFORMED`, `CONFLICT` or `POISON`, a colon, and what the decoder or the database said. */
  readonly reason: string
  /** JSON of the IngestItem, or the text of what is none. */
  readonly v: string
}
