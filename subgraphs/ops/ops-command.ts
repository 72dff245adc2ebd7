import type { Config } from '../shared/config.ts'

/** What a command has at hand. */
export interface OpsSite {
  readonly config: Config
  /** Writes a line on standard output. */
  print(line: string): void
}

/** Runs a command; rejects with an OpsError when its arguments are not understood. */
export type RunCommand = (args: readonly string[], site: OpsSite) => Promise<void>

/** What was asked for cannot be done as it was asked. */
export class OpsError extends Error {
  override readonly name = 'OpsError'
}
