import { createCheck } from '../runner/check.ts'
import { bisect } from './bisection.ts'
import type { LoadSite } from './load-site.ts'
import type { Outcome } from './outcome.ts'
import { describeRun, describeSite, runSuite, type SuiteRun } from './run-suite.ts'
import { measureStockRates } from './stock-rate.ts'
import type { LoadSuite, Workload } from './workload.ts'

/** What holds: the target of the seed's second write-up. */
const MAX_P99_MS = 100
const MIN_SCALE = 10
const MIN_VS_STOCK = 3

interface Times {
  readonly warmUpMs: number
  readonly stepMs: number
  readonly rateStepMs: number
  readonly stockRounds: number
}
const TIMES: Times = { warmUpMs: 10_000, stepMs: 60_000, rateStepMs: 30_000, stockRounds: 3 }
const QUICK_TIMES: Times = { warmUpMs: 3_000, stepMs: 10_000, rateStepMs: 8_000, stockRounds: 1 }

const MAX_RATE = 4_000

/** How far a step that did not stand its hold is gone back. */
const STEP_BACK = 0.9
const MAX_HOLDS = 4

/**
 * `capacity`: the largest scale of `mixed` that holds, its top step held for `--hold` seconds; the largest rate of queries;
 * and the same of a fixed query against a stock gateway.
 */
export async function runCapacity(site: LoadSite): Promise<Outcome> {
  const { flags, progress, root, pins } = site
  const times = flags.isQuick ? QUICK_TIMES : TIMES
  const runs: SuiteRun[] = []
  const reasons = new Set<string>()
  const tries: object[] = []
  const step = async (suite: LoadSuite, level: number, ms: number): Promise<boolean> => {
    const isRate = suite === 'query-only'
    const shape = (workload: Workload): Workload => ({
      ...workload,
      ...(isRate ? { queryRate: level } : {}),
      stages: [
        { name: 'warm-up', durationMs: times.warmUpMs, from: 1, to: 1, isMeasured: false },
        { name: 'measure', durationMs: ms, from: 1, to: 1, isMeasured: true },
      ],
    })
    progress(`${suite} at ${isRate ? `${level} queries a second` : `scale ${level}`}, ${ms / 1_000} s`)
    const run = await runSuite(site, suite, { scale: isRate ? 1 : level, shape, name: 'capacity' })
    const fault = findFault(run)
    progress(fault ?? `held: p99 ${run.summary.queries.p99.toFixed(1)} ms`)
    tries.push({ suite, level, seconds: ms / 1_000, fault, run: describeRun(run) })
    // Where it was the generator that gave out, the product's limit was not found.
    for (const reason of fault === null ? [] : run.reasons) reasons.add(`${suite} at ${level}: ${reason}`)
    runs.push(run)
    return fault === null
  }

  const scales = await bisect({
    ...{ from: Math.max(1, flags.scale), max: flags.max, ratio: 1.1, step: 1 },
    holds: scale => step('mixed', scale, times.stepMs),
  })
  let scale = scales.largest
  for (let holds = 0; scale >= 1 && !(await step('mixed', scale, flags.holdSeconds * 1_000)); holds++) {
    if (holds === MAX_HOLDS) {
      reasons.add(`No step stood ${flags.holdSeconds} s.`)
      scale = 0
      break
    }
    scale = Math.min(scale - 1, Math.floor(scale * STEP_BACK))
  }
  if (scales.failed === null) reasons.add(`No scale failed up to ${flags.max}: --max K goes further.`)

  const rates = await bisect({
    ...{ from: 100, max: MAX_RATE, ratio: 1.05, step: 10 },
    holds: rate => step('query-only', rate, times.rateStepMs),
  })
  const stock = await measureStockRates({
    ...{ root, pins, progress, rounds: times.stockRounds, stepMs: times.rateStepMs, maxP99Ms: MAX_P99_MS },
  })
  for (const reason of stock.reasons) reasons.add(reason)
  const check = (name: string, value: number, unit: string, limit: number | null) =>
    createCheck({ name: `capacity.${name}`, value, unit, limit, better: 'higher' })
  return {
    runs: runs.filter(run => run.suite === 'mixed' && run.scale === scale).slice(-1),
    measures: {
      checks: [
        check('scale', scale, 'scale', MIN_SCALE),
        check('query_rate', rates.largest, '1/s', null),
        check('query_rate_vs_stock', stock.ratio, 'ratio', MIN_VS_STOCK),
      ],
      reasons: [...reasons],
      details: { ...describeSite(site), holdSeconds: flags.holdSeconds, scales, rates, stock, tries },
    },
  }
}

/** Why a step does not hold; null when it does. */
function findFault({ summary, suite }: SuiteRun): string | null {
  const { queries, receipts, events, errorRate, lost, doubled } = summary
  if (errorRate > 0) return `did not hold: ${summary.failures} failures`
  if (lost > 0 || doubled > 0) return `did not hold: ${lost} lost, ${doubled} doubled`
  const latencies = suite === 'query-only' ? { queries } : { queries, receipts, events }
  for (const [name, { p99 }] of Object.entries(latencies))
    if (!(p99 <= MAX_P99_MS)) return `did not hold: p99 of ${name} is ${p99.toFixed(1)} ms`
  return null
}
