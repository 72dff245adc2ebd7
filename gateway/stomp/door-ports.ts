import type { DeviceQueue } from '../../schema/device-message.ts'
import type { IngestItem } from '../../schema/ingest-entry.ts'
import type { DeviceIdentity } from '../../subgraphs/shared/device-directory.ts'

/** Where accepted items go: the ingest log. */
export interface IngestAppender {
  /**
   * Appends items, in order, and resolves once they are durable; successive calls for one device keep their order.
   * Rejects with UNAVAILABLE when the log cannot be reached or is late.
   */
  append(items: readonly IngestItem[]): Promise<void>
}

/** Who is online. Generations number a device's sessions and rise over all doors. Times are epoch milliseconds. */
export interface PresenceRegistry {
  /**
   * Begins a session: bumps the generation and marks the device online. The device goes offline by itself when no
   * life sign comes for `toleranceMs`; 0 = never. When another door held the session, the registry sends it a
   * take-over. Rejects with UNAVAILABLE when the registry cannot be reached or is late.
   */
  connect(device: DeviceIdentity, at: number, toleranceMs: number): Promise<{ generation: number }>
  /** A life sign; cheap, coalesced, flushed once per second by the registry. Ignored for an older generation. */
  touch(deviceId: string, generation: number, at: number): void
  /** The session has ended; goes offline dated `at` (last life sign) unless a newer generation exists. */
  disconnect(deviceId: string, generation: number, at: number): Promise<void>
  /** While the door does not read, its devices' deadlines do not run. */
  suspend(): void
  /** The door reads again: deadlines run anew from now. */
  resume(): void
}

/** A message to a device whose session this door holds, or the news that the session is another door's now. */
export type DoorMessage =
  | {
      readonly kind: 'queue'
      readonly deviceId: string
      readonly queue: DeviceQueue
      readonly body: unknown
      readonly correlationId?: string
    }
  /** A session of `generation` began elsewhere: older ones of the device end here. */
  | { readonly kind: 'take-over'; readonly deviceId: string; readonly generation: number }

/** What other parts send to the devices of this door. */
export interface DeviceMailboxReader {
  /** Calls `deliver` for each message to a device of this door, in order of arrival; called once, at the start. */
  onMessage(deliver: (message: DoorMessage) => void): void
}

/** Whether the ingest log is near its bound in bytes: while high, the door does not read its sockets. */
export interface LogPressure {
  readonly isHigh: boolean
  /** Calls `listener` on each change, also when the log cannot be measured (high). */
  onChange(listener: (isHigh: boolean) => void): void
}
