import type { Measures } from './result.ts'

/** What a suite is run with. */
export interface SuiteContext {
  /** Fewer and shorter rounds: shows that everything works, not what to claim. */
  readonly isQuick: boolean
  /** Folder of the checkout. */
  readonly root: string
  /** Tells the person what happens now. */
  progress(message: string): void
}

/** A set of measurements that belong together. */
export interface Suite {
  /** One line for `--help`. */
  readonly title: string
  /** Measures. Rejects when it could not; whatever it has started has ended by then. */
  run(context: SuiteContext): Promise<Measures>
}
