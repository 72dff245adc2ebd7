import type { ReportFactory } from '../../peers/reports/ours.ts'
import type { Load } from '../../runner/http-load.ts'
import { interleave } from '../../runner/interleave.ts'
import type { LoadGenerator } from '../../runner/load-generator.ts'
import type { SuiteContext } from '../../runner/suite.ts'
import { REPORT_QUERY, type ReportsPlan } from './reports-plan.ts'

/** One factory in one round. */
export interface ReportRound {
  readonly p50Ms: number
  readonly p95Ms: number
  readonly answered: number
  readonly failed: number
  readonly firstFailure: string | null
}

/** What measureReport has measured. */
export interface ReportResult {
  /** Rounds of each factory, in their order. */
  readonly rounds: readonly (readonly ReportRound[])[]
  /** The report of the last of them when nobody else asks, p50. */
  readonly aloneMs: number
}

/** Asks the factories for the same report in turns, then the last of them alone. */
export async function measureReport(
  factories: readonly ReportFactory[],
  {
    plan: { report: plan },
    generator,
    progress,
  }: SuiteContext & { plan: ReportsPlan; generator: LoadGenerator },
): Promise<ReportResult> {
  const lanes: { factory: ReportFactory; load: Load }[] = []
  for (const factory of factories) {
    progress(`warming the report of ${factory.anomalies} anomalies`)
    const { url, spaceId, from, to, tokens } = factory
    const load = {
      url: `${url}/graphql`,
      body: JSON.stringify({ query: REPORT_QUERY, variables: { spaceId, from, to } }),
      connections: tokens.map(token => ({ authorization: `Bearer ${token}` })),
    }
    const { body, failed, firstFailure } = await generator.run({
      ...load,
      durationMs: plan.warmUpMs,
      expected: null,
    })
    if (body === null || failed > 0)
      throw new Error(`The report of ${factory.anomalies} failed: ${firstFailure}`)
    checkReport(body, factory)
    lanes.push({ factory, load: { ...load, expected: body, durationMs: plan.roundMs } })
  }
  const samples = await interleave(lanes, plan.rounds, async ({ factory, load }, round) => {
    const result = await generator.run(load)
    const { latencyP50Ms: p50Ms, latencyP95Ms: p95Ms, answered, failed, firstFailure } = result
    progress(
      `round ${round + 1} of ${plan.rounds}: ${factory.anomalies} anomalies: p95 ${p95Ms.toFixed(2)} ms`,
    )
    return { p50Ms, p95Ms, answered, failed, firstFailure }
  })
  const last = lanes.at(-1)
  if (last === undefined) throw new TypeError('Expected a factory')
  const { load } = last
  const alone = await generator.run({ ...load, connections: load.connections.slice(0, 1) })
  return { rounds: lanes.map(lane => samples.get(lane) ?? []), aloneMs: alone.latencyP50Ms }
}

/** A report that is not whole, or without names, is cheap. */
function checkReport(answer: string, { anomalies }: ReportFactory): void {
  const report = JSON.parse(answer)?.data?.anomalyReport
  const rows: { process: { name?: string } | null }[] = report?.rows ?? []
  if (report?.total !== anomalies || rows.length !== 120 || rows.some(row => row.process?.name === undefined))
    throw new Error(`Not the report of ${anomalies} anomalies: ${answer.slice(0, 400)}`)
}
