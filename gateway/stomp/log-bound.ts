import type { Logger } from '../../subgraphs/shared/logger.ts'

/** Writes lines that others can provoke, at most so many a second. */
export interface BoundedLog {
  warn(fields: Record<string, unknown>, event: string): void
}

/** Creates a log of at most `maxPerSecond` lines; the first line of a later second says how many were left out. */
export function createBoundedLog(logger: Logger, now: () => number, maxPerSecond: number): BoundedLog {
  let second = 0
  let written = 0
  let leftOut = 0
  return {
    warn(fields, event) {
      const current = Math.floor(now() / 1000)
      if (current !== second) {
        second = current
        written = 0
      }
      if (written >= maxPerSecond) {
        leftOut++
        return
      }
      written++
      logger.warn(leftOut > 0 ? { ...fields, leftOut } : fields, event)
      leftOut = 0
    },
  }
}
