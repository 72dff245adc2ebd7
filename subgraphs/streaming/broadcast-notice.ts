import type { BroadcastNotice } from '../shared/broadcast-desk.ts'
import type { BroadcastState } from '../shared/media-port.ts'

/** What a device is told of its broadcast. */
export function toNotice({ broadcastId: id, status, problem }: BroadcastState): BroadcastNotice {
  return { id, status, problem }
}
