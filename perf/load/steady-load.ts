import { createCheck } from '../runner/check.ts'
import type { LoadSite } from './load-site.ts'
import type { Outcome } from './outcome.ts'
import type { ResourceSample } from './resource-watch.ts'
import { measuresOf, runSuite } from './run-suite.ts'
import { rampAndHold, type Workload } from './workload.ts'

const RAMP_MS = 180_000
const HOLD_MS = 420_000
const QUICK_RAMP_MS = 10_000
const QUICK_HOLD_MS = 20_000

/** `load`: everything comes up over three minutes and is held for seven. */
export async function runRampedLoad(site: LoadSite): Promise<Outcome> {
  const { isQuick, scale } = site.flags
  const shape = (workload: Workload) =>
    rampAndHold(workload, isQuick ? QUICK_RAMP_MS : RAMP_MS, isQuick ? QUICK_HOLD_MS : HOLD_MS)
  const run = await runSuite(site, 'mixed', { scale, shape, name: 'load' })
  return { measures: measuresOf(site, run), runs: [run] }
}

/** Memory that still grows this fast after the first third of an hour or more is a leak. */
const MAX_GROWTH_MIB_PER_H = 20
const MIN_MINUTES_OF_GROWTH = 45

/** `soak`: the load of `mixed` for as long as is asked, and whether memory grows with it. */
export async function runSoak(site: LoadSite): Promise<Outcome> {
  const { minutes, scale } = site.flags
  const shape = (workload: Workload): Workload => ({
    ...workload,
    stages: [
      { name: 'warm-up', durationMs: Math.min(60_000, minutes * 6_000), from: 1, to: 1, isMeasured: false },
      { name: 'measure', durationMs: minutes * 60_000, from: 1, to: 1, isMeasured: true },
    ],
  })
  const run = await runSuite(site, 'mixed', { scale, shape, name: 'soak' })
  const measures = measuresOf(site, run)
  const growth = createCheck({
    name: 'soak.rss_growth_mib_per_h',
    value: growthPerHour(run.result.resources),
    unit: 'MiB/h',
    // In less time the heap has not settled, and its growth says nothing.
    limit: minutes >= MIN_MINUTES_OF_GROWTH ? MAX_GROWTH_MIB_PER_H : null,
    better: 'lower',
  })
  const hasProcesses = site.product.pid !== null
  return {
    measures: { ...measures, checks: [...measures.checks, ...(hasProcesses ? [growth] : [])] },
    runs: [run],
  }
}

/** Slope of the RSS of all Node processes over the last two thirds of the samples, by least squares. */
export function growthPerHour(samples: readonly Pick<ResourceSample, 'at' | 'processes'>[]): number {
  const late = samples.slice(Math.floor(samples.length / 3))
  const points = late.map(({ at, processes }) => ({
    hours: at / 3_600_000,
    mib: processes.filter(({ kind }) => kind === 'node').reduce((sum, { rssMiB }) => sum + rssMiB, 0),
  }))
  const mean = (read: (point: (typeof points)[number]) => number) =>
    points.reduce((sum, point) => sum + read(point), 0) / points.length
  const [hours, mib] = [mean(point => point.hours), mean(point => point.mib)]
  const spread = points.reduce((sum, point) => sum + (point.hours - hours) ** 2, 0)
  if (!(spread > 0)) return Number.NaN
  return points.reduce((sum, point) => sum + (point.hours - hours) * (point.mib - mib), 0) / spread
}
