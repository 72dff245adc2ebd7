import { setTimeout as sleep } from 'node:timers/promises'
import { type ProcessSample, readProcesses } from './process-watch.ts'
import type { ProductUnderTest } from './product-under-test.ts'
import { type MetricValue, parsePrometheusText } from './prometheus-text.ts'
import { openStoreCounters, type StoreSample } from './store-counters.ts'

/** What the product used at one moment. */
export interface ResourceSample extends StoreSample {
  /** On the clock of `Date.now()`. */
  readonly at: number
  readonly processes: readonly ProcessSample[]
  /** Event loop of each group of processes: the p99 and the worst since the last sample, in milliseconds. */
  readonly loops: Readonly<Record<string, { p99Ms: number; maxMs: number }>>
  /** How far the table is behind the door: seconds and entries; null when unknown. */
  readonly ingestLagSeconds: number | null
  readonly ingestLagEntries: number | null
  readonly outboxLagSeconds: number | null
  /** By pool or process: connections in use, open, and callers that wait for one, where the product tells. */
  readonly pools: Readonly<Record<string, number>>
}

/** Samples until it is disposed. */
export interface ResourceWatch extends AsyncDisposable {
  readonly samples: readonly ResourceSample[]
  /** Takes a last sample and ends. */
  stop(): Promise<void>
}

const INTERVAL_MS = 1_000
const SCRAPE_DEADLINE_MS = 3_000

/** Begins to sample once a second; the product's own metrics, which cost it something, every fifth time. */
export async function watchResources(product: ProductUnderTest): Promise<ResourceWatch> {
  const counters = await openStoreCounters(product.stores)
  const samples: ResourceSample[] = []
  const stopping = new AbortController()

  async function sample(isScrape: boolean): Promise<void> {
    const [stores, metrics] = await Promise.all([
      isScrape ? counters.read() : { database: null, redis: null, ingestRedis: null },
      isScrape ? scrape(product.metricsUrl) : [],
    ])
    const processes = product.pid === null ? [] : readProcesses(product.pid)
    samples.push({ at: Date.now(), processes, ...stores, ...readMetrics(metrics) })
  }

  async function run(): Promise<void> {
    for (let nth = 0; !stopping.signal.aborted; nth++) {
      const startedAt = Date.now()
      await sample(nth % 5 === 0)
      const restMs = Math.max(10, INTERVAL_MS - (Date.now() - startedAt))
      await sleep(restMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
    await sample(true)
  }

  const running = run()
  let ending: Promise<void> | undefined
  const stop = () => {
    stopping.abort()
    ending ??= running.finally(() => counters[Symbol.asyncDispose]())
    return ending
  }
  return { samples, stop, [Symbol.asyncDispose]: stop }
}

async function scrape(metricsUrl: string | null): Promise<MetricValue[]> {
  if (metricsUrl === null) return []
  try {
    const response = await fetch(metricsUrl, { signal: AbortSignal.timeout(SCRAPE_DEADLINE_MS) })
    return parsePrometheusText(await response.text())
  } catch {
    return []
  }
}

function readMetrics(metrics: readonly MetricValue[]) {
  const loops: Record<string, { p99Ms: number; maxMs: number }> = {}
  const pools: Record<string, number> = {}
  for (const { name, labels, value } of metrics) {
    const group = (labels.group ?? '').includes('gateway') ? 'front' : (labels.group ?? 'all')
    const of = group.includes('ingest') ? 'back' : group
    loops[of] ??= { p99Ms: Number.NaN, maxMs: Number.NaN }
    const loop = loops[of]
    if (name === 'nodejs_eventloop_lag_p99_seconds') loop.p99Ms = value * 1_000
    if (name === 'nodejs_eventloop_lag_max_seconds') loop.maxMs = value * 1_000
    if (name === 'nuvion_database_pool_connections') pools[`${of} ${labels.state}`] = value
    if (name === 'nuvion_database_pool_waits_total') pools[`${of} waits so far`] = value
  }
  const largest = (wanted: string) => {
    const values = metrics.filter(({ name }) => name === wanted).map(({ value }) => value)
    return values.length === 0 ? null : Math.max(...values)
  }
  return {
    ...{ loops, pools },
    ingestLagSeconds: largest('nuvion_ingest_lag_seconds'),
    ingestLagEntries: largest('nuvion_ingest_lag_entries'),
    outboxLagSeconds: largest('nuvion_ingest_outbox_lag_seconds'),
  }
}
