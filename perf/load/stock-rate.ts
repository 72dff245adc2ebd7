import type { CpuPins } from '../runner/cpu-pins.ts'
import { installPerfPackages, PEERS } from '../runner/perf-packages.ts'
import { startProgram } from '../runner/program.ts'
import { summarise } from '../runner/statistics.ts'
import { bisect } from './bisection.ts'
import { mergeHistograms } from './histogram.ts'
import { startQueryGenerator } from './query-generator.ts'
import type { QueryOperation } from './query-operations.ts'
import { QUERY_KINDS, type Workload } from './workload.ts'

/** Largest rates of the same query on the same schema, rows and resolvers, behind our gateway and a stock one. */
export interface StockRates {
  /** Ours ÷ theirs, of the medians of the rounds. */
  readonly ratio: number
  readonly ours: readonly number[]
  readonly stock: readonly number[]
  readonly reasons: readonly string[]
}

/** What the peers' site tells: see perf/peers/gateway/site.ts. */
interface Site {
  readonly tokens: readonly string[]
  readonly body: string
}

const WARM_UP_MS = 4_000
const MAX_RATE = 4_000
const SEARCH = { from: 200, max: MAX_RATE, ratio: 1.05, step: 10 }

/** Past this share of its CPU the generator decides. */
const MAX_GENERATOR_SHARE = 0.8

/**
 * Searches for the largest open-loop rate whose p99 is within a limit and without errors: our gateway and ApolloGateway on
 * Apollo Server (perf/peers/gateway), one after the other, each on the measured CPU by itself, rows from MariaDB, which
 * with the generator has the other CPU.
 */
export async function measureStockRates(options: {
  readonly root: string
  readonly pins: CpuPins
  readonly rounds: number
  readonly stepMs: number
  readonly maxP99Ms: number
  readonly progress: (message: string) => void
}): Promise<StockRates> {
  const { root, pins, rounds, stepMs, maxP99Ms, progress } = options
  await installPerfPackages(root, PEERS, progress)
  const file = (name: string) => new URL(`../peers/gateway/${name}.ts`, import.meta.url)
  await using site = await startProgram<Site>({ name: 'site', file: file('site'), cpu: pins.around })
  await using generator = await startQueryGenerator({ cpu: pins.around })
  generator.setTokens(site.ready.tokens)
  const reasons = new Set<string>()
  const rates: Record<'ours' | 'stock', number[]> = { ours: [], stock: [] }
  const { query, variables } = JSON.parse(site.ready.body) as Pick<QueryOperation, 'query' | 'variables'>
  const operation: QueryOperation = { kind: 'logs', query, variables, field: 'logs' }
  const operations = Object.fromEntries(QUERY_KINDS.map(kind => [kind, [operation]])) as never

  async function holds(url: string, who: string, rate: number): Promise<boolean> {
    const steady = { from: 1, to: 1 }
    const workload: Pick<Workload, 'stages' | 'queryRate' | 'queryShares'> = {
      queryRate: rate,
      queryShares: { dashboard: 0, logs: 1, anomalies: 0, reports: 0 },
      stages: [
        { name: 'warm-up', durationMs: WARM_UP_MS, ...steady, isMeasured: false },
        { name: 'measure', durationMs: stepMs, ...steady, isMeasured: true },
      ],
    }
    const { windows, cpuMs } = await generator.run({ url, workload, operations, startAt: Date.now() + 200 })
    const measured = windows.filter(({ isMeasured }) => isMeasured)
    const latencies = mergeHistograms(measured.map(({ latencies }) => latencies.logs))
    const failed = measured.reduce((sum, window) => sum + window.failed + window.dropped, 0)
    const held = failed === 0 && latencies.quantile(0.99) <= maxP99Ms
    const share = cpuMs / (WARM_UP_MS + stepMs)
    progress(
      `${who} at ${rate}/s: p99 ${latencies.quantile(0.99).toFixed(1)} ms, ${failed} failed, generator ${(share * 100).toFixed(0)} %`,
    )
    if (!held && share > MAX_GENERATOR_SHARE)
      reasons.add(`${who} at ${rate}/s: the generator used ${(share * 100).toFixed(0)} % of its CPU.`)
    return held
  }

  for (let round = 0; round < rounds; round++)
    for (const who of round % 2 === 0 ? (['ours', 'stock'] as const) : (['stock', 'ours'] as const)) {
      await using program = await startProgram<{ url: string }>({
        ...{ name: who, file: file(who), cpu: pins.measured },
        options: { site: site.ready, rows: 'database', subgraphsUrl: null },
      })
      const { largest } = await bisect({ ...SEARCH, holds: rate => holds(program.ready.url, who, rate) })
      rates[who].push(largest)
    }
  const ratio = summarise(rates.ours).median / summarise(rates.stock).median
  return { ratio, ...rates, reasons: [...reasons] }
}
