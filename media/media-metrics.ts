import { Counter, Gauge, Histogram } from 'prom-client'
import type { Metrics } from '../subgraphs/shared/metrics.ts'

/** What media counts. */
export type MediaMetrics = ReturnType<typeof createMediaMetrics>

/** Registers media's metrics. */
export function createMediaMetrics(metrics: Metrics) {
  const registers = [metrics]
  return {
    workers: new Gauge({
      name: 'nuvion_media_workers',
      help: 'Workers that run. Fewer than configured: one died and could not be replaced yet.',
      registers,
    }),
    workerDeaths: new Counter({
      name: 'nuvion_media_worker_deaths_total',
      help: 'Workers that ended by themselves, taking their rooms along. Rising: see their log lines and the memory.',
      registers,
    }),
    rooms: new Gauge({
      name: 'nuvion_media_rooms',
      help: 'Broadcasts by status. Rising STALLED: devices or their network fail.',
      labelNames: ['status'] as const,
      registers,
    }),
    sessions: new Gauge({
      name: 'nuvion_media_sessions',
      help: 'Viewers and publishers, one WebRTC transport each. Near the bound, joins are refused.',
      labelNames: ['role'] as const,
      registers,
    }),
    sessionEnds: new Counter({
      name: 'nuvion_media_session_ends_total',
      help: 'Ended sessions by reason. Rising NEVER_CONNECTED: ports or the announced address cannot be reached.',
      labelNames: ['reason'] as const,
      registers,
    }),
    refusals: new Counter({
      name: 'nuvion_media_refusals_total',
      help: 'Calls that failed, by call and code. Rising RATE_LIMITED or UNAVAILABLE: media is full.',
      labelNames: ['call', 'code'] as const,
      registers,
    }),
    callSeconds: new Histogram({
      name: 'nuvion_media_call_seconds',
      help: 'Time that calls of the port take. Rising: the workers are busy.',
      labelNames: ['call'] as const,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers,
    }),
    handshakeSeconds: new Histogram({
      name: 'nuvion_media_handshake_seconds',
      help: 'From joining to the end of the DTLS handshake. Rising: clients are slow, or packets get lost.',
      buckets: [0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 10],
      registers,
    }),
    problems: new Counter({
      name: 'nuvion_media_ingest_problems_total',
      help: 'Problems found with what devices send, by code. Rising: cameras are set up wrong or fall silent.',
      labelNames: ['code'] as const,
      registers,
    }),
    replacements: new Counter({
      name: 'nuvion_media_source_replacements_total',
      help: 'Sources that were replaced under their viewers. Rising: cameras restart.',
      registers,
    }),
    ports: new Gauge({
      name: 'nuvion_media_ports_in_use',
      help: 'Ports on which devices may send. Near the size of NUVION_MEDIA_PORTS, broadcasts are refused.',
      registers,
    }),
  }
}
