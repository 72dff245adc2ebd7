import { Counter, Gauge, Histogram } from 'prom-client'
import type { Metrics } from '../subgraphs/shared/metrics.ts'

/** How an operation came. */
export type Transport = 'http' | 'websocket'

/** What the gateway counts. */
export interface GatewayMetrics {
  /** Returns what to call when the operation is answered. */
  startOperation(transport: Transport): () => void
  /** Adds to the subscriptions that are open. */
  countSubscriptions(change: 1 | -1): void
  countEvent(): void
}

/** Registers the gateway's metrics; `readSockets` tells how many WebSockets are open. */
export function createGatewayMetrics(metrics: Metrics, readSockets: () => number): GatewayMetrics {
  const registers = [metrics]
  const seconds = new Histogram({
    name: 'nuvion_gateway_operation_seconds',
    help: 'Time from an operation to its answer. Rising: subgraphs, the database or this process are short of time.',
    labelNames: ['transport'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  })
  const subscriptions = new Gauge({
    name: 'nuvion_gateway_subscriptions',
    help: 'Subscriptions open now. Rising without more sockets: a client subscribes and does not let go.',
    registers,
  })
  const events = new Counter({
    name: 'nuvion_gateway_subscription_events_total',
    help: 'Events that were run for a subscriber.',
    registers,
  })
  new Gauge({
    name: 'nuvion_gateway_sockets',
    help: 'GraphQL WebSockets open now.',
    registers,
    collect() {
      this.set(readSockets())
    },
  })
  return {
    startOperation: transport => seconds.startTimer({ transport }),
    countSubscriptions: change => subscriptions.inc(change),
    countEvent: () => events.inc(),
  }
}
