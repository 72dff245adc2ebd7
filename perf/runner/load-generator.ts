import type { Load, LoadResult } from './http-load.ts'
import { startLoadProcess } from './load-process.ts'

/** A load may take this much longer than it was told to. */
const GRACE_MS = 30_000

/** A process of its own that sends requests. Dispose ends it. */
export interface LoadGenerator extends AsyncDisposable {
  /** Sends a load and resolves with what came back. One at a time. */
  run(load: Load): Promise<LoadResult>
}

/** Starts a generator on the given CPU; null for any. */
export async function startLoadGenerator({ cpu }: { cpu: number | null }): Promise<LoadGenerator> {
  const generator = await startLoadProcess(new URL('./http-load.ts', import.meta.url), cpu)
  return {
    run: async load => (await generator.ask(load, load.durationMs + GRACE_MS)) as LoadResult,
    [Symbol.asyncDispose]: generator[Symbol.asyncDispose],
  }
}
