import type { RollupWriterRound } from '../../peers/reports/writer.ts'
import { interleave } from '../../runner/interleave.ts'
import { startProgram } from '../../runner/program.ts'
import type { SuiteContext } from '../../runner/suite.ts'
import type { ReportsPlan } from './reports-plan.ts'

/** Rounds of both. */
export interface RollupWriterResult {
  readonly with: readonly RollupWriterRound[]
  readonly without: readonly RollupWriterRound[]
}

const ROWS_PER_BATCH = 1_000
const DEVICES = 50

/** Floods the writer with rollups and without, in turns. */
export async function measureRollupWriter({
  plan,
  progress,
}: SuiteContext & { plan: ReportsPlan }): Promise<RollupWriterResult> {
  const { rounds, batches } = plan.writer
  progress('writer: starting MariaDB')
  await using program = await startProgram<object>({
    name: 'reports writer',
    file: new URL('../../peers/reports/writer.ts', import.meta.url),
    options: { batches, rowsPerBatch: ROWS_PER_BATCH, devices: DEVICES },
    cpu: null,
  })
  const run = async (lane: 'with' | 'without', round: number) => {
    const result = (await program.ask(lane)) as RollupWriterRound
    progress(`writer: round ${round + 1} of ${rounds}: ${lane} rollups ${Math.round(rateOf(result))} rows/s`)
    return result
  }
  for (const lane of ['with', 'without'] as const) await run(lane, -1)
  const samples = await interleave(['with', 'without'] as const, rounds, run)
  return { with: samples.get('with') ?? [], without: samples.get('without') ?? [] }
}

/** Rows a second. */
export function rateOf({ rows, elapsedMs }: RollupWriterRound): number {
  return (rows / elapsedMs) * 1_000
}
