import { AppError } from '../shared/errors.ts'

/** Runs the statements of reports, a few at a time, so that those that read long leave connections to everybody else. */
export type ReportLane = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Creates the lane of a process: `maxRunning` run (default 4), `maxWaiting` wait (default 200) for at most `waitMs`
 * (default 5 s). UNAVAILABLE for who would be one more, or has waited so long.
 */
export function createReportLane({
  maxRunning = 4,
  maxWaiting = 200,
  waitMs = 5_000,
}: {
  maxRunning?: number
  maxWaiting?: number
  waitMs?: number
} = {}): ReportLane {
  /** Those that wait, the longest first; each is given the place of one that has ended. */
  const waiting = new Set<() => void>()
  let running = 0

  async function enter(): Promise<void> {
    if (running < maxRunning) {
      running++
      return
    }
    if (waiting.size >= maxWaiting) throw tooMany()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    waiting.add(resolve)
    const timer = setTimeout(() => {
      waiting.delete(resolve)
      reject(tooMany())
    }, waitMs)
    await promise.finally(() => clearTimeout(timer))
  }

  /** Hands the place on, or gives it up. */
  function leave(): void {
    const [next] = waiting
    if (next === undefined) {
      running--
      return
    }
    waiting.delete(next)
    next()
  }

  return async work => {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}

function tooMany(): AppError {
  return new AppError('UNAVAILABLE', 'Too many reports are read right now: try again in a moment.')
}
