import type { Measures } from '../runner/result.ts'
import type { SuiteRun } from './run-suite.ts'

/** What a command has brought. */
export interface Outcome {
  readonly measures: Measures
  /** Those to be plotted. */
  readonly runs: readonly SuiteRun[]
}
