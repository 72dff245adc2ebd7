import { Counter, Gauge, Histogram } from 'prom-client'
import type { Metrics } from '../../shared/metrics.ts'

/** What ingest counts. */
export type IngestMetrics = ReturnType<typeof createIngestMetrics>

/** Registers the metrics of ingest; once per registry. */
export function createIngestMetrics(metrics: Metrics) {
  const registers = [metrics]
  /** Seconds by shard and by listener, asked for when the metrics are read: they rise while nothing moves, too. */
  const writerLags = new Map<number, () => number>()
  const outboxLags = new Map<string, () => number>()
  new Gauge({
    name: 'nuvion_ingest_lag_seconds',
    help: 'Age of the oldest entry of a shard that was read and is not yet written; when all are, how old that of the last batch was when it was committed. Rising means that data reach the tables later, or not at all while MySQL is away.',
    labelNames: ['shard'] as const,
    registers,
    collect() {
      this.reset()
      for (const [shard, lag] of writerLags) this.set({ shard }, lag())
    },
  })
  new Gauge({
    name: 'nuvion_ingest_outbox_lag_seconds',
    help: 'Age of the oldest entry that is written and that a listener has not been told of, 0 when there is none. Rising means that this listener fails or is too slow; the tables may be up to date. The ingest log grows meanwhile, and at its bound the doors stop reading devices.',
    labelNames: ['listener'] as const,
    registers,
    collect() {
      for (const [listener, lag] of outboxLags) this.set({ listener }, lag())
    },
  })
  return {
    writerLags,
    outboxLags,
    ownedShards: new Gauge({
      name: 'nuvion_ingest_owned_shards',
      help: 'Shards of the ingest log that this process writes. Rising: another process has left; the sum over all below the number of shards: some are written by nobody.',
      registers,
    }),
    lagEntries: new Gauge({
      name: 'nuvion_ingest_lag_entries',
      help: 'Entries of a shard that are not yet both written and told to all listeners. Rising means that ingest is slower than the devices, or that MySQL, Redis or a listener fails.',
      labelNames: ['shard'] as const,
      registers,
    }),
    batchRows: new Histogram({
      name: 'nuvion_ingest_batch_rows',
      help: 'Items per transaction. Rising means more load; at the limit of a batch the writer is saturated.',
      buckets: [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500],
      registers,
    }),
    batchSeconds: new Histogram({
      name: 'nuvion_ingest_batch_seconds',
      help: 'Time to write a batch, repetitions included. Rising means that MySQL is slower or away.',
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30],
      registers,
    }),
    rows: new Counter({
      name: 'nuvion_ingest_rows_total',
      help: 'Rows inserted or merged, by table. Not rising while devices send means that nothing reaches the tables.',
      labelNames: ['table'] as const,
      registers,
    }),
    duplicates: new Counter({
      name: 'nuvion_ingest_duplicates_total',
      help: 'Logs and anomalies that were in their tables already. Rising means that devices send again: receipts reach them late or not at all.',
      registers,
    }),
    retries: new Counter({
      name: 'nuvion_ingest_retries_total',
      help: 'Repetitions of a step, by why. Rising contention: several writers; healing: MySQL cannot be reached or used; read: the ingest Redis.',
      labelNames: ['reason'] as const,
      registers,
    }),
    dead: new Counter({
      name: 'nuvion_ingest_dead_letters_total',
      help: 'Items moved to the dead-letter stream, by reason. Rising CONFLICT: devices share ids; POISON or MALFORMED: a mistake of ours, look at the stream.',
      labelNames: ['reason'] as const,
      registers,
    }),
    fencesLost: new Counter({
      name: 'nuvion_ingest_fences_lost_total',
      help: 'Batches thrown away because another process had taken a shard. Rising means that processes pause longer than their lease.',
      registers,
    }),
    rereads: new Counter({
      name: 'nuvion_ingest_outbox_rereads_total',
      help: 'Times a listener fell behind and is told from the log. Rising means that it is slow or fails; of the listener live: the live Redis.',
      labelNames: ['listener'] as const,
      registers,
    }),
    deliveryFailures: new Counter({
      name: 'nuvion_ingest_delivery_failures_total',
      help: 'Times that telling a listener failed; the same is tried again. Rising means that what it needs is away; of the listener live: the live Redis.',
      labelNames: ['listener'] as const,
      registers,
    }),
  }
}
