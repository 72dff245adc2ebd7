import { AppError } from '../shared/errors.ts'

/** Lets few bulky works run at a time, so that they never take all connections of the pool from the rest. */
export interface BulkTurns {
  /** Runs the work when it is its turn, in the order of calls. Rejects with UNAVAILABLE when too many wait already. */
  run<T>(work: () => Promise<T>): Promise<T>
}

/** Creates the turns of a process: `maxRunning` at a time (default 2), while `maxWaiting` wait at most (default 500). */
export function createBulkTurns({ maxRunning = 2, maxWaiting = 500 } = {}): BulkTurns {
  const waiting: (() => void)[] = []
  let running = 0
  return {
    async run(work) {
      if (running >= maxRunning) {
        if (waiting.length >= maxWaiting)
          throw new AppError('UNAVAILABLE', 'Too many ask for the like at once. Try again.')
        // Whoever is done hands its place on, so `running` stays as it is.
        await new Promise<void>(resolve => waiting.push(resolve))
      } else running++
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next === undefined) running--
        else next()
      }
    },
  }
}
