import type { Check } from '../runner/check.ts'
import { describeMachine } from '../runner/machine.ts'
import type { Measures } from '../runner/result.ts'
import { checkLoad, checkMedia, judgeLoad, limitsOf } from './judge-load.ts'
import type { LoadSite } from './load-site.ts'
import { type LoadSummary, summariseLoad } from './load-summary.ts'
import { type LoadResult, runLoad } from './run-load.ts'
import { createWorkload, type LoadSuite, type Workload } from './workload.ts'
import { bootstrapWorld } from './world/bootstrap.ts'

/** A run with its figures. */
export interface SuiteRun {
  readonly suite: LoadSuite
  readonly scale: number
  /** First part of its checks' names. */
  readonly name: string
  readonly result: LoadResult
  readonly summary: LoadSummary
  readonly checks: readonly Check[]
  readonly reasons: readonly string[]
}

/** Runs a suite once at a scale, after making what its world lacks. `shape` may change the workload. */
export async function runSuite(
  site: LoadSite,
  suite: LoadSuite,
  {
    scale,
    shape = workload => workload,
    name = suite,
  }: { scale: number; shape?: (workload: Workload) => Workload; name?: string },
): Promise<SuiteRun> {
  const { root, product, world, pins, progress, flags } = site
  const workload = shape(createWorkload({ suite, scale, isQuick: flags.isQuick }))
  await bootstrapWorld({ ...{ url: product.url, world, workload, mailDir: product.mailDir, progress } })
  const mediaViewers = suite === 'query-only' ? 0 : flags.media
  const result = await runLoad({ root, product, world: world.state, workload, pins, mediaViewers, progress })
  const summary = summariseLoad(result)
  return {
    ...{ suite, scale, name, result, summary },
    checks: [
      ...checkLoad({
        suite,
        name,
        summary,
        limits: limitsOf(suite, scale),
        hasProcesses: product.pid !== null,
      }),
      ...checkMedia(name, result.media),
    ],
    reasons: judgeLoad(suite, result, summary, flags.isQuick),
  }
}

/** What `--json` gets of a run. */
export function measuresOf(site: LoadSite, run: SuiteRun): Measures {
  return {
    checks: run.checks,
    reasons: run.reasons,
    details: { ...describeSite(site), run: describeRun(run), productLog: site.product.log() },
  }
}

/** Where it was measured. */
export function describeSite({ product, pins, world }: LoadSite): Record<string, unknown> {
  return {
    machine: describeMachine(),
    product: product.description,
    generators: pins.around === null ? 'any CPU' : `all on CPU ${pins.around}`,
    pins,
    prefill: world.state.prefill,
  }
}

/** A run without its samples. */
export function describeRun({ suite, scale, result, summary }: SuiteRun): Record<string, unknown> {
  const { workload, queries, field, deliveries, artillery, noSignaling, machineUse, media } = result
  const { seconds, ...figures } = summary
  return {
    ...{ suite, scale, workload, figures, deliveries, machineUse, noSignaling, media, artillery },
    queryGenerator:
      queries === null ? null : { cpuMs: queries.cpuMs, late: queries.late, loopP99Ms: queries.loopP99Ms },
    queryFailures: queries?.failures ?? [],
    field:
      field === null
        ? null
        : {
            ...{ counts: field.counts, failures: field.failures, workers: field.workers, cpuMs: field.cpuMs },
            ...{ loopP99Ms: field.loopP99Ms, slowReports: field.slowReports, reports: field.reports },
          },
    seconds,
  }
}
