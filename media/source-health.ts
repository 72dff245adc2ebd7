import type { types } from 'mediasoup'
import type { BroadcastStats, IngestProblem } from '../subgraphs/shared/media-port.ts'

/** How a source or one of its streams does. */
export interface SourceHealth {
  /** Packets came within the silence that is allowed. */
  readonly isFlowing: boolean
  /** What comes is what was agreed, as far as it has been read. */
  readonly isAsAgreed: boolean
  readonly problem: IngestProblem | null
  readonly stats: BroadcastStats | null
}

/** Packets of a producer's streams so far. */
export function countPackets(stats: readonly types.ProducerStat[]): number {
  return stats.reduce((sum, stat) => sum + stat.packetCount, 0)
}

/** Sums up what a worker knows of a producer's streams (layers); null when it has none. */
export function toBroadcastStats(
  stats: readonly types.ProducerStat[],
  clockRate: number,
): BroadcastStats | null {
  if (stats.length === 0) return null
  return {
    bitrateKbps: Math.round(stats.reduce((sum, stat) => sum + stat.bitrate, 0) / 1000),
    packetLoss: round(Math.max(...stats.map(stat => stat.fractionLost)) / 256),
    jitterMs: round((Math.max(...stats.map(stat => stat.jitter)) / clockRate) * 1000),
    score: Math.max(...stats.map(stat => stat.score)),
  }
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
