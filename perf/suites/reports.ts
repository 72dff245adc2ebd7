import type { ReportFactory, ReportsQuestion } from '../peers/reports/ours.ts'
import { createCheck } from '../runner/check.ts'
import { chooseCpuPins } from '../runner/cpu-pins.ts'
import { judgeRatio } from '../runner/judge-ratio.ts'
import { startLoadGenerator } from '../runner/load-generator.ts'
import { describeMachine, judgeMachine, watchMachine } from '../runner/machine.ts'
import { type Program, startProgram } from '../runner/program.ts'
import { ratios, summarise } from '../runner/statistics.ts'
import type { Suite, SuiteContext } from '../runner/suite.ts'
import { type ExportRound, measureExport } from './reports/measure-export.ts'
import { measureReport, type ReportRound } from './reports/measure-report.ts'
import { measureRollupWriter, rateOf } from './reports/measure-rollup-writer.ts'
import { FULL_PLAN, QUICK_PLAN, REPORT_QUERY, type ReportsPlan, USERS } from './reports/reports-plan.ts'

const MAX_GROWTH = 1.3
const MIN_VS_RAW = 50
const MIN_INGEST_SHARE = 0.85
const MIN_ROWS_PER_S = 50_000

/** From the first half of a file to the second; more is memory that grows with the file. */
const MAX_RSS_GROWTH_MIB = 32

/** What a report costs as events grow, what keeping it ready costs ingest, and how fast events leave as a file. */
export const reportsSuite: Suite = {
  title: 'reports of 100 thousand events and 10 million, the price of rollups, and CSV',

  async run(context) {
    const plan = context.isQuick ? QUICK_PLAN : FULL_PLAN
    const pins = chooseCpuPins()
    const { report, raw, files, use } = await measureFactories({ ...context, plan, cpu: pins.around })
    const endWatch = watchMachine()
    const writer = await measureRollupWriter({ ...context, plan })
    const writerUse = endWatch()

    const [small = [], large = []] = report.rounds
    const p95 = (of: readonly ReportRound[]) => of.map(({ p95Ms }) => p95Ms)
    const growth = summarise(ratios(p95(large), p95(small)))
    const rawMs = summarise(raw)
    const share = summarise(ratios(writer.with.map(rateOf), writer.without.map(rateOf)))
    const rowsPerSecond = summarise(files.map(({ rows, elapsedMs }) => (rows / elapsedMs) * 1_000))
    const rssGrowth = Math.max(...files.map(file => file.rssSecondHalfMiB - file.rssFirstHalfMiB))
    const check = (name: string, value: number, unit: string, limit: number, better: 'lower' | 'higher') =>
      createCheck({ name: `reports.${name}`, value, unit, limit, better })
    return {
      checks: [
        check('p95_growth', growth.median, 'ratio', MAX_GROWTH, 'lower'),
        check('vs_raw', rawMs.median / report.aloneMs, 'ratio', MIN_VS_RAW, 'higher'),
        check('ingest_with_vs_without', share.median, 'ratio', MIN_INGEST_SHARE, 'higher'),
        check('csv_rows_per_s', rowsPerSecond.median, 'rows/s', MIN_ROWS_PER_S, 'higher'),
        check('csv_rss_growth_mib', rssGrowth, 'MiB', MAX_RSS_GROWTH_MIB, 'lower'),
      ],
      reasons: [
        ...judgeMachine(use),
        ...judgeMachine(writerUse),
        ...judgeRatio('reports.p95_growth', growth, plan.maxUncertainty),
        ...judgeRatio('reports.ingest_with_vs_without', share, plan.maxUncertainty),
        ...judgeRounds('small', small, plan),
        ...judgeRounds('large', large, plan),
        ...judgeFiles(files),
      ],
      details: {
        machine: describeMachine(),
        machineUse: { reports: use, writer: writerUse },
        pins,
        plan,
        connections: USERS,
        query: REPORT_QUERY,
        report: { growth, small: describeRounds(small), large: describeRounds(large) },
        // Both with nobody else there: the whole way of a report by HTTP, and the statement alone.
        raw: { ms: rawMs, reportMs: report.aloneMs },
        ingest: {
          ratio: share,
          withRowsPerSecond: summarise(writer.with.map(rateOf)),
          withoutRowsPerSecond: summarise(writer.without.map(rateOf)),
          // Of the time with rollups: their statements, and counting for them. The rest of the difference is the commit.
          statementsShare: summarise(writer.with.map(({ rollupMs, elapsedMs }) => rollupMs / elapsedMs)),
          countingShare: summarise(writer.with.map(({ countMs, elapsedMs }) => countMs / elapsedMs)),
        },
        csv: { rowsPerSecond, rssGrowthMiB: rssGrowth, files },
      },
    }
  },
}

/** All that is measured on the two factories. */
async function measureFactories(context: SuiteContext & { plan: ReportsPlan; cpu: number | null }) {
  const { plan, cpu, progress } = context
  await using generator = await startLoadGenerator({ cpu })
  progress('starting MariaDB')
  await using program = await startProgram<object>({
    name: 'reports',
    file: new URL('../peers/reports/ours.ts', import.meta.url),
    options: { sizes: [plan.small, plan.large], users: USERS },
    cpu: null,
  })
  const total = plan.small + plan.large
  for (let rows = 0; rows < total; ) {
    rows = Number(await ask(program, 'fill'))
    progress(`${rows} of ${total} anomalies are in`)
  }
  progress('counting them into rollups')
  await ask(program, 'count')
  const factories = (await ask(program, 'start')) as ReportFactory[]
  const largest = factories.at(-1)
  if (factories.length !== 2 || largest === undefined) throw new Error('The factories were not started.')
  const endWatch = watchMachine()
  const report = await measureReport(factories, { ...context, generator })
  const files = await measureExport(largest, context)
  const raw: number[] = []
  while (raw.length < plan.report.rawRounds) {
    progress(`counting the rows themselves, ${raw.length + 1} of ${plan.report.rawRounds}`)
    raw.push(Number(await ask(program, 'raw')))
  }
  return { report, files, raw, use: endWatch() }
}

/** Asks until the answer is there. */
async function ask(program: Program<object>, question: ReportsQuestion): Promise<unknown> {
  for (;;) {
    const answer = await program.ask(question)
    if (answer !== null) return answer
  }
}

function judgeRounds(name: string, rounds: readonly ReportRound[], { report }: ReportsPlan): string[] {
  const reasons: string[] = []
  const failed = rounds.reduce((sum, round) => sum + round.failed, 0)
  const first = rounds.find(({ firstFailure }) => firstFailure !== null)?.firstFailure
  if (failed > 0) reasons.push(`The ${name} report failed ${failed} times, first: ${first}`)
  const fewest = Math.min(...rounds.map(({ answered }) => answered))
  if (fewest < report.minAnswers)
    reasons.push(
      `The ${name} report was answered ${fewest} times in a round; ${report.minAnswers} are needed.`,
    )
  return reasons
}

function judgeFiles(files: readonly ExportRound[]): string[] {
  return files.flatMap(({ rows, estimatedRows }) =>
    rows === estimatedRows ? [] : [`A file had ${rows} rows, not the ${estimatedRows} that were said.`],
  )
}

function describeRounds(rounds: readonly ReportRound[]): Record<string, unknown> {
  return {
    p50Ms: summarise(rounds.map(({ p50Ms }) => p50Ms)),
    p95Ms: summarise(rounds.map(({ p95Ms }) => p95Ms)),
    answers: rounds.reduce((sum, { answered }) => sum + answered, 0),
    samples: rounds.map(({ p95Ms }) => p95Ms),
  }
}
