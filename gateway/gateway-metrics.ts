import { Gauge, Histogram } from 'prom-client'
import type { Metrics } from '../subgraphs/shared/metrics.ts'

/** How an operation came. */
export type Transport = 'http' | 'websocket'

/** What the gateway counts. */
export interface GatewayMetrics {
  /** Returns what to call when the operation is answered. */
  startOperation(transport: Transport): () => void
}

/** Registers the gateway's metrics; the readers tell how many WebSockets and event streams are open. */
export function createGatewayMetrics(
  metrics: Metrics,
  { readSockets, readEventStreams }: { readSockets: () => number; readEventStreams: () => number },
): GatewayMetrics {
  const registers = [metrics]
  const seconds = new Histogram({
    name: 'nuvion_gateway_operation_seconds',
    help: 'Time from an operation to its answer. Rising: subgraphs, the database or this process are short of time.',
    labelNames: ['transport'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
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
  new Gauge({
    name: 'nuvion_gateway_event_streams',
    help: 'Subscriptions open now as event streams over HTTP. Rising beside falling sockets: something on the way breaks WebSockets.',
    registers,
    collect() {
      this.set(readEventStreams())
    },
  })
  return {
    startOperation: transport => seconds.startTimer({ transport }),
  }
}
