import { createCheck } from '../runner/check.ts'
import type { LoadSite } from './load-site.ts'
import type { LoadSummary } from './load-summary.ts'
import type { Outcome } from './outcome.ts'
import { describeRun, describeSite, runSuite, type SuiteRun } from './run-suite.ts'
import type { LoadSuite, Workload } from './workload.ts'

/** What counts as broken: nobody waits for that. */
const BROKEN_P99_MS = 1_000
const BROKEN_ERROR_RATE = 0.01

/** It has recovered from the first second on after which nothing fails any more and p95 is within this many times the first one's. */
const RECOVERED_FACTOR = 3
const MAX_RECOVERY_S = 30

const FIRST_WARM_UP_MS = 30_000
const QUICK_FIRST_WARM_UP_MS = 8_000
const STEP_WARM_UP_MS = 3_000
const STEP_MS = 30_000
const RECOVERY_MS = 60_000
const QUICK_STEP_MS = 8_000
const QUICK_RECOVERY_MS = 15_000

/**
 * `stress`: doubles the load until it breaks, goes back to the first step at once and sees how it recovers, and then asks
 * which of the two halves breaks alone. Whatever is answered late, no event may be lost or doubled.
 */
export async function runStress(site: LoadSite): Promise<Outcome> {
  const { isQuick, scale: first, max } = site.flags
  const { progress } = site
  const stepMs = isQuick ? QUICK_STEP_MS : STEP_MS
  const runs: SuiteRun[] = []
  const step = async (suite: LoadSuite, scale: number, ms: number, warmUpMs = STEP_WARM_UP_MS) => {
    progress(`${suite} at scale ${scale}`)
    const run = await runSuite(site, suite, {
      scale,
      shape: workload => flat(workload, warmUpMs, ms),
      name: 'stress',
    })
    runs.push(run)
    return run
  }
  let scale = first
  // The first one finds everything cold.
  let run = await step('mixed', scale, stepMs, isQuick ? QUICK_FIRST_WARM_UP_MS : FIRST_WARM_UP_MS)
  while (!isBroken(run.summary) && scale * 2 <= max) {
    scale *= 2
    run = await step('mixed', scale, stepMs)
  }
  const hasBroken = isBroken(run.summary)
  const recovery = await step('mixed', first, isQuick ? QUICK_RECOVERY_MS : RECOVERY_MS, 0)
  const recoverySeconds = findRecovery(recovery, runs[0]?.summary.queries.p95 ?? Number.NaN)
  const alone = hasBroken
    ? {
        queryOnly: await step('query-only', scale, stepMs),
        realtimeOnly: await step('realtime-only', scale, stepMs),
      }
    : null
  const verdict = alone === null ? null : tellWhichBreaks(alone)
  if (verdict !== null) progress(verdict)
  const sum = (read: (summary: LoadSummary) => number) =>
    runs.reduce((total, { summary }) => total + read(summary), 0)
  const check = (
    name: string,
    value: number,
    unit: string,
    limit: number | null,
    better: 'lower' | 'higher' = 'lower',
  ) => createCheck({ name: `stress.${name}`, value, unit, limit, better })
  return {
    runs,
    measures: {
      checks: [
        check('largest_scale_that_stands', hasBroken ? scale / 2 : scale, 'scale', null, 'higher'),
        check('recovery_s', recoverySeconds, 's', MAX_RECOVERY_S),
        check(
          'lost',
          sum(({ lost }) => lost),
          'events',
          0,
        ),
        check(
          'doubled',
          sum(({ doubled }) => doubled),
          'events',
          0,
        ),
      ],
      reasons: [
        ...(hasBroken ? [] : [`Nothing broke up to scale ${scale}: --max K goes further.`]),
        ...(hasBroken && scale === first ? ['The first step broke already: begin lower with --scale.'] : []),
      ],
      details: {
        ...describeSite(site),
        verdict,
        brokenScale: hasBroken ? scale : null,
        runs: runs.map(describeRun),
      },
    },
  }
}

function flat(workload: Workload, warmUpMs: number, durationMs: number): Workload {
  const steady = { from: 1, to: 1 }
  return {
    ...workload,
    stages: [
      ...(warmUpMs > 0
        ? [{ name: 'warm-up', durationMs: warmUpMs, ...steady, isMeasured: false } as const]
        : []),
      { name: 'measure', durationMs, ...steady, isMeasured: true },
    ],
  }
}

function isBroken({ queries, receipts, errorRate }: LoadSummary): boolean {
  return errorRate > BROKEN_ERROR_RATE || queries.p99 > BROKEN_P99_MS || receipts.p99 > BROKEN_P99_MS
}

/** Seconds from the begin of the run on after which every second is good; NaN when the last one is not. */
export function findRecovery({ summary }: Pick<SuiteRun, 'summary'>, usualP95Ms: number): number {
  const isGood = ({ failed, queryP95 }: LoadSummary['seconds'][number]) =>
    failed === 0 && !(queryP95 > usualP95Ms * RECOVERED_FACTOR)
  const bad = summary.seconds.filter(second => !isGood(second))
  const last = bad.at(-1)
  if (last === undefined) return 0
  return last === summary.seconds.at(-1) ? Number.NaN : last.second + 1
}

function tellWhichBreaks({
  queryOnly,
  realtimeOnly,
}: {
  queryOnly: SuiteRun
  realtimeOnly: SuiteRun
}): string {
  const [queries, realtime] = [isBroken(queryOnly.summary), isBroken(realtimeOnly.summary)]
  if (queries && realtime) return 'Each half breaks alone.'
  if (queries) return 'Queries break alone, devices and viewers do not.'
  if (realtime) return 'Devices and viewers break alone, queries do not.'
  return 'Only both together break: what they share binds.'
}
