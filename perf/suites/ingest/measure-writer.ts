import type { WriterRound } from '../../peers/ingest/writer.ts'
import { interleave } from '../../runner/interleave.ts'
import { startProgram } from '../../runner/program.ts'
import type { SuiteContext } from '../../runner/suite.ts'
import { FLOOD_SOCKETS, type IngestPlan } from './ingest-plan.ts'

/** Rows a second in each round. */
export interface WriterResult {
  readonly writer: readonly number[]
  readonly bare: readonly number[]
}

const ROWS_PER_BATCH = 1_000

/** Floods the writer, and a loop of bare INSERTs into the same table, in turns. */
export async function measureWriter({
  plan,
  progress,
}: SuiteContext & { plan: IngestPlan }): Promise<WriterResult> {
  const { rounds, batches } = plan.writer
  progress('writer: starting MariaDB')
  // Their server works on one CPU while they wait, and they on the other: what they need, and no more, as in the product.
  await using program = await startProgram<object>({
    name: 'writer',
    file: new URL('../../peers/ingest/writer.ts', import.meta.url),
    options: { batches, rowsPerBatch: ROWS_PER_BATCH, devices: FLOOD_SOCKETS },
    cpu: null,
  })
  const run = async (lane: 'writer' | 'bare', round: number) => {
    const { rows, elapsedMs } = (await program.ask(lane)) as WriterRound
    const rowsPerSecond = (rows / elapsedMs) * 1_000
    progress(`writer: round ${round + 1} of ${rounds}: ${lane} ${Math.round(rowsPerSecond)} rows/s`)
    return rowsPerSecond
  }
  for (const lane of ['writer', 'bare'] as const) await run(lane, -1)
  const samples = await interleave(['writer', 'bare'] as const, rounds, run)
  return { writer: samples.get('writer') ?? [], bare: samples.get('bare') ?? [] }
}
