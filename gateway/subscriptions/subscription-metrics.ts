import { Counter, Gauge } from 'prom-client'
import type { Metrics } from '../../subgraphs/shared/metrics.ts'

/** What is counted of subscriptions. */
export interface SubscriptionMetrics {
  /** Adds to the subscriptions that are open. */
  countSubscriptions(change: 1 | -1): void
  /** Adds to the groups that share a stream. */
  countGroups(change: 1 | -1): void
  /** An event was run for a group. */
  countEvent(): void
  /** A subscriber asked for what it has missed. */
  countResumption(): void
  /** A stream of a subgraph was lost and is opened again. */
  countLostStream(): void
}

/** Registers the metrics. */
export function createSubscriptionMetrics(metrics: Metrics): SubscriptionMetrics {
  const registers = [metrics]
  const subscriptions = new Gauge({
    name: 'nuvion_gateway_subscriptions',
    help: 'Subscriptions open now. Rising without more sockets: a client subscribes and does not let go.',
    registers,
  })
  const groups = new Gauge({
    name: 'nuvion_gateway_subscription_groups',
    help: 'Streams open for subscriptions; those of one document, variables and role share one. Rising as fast as the subscriptions: clients put into documents or variables what makes each of them different.',
    registers,
  })
  const events = new Counter({
    name: 'nuvion_gateway_subscription_events_total',
    help: 'Events that were run, once for each group. Rising faster than what devices send: many groups follow one space.',
    registers,
  })
  const resumptions = new Counter({
    name: 'nuvion_gateway_subscription_resumptions_total',
    help: 'Subscribers that asked for what they had missed. Rising: sockets are lost and opened again.',
    registers,
  })
  const lost = new Counter({
    name: 'nuvion_gateway_streams_lost_total',
    help: 'Streams of subgraphs that were lost and opened again. Rising: a subgraph restarts, or the way to it is bad.',
    registers,
  })
  return {
    countSubscriptions: change => subscriptions.inc(change),
    countGroups: change => groups.inc(change),
    countEvent: () => events.inc(),
    countResumption: () => resumptions.inc(),
    countLostStream: () => lost.inc(),
  }
}
