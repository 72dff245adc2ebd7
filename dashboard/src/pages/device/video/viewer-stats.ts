/** How a picture arrives, as of the last second. */
export interface ViewerStats {
  readonly width: number
  readonly height: number
  readonly framesPerSecond: number
  readonly kilobitsPerSecond: number
  /** Of the packets of the last second, 0 to 1. */
  readonly lossRatio: number
  readonly jitterMs: number
  /** From the media server to the screen: half a round trip and what waits in the buffer. Null before it is known. */
  readonly latencyMs: number | null
  readonly codec: string | null
  /** udp or tcp. */
  readonly protocol: string | null
}

/** What is counted since the beginning, for the next reading to be compared with. */
interface Counts {
  readonly at: number
  readonly bytes: number
  readonly packets: number
  readonly lost: number
  readonly frames: number
  readonly bufferedS: number
  readonly emitted: number
}

const NOTHING: Counts = { at: 0, bytes: 0, packets: 0, lost: 0, frames: 0, bufferedS: 0, emitted: 0 }

/** Reads reports of a peer connection (W3C webrtc-stats), each compared with the one before. Undefined before the second. */
export function createStatsReader(): (report: RTCStatsReport, nowMs: number) => ViewerStats | undefined {
  let before = NOTHING
  return (report, nowMs) => {
    const entries = [...report.values()]
    const video = entries.find(entry => entry.type === 'inbound-rtp' && entry.kind === 'video')
    if (video === undefined) return undefined
    const pair = entries.find(
      entry => entry.type === 'candidate-pair' && entry.nominated && entry.state === 'succeeded',
    )
    const counts: Counts = {
      at: nowMs,
      bytes: video.bytesReceived ?? 0,
      packets: video.packetsReceived ?? 0,
      lost: Math.max(0, video.packetsLost ?? 0),
      frames: video.framesDecoded ?? 0,
      bufferedS: video.jitterBufferDelay ?? 0,
      emitted: video.jitterBufferEmittedCount ?? 0,
    }
    // A consumer that was replaced counts from nothing.
    const last = counts.bytes >= before.bytes ? before : NOTHING
    before = counts
    if (last === NOTHING) return undefined
    const seconds = Math.max(0.001, (counts.at - last.at) / 1000)
    const packets = counts.packets - last.packets
    const lost = Math.max(0, counts.lost - last.lost)
    const emitted = counts.emitted - last.emitted
    const roundTripS: unknown = pair?.currentRoundTripTime
    return {
      width: video.frameWidth ?? 0,
      height: video.frameHeight ?? 0,
      framesPerSecond: (counts.frames - last.frames) / seconds,
      kilobitsPerSecond: ((counts.bytes - last.bytes) * 8) / 1000 / seconds,
      lossRatio: packets + lost === 0 ? 0 : lost / (packets + lost),
      jitterMs: (video.jitter ?? 0) * 1000,
      latencyMs:
        emitted > 0 && typeof roundTripS === 'number'
          ? ((counts.bufferedS - last.bufferedS) / emitted) * 1000 + roundTripS * 500
          : null,
      codec: report.get(video.codecId ?? '')?.mimeType?.split('/')[1] ?? null,
      protocol: report.get(pair?.localCandidateId ?? '')?.protocol ?? null,
    }
  }
}
