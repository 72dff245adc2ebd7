/** Lines of one event in a second; what fails for one request may fail for thousands. */
const MAX_LINES_A_SECOND = 20

const SECOND_MS = 1_000

/** Decides which lines are written. */
export interface LinePace {
  /**
   * Whether one more line of an event may be written now; if so, how many were left out before it since the last one that
   * was. Undefined when it may not.
   */
  admit(event: string): { readonly leftOut: number } | undefined
}

/** Creates the pace of a log: 20 lines of each event in a second. Events are named in the code, so they are few. */
export function createLinePace(): LinePace {
  const events = new Map<string, { endsAtMs: number; lines: number; leftOut: number }>()
  return {
    admit(event) {
      const nowMs = Date.now()
      let seen = events.get(event)
      if (seen === undefined || nowMs >= seen.endsAtMs || seen.endsAtMs > nowMs + SECOND_MS) {
        seen = { endsAtMs: nowMs + SECOND_MS, lines: 0, leftOut: seen?.leftOut ?? 0 }
        events.set(event, seen)
      }
      if (seen.lines >= MAX_LINES_A_SECOND) {
        seen.leftOut++
        return undefined
      }
      const { leftOut } = seen
      seen.lines++
      seen.leftOut = 0
      return { leftOut }
    },
  }
}
