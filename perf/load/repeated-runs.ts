import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Check } from '../runner/check.ts'
import { formatTable } from '../runner/report.ts'
import { readCommit } from '../runner/result.ts'
import { type Comparison, compareRuns } from './comparison.ts'
import { type LoadSite, perfFolder } from './load-site.ts'
import type { LoadSummary } from './load-summary.ts'
import type { Outcome } from './outcome.ts'
import { describeRun, describeSite, runSuite, type SuiteRun } from './run-suite.ts'

/** Figures of repeated runs, as `baseline` keeps them for `compare`. */
interface Baseline {
  readonly commit: string
  readonly savedAt: string
  readonly figures: Readonly<Record<string, readonly number[]>>
}

/** What is compared. Resources stand beside the rest: better with more of them is another thing than better without. */
const FIGURES: Readonly<Record<string, (summary: LoadSummary) => number>> = {
  query_p50_ms: ({ queries }) => queries.p50,
  query_p95_ms: ({ queries }) => queries.p95,
  query_p99_ms: ({ queries }) => queries.p99,
  receipt_p95_ms: ({ receipts }) => receipts.p95,
  event_to_subscriber_p95_ms: ({ events }) => events.p95,
  error_rate: ({ errorRate }) => errorRate,
  lost: ({ lost }) => lost,
  doubled: ({ doubled }) => doubled,
  cpu_millicores: ({ cpuMillicores }) => cpuMillicores,
  node_rss_mib: ({ nodeRssMiB }) => nodeRssMiB,
  database_questions_per_s: ({ storeRates }) => storeRates.database.Questions ?? Number.NaN,
  redis_commands_per_s: ({ storeRates }) => storeRates.redis.total_commands_processed ?? Number.NaN,
}
const RESOURCES = ['cpu_millicores', 'node_rss_mib', 'database_questions_per_s', 'redis_commands_per_s']

/** `baseline`: runs a suite several times and keeps its figures. */
export async function runBaseline(site: LoadSite): Promise<Outcome> {
  const runs = await repeat(site)
  const { commit } = await readCommit(site.root)
  const baseline: Baseline = { commit, savedAt: new Date().toISOString(), figures: collect(runs) }
  const file = baselineFile(site)
  mkdirSync(perfFolder(site.root), { recursive: true })
  writeFileSync(file, JSON.stringify(baseline, null, 1))
  site.progress(`kept the figures of ${runs.length} runs in ${file}`)
  return {
    runs,
    measures: {
      checks: runs.at(-1)?.checks ?? [],
      reasons: reasonsOf(runs),
      details: { ...describeSite(site), baseline, runs: runs.map(describeRun) },
    },
  }
}

/** `compare`: runs the suite as often again, and says of each figure what has become of it. Fails when one is worse. */
export async function runCompare(site: LoadSite): Promise<Outcome> {
  const baseline = readBaseline(baselineFile(site))
  const runs = await repeat(site)
  const figures = collect(runs)
  const comparisons = Object.keys(FIGURES).flatMap(name => {
    const before = finite(baseline.figures[name] ?? [])
    const after = finite(figures[name] ?? [])
    return before.length === 0 || after.length === 0
      ? []
      : [compareRuns({ name, better: 'lower', before, after })]
  })
  const rows = comparisons.map(({ name, before, after, change, noise, verdict }) => [
    name,
    ...[before, after].map(value => String(Number(value.toPrecision(4)))),
    `${(change * 100).toFixed(1)} %`,
    `± ${(noise * 100).toFixed(1)} %`,
    verdict,
  ])
  site.progress(`against ${baseline.commit.slice(0, 12)} of ${baseline.savedAt}:`)
  for (const line of formatTable([['figure', 'before', 'after', 'change', 'noise', ''], ...rows]))
    console.error(line)
  const conclusion = conclude(comparisons)
  site.progress(conclusion)
  return {
    runs,
    measures: {
      checks: comparisons.map(toCheck),
      reasons: [
        ...reasonsOf(runs),
        ...(comparisons.some(({ verdict }) => verdict === 'too few runs')
          ? ['Fewer than 4 runs a side tell nothing.']
          : []),
      ],
      details: { ...describeSite(site), baseline, comparisons, conclusion, runs: runs.map(describeRun) },
    },
  }
}

/** Says in a sentence what a comparison means: faster without more resources is code, all else something else. */
export function conclude(comparisons: readonly Comparison[]): string {
  const names = (verdict: Comparison['verdict'], isResource: boolean) =>
    comparisons
      .filter(one => one.verdict === verdict && RESOURCES.includes(one.name) === isResource)
      .map(({ name }) => name)
  const [better, worse, dearer] = [names('better', false), names('worse', false), names('worse', true)]
  if (worse.length > 0) return `Worse: ${worse.join(', ')}.`
  if (better.length === 0 && dearer.length > 0) return `No faster, and it takes more: ${dearer.join(', ')}.`
  if (better.length === 0) return 'No difference that can be told from noise.'
  if (dearer.length > 0) return `Better (${better.join(', ')}), with more resources: ${dearer.join(', ')}.`
  return `Better (${better.join(', ')}) without more resources: the code is better.`
}

async function repeat(site: LoadSite): Promise<SuiteRun[]> {
  const { suite, scale, runs: count } = site.flags
  const runs: SuiteRun[] = []
  for (let nth = 1; nth <= count; nth++) {
    site.progress(`run ${nth} of ${count}`)
    runs.push(await runSuite(site, suite, { scale }))
  }
  return runs
}

function collect(runs: readonly SuiteRun[]): Record<string, number[]> {
  return Object.fromEntries(
    Object.entries(FIGURES).map(([name, read]) => [name, runs.map(({ summary }) => read(summary))]),
  )
}

function toCheck({ name, change, noise, verdict }: Comparison): Check {
  return {
    name: `compare.${name}`,
    value: Number((change * 100).toPrecision(4)),
    unit: `%, ${verdict}`,
    limit: Number((Math.max(noise, 0.03) * 100).toPrecision(3)),
    better: 'lower',
    ok: verdict !== 'worse',
  }
}

function reasonsOf(runs: readonly SuiteRun[]): string[] {
  return [...new Set(runs.flatMap(({ reasons }, i) => reasons.map(reason => `Run ${i + 1}: ${reason}`)))]
}

function finite(values: readonly (number | null)[]): number[] {
  return values.filter((value): value is number => typeof value === 'number' && Number.isFinite(value))
}

function baselineFile({ root, flags, product, isOwn }: LoadSite): string {
  const of = isOwn ? 'own' : new URL(product.url).host.replace(/\W+/g, '-')
  return join(
    perfFolder(root),
    `baseline-${flags.suite}-${flags.scale}${flags.isQuick ? '-quick' : ''}-${of}.json`,
  )
}

function readBaseline(file: string): Baseline {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Baseline
  } catch {
    throw new Error(
      `There is no baseline to compare with (${file}): run baseline first, with the same flags.`,
    )
  }
}
