import type { z } from 'zod'
import type { broadcastStartMessage } from '../../schema/device-message.ts'

/** The device that asks: its own uplink alone. */
export interface BroadcastSender {
  readonly deviceId: string
  readonly spaceId: string
}

/** What a device asks for: the input of the mutation startBroadcast. */
export type BroadcastWish = z.infer<typeof broadcastStartMessage>

/** Where and how a device sends. All but `kind` is null for WebRTC. */
export interface IngestTarget {
  readonly kind: 'RTP' | 'WEBRTC'
  readonly codec: string | null
  readonly ip: string | null
  readonly port: number | null
  readonly rtcpPort: number | null
  readonly payloadType: number | null
  readonly ssrc: number | null
  readonly srtp: Record<string, unknown> | null
  /** WHIP is not offered yet. */
  readonly whipUrl: null
  /** Of the sound beside the picture. */
  readonly audio: Record<string, unknown> | null
}

/** What devices are told of their broadcast. */
export interface BroadcastNotice {
  readonly id: string
  readonly status: 'STARTING' | 'LIVE' | 'STALLED' | 'ENDED'
  /** Why it is not live. */
  readonly problem: { readonly code: string; readonly kind: string; readonly message: string } | null
}

/** Starts and stops the broadcasts of devices. Both reject with a Refusal for what the device can mend. */
export interface BroadcastDesk {
  /** Opens the device's broadcast; one that it has goes on with the new source. */
  start(
    sender: BroadcastSender,
    wish: BroadcastWish,
  ): Promise<{ readonly broadcast: BroadcastNotice; readonly ingest: IngestTarget }>
  /** Ends the device's broadcast. `broadcast` is null when it had none. */
  stop(sender: BroadcastSender): Promise<{ readonly broadcast: BroadcastNotice | null }>
}
