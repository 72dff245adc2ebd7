import { Counter, Gauge } from 'prom-client'
import type { Metrics } from '../../subgraphs/shared/metrics.ts'

/** What a door counts of presence. */
export type PresenceMetrics = ReturnType<typeof createPresenceMetrics>

/** Registers the metrics of presence; once per registry. */
export function createPresenceMetrics(metrics: Metrics) {
  const registers = [metrics]
  return {
    sessions: new Gauge({
      name: 'nuvion_presence_sessions',
      help: 'Device sessions that this door holds. A saw tooth means that devices cannot stay connected.',
      registers,
    }),
    pending: new Gauge({
      name: 'nuvion_presence_pending_devices',
      help: 'Devices with online or offline transitions that are not in the ingest log yet. Rising means that the log does not take them.',
      registers,
    }),
    appended: new Counter({
      name: 'nuvion_presence_transitions_total',
      help: 'Online and offline transitions that this door appended to the ingest log. A fast rise means that devices flap.',
      labelNames: ['transition'] as const,
      registers,
    }),
    takeOvers: new Counter({
      name: 'nuvion_presence_take_overs_total',
      help: 'Sessions that began while an older one of the same device was online. Rising means connections that die unseen, or a credential used by two devices.',
      registers,
    }),
    swept: new Counter({
      name: 'nuvion_presence_swept_total',
      help: 'Devices that this door took offline because no life sign came in time. Rising means silent devices or crashed doors.',
      registers,
    }),
    revived: new Counter({
      name: 'nuvion_presence_revived_total',
      help: 'Devices that were taken offline while their session lived. Rising means that a door or Redis stalls for longer than the heart-beats allow.',
      registers,
    }),
    restored: new Counter({
      name: 'nuvion_presence_restored_total',
      help: 'Sessions that were written again because Redis had lost them. Rising means that Redis loses data.',
      registers,
    }),
    failures: new Counter({
      name: 'nuvion_presence_failures_total',
      help: 'Rounds of flush, sweep or drain that failed and are tried again. Rising means that Redis or the ingest log is away.',
      registers,
    }),
  }
}
