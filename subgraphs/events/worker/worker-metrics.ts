import { Counter, Gauge, Histogram } from 'prom-client'
import type { Metrics } from '../../shared/metrics.ts'

/** What the worker counts. */
export type WorkerMetrics = ReturnType<typeof createWorkerMetrics>

/** Registers the metrics of the worker; once per registry. */
export function createWorkerMetrics(metrics: Metrics) {
  const registers = [metrics]
  return {
    sweeps: new Counter({
      name: 'nuvion_worker_retention_sweeps_total',
      help: 'Sweeps of what is older than the retention, by outcome. Rising failed: the database refuses or is away, and tables grow; lost: a worker pauses longer than its lease.',
      labelNames: ['outcome'] as const,
      registers,
    }),
    sweepSeconds: new Histogram({
      name: 'nuvion_worker_retention_sweep_seconds',
      help: 'Time of a sweep. Rising means more rows to delete one by one: many spaces keep their data shorter than the site.',
      buckets: [0.1, 1, 10, 60, 600, 3_600],
      registers,
    }),
    lastSweep: new Gauge({
      name: 'nuvion_worker_retention_last_sweep_timestamp_seconds',
      help: 'When this process ended its last sweep. Older than two hours in every worker: nobody sweeps, and tables grow.',
      registers,
    }),
    droppedPartitions: new Counter({
      name: 'nuvion_worker_partitions_dropped_total',
      help: 'Weeks dropped whole, by table. Rises by one a week; faster means that the retention was made shorter.',
      labelNames: ['table'] as const,
      registers,
    }),
    busyTables: new Counter({
      name: 'nuvion_worker_partitions_left_total',
      help: 'Times that old weeks of a table were left for the next sweep because something used it for long, by table. Rising means that disk space does not come back: look for transactions that stay open.',
      labelNames: ['table'] as const,
      registers,
    }),
    deletedRows: new Counter({
      name: 'nuvion_worker_rows_deleted_total',
      help: 'Rows deleted for spaces that keep them shorter than the site, by table. Rising fast means that such a space has much to delete, which takes long and costs the database.',
      labelNames: ['table'] as const,
      registers,
    }),
  }
}
