/** How long a device that looks silent gets once more, for bytes that wait behind a busy event loop. */
const SECOND_LOOK_MS = 100

/** What a deadline comes to: so many ms remain, or it has passed. */
export type Deadline = { readonly remainingMs: number } | 'passed'

/** The deadlines of a session, in ms of a clock that only goes forwards; none runs over a pause. */
export interface SessionDeadlines {
  /** Something came from the device. */
  heard(now: number): void
  /** A pause begins, ends or lasts: silence counts from now. */
  restart(now: number): void
  /** Whether CONNECTED came in time; only a pause moves this one. */
  checkConnect(now: number, deadlineMs: number, isPaused: boolean): Deadline
  /** Whether the device was heard of in time. Passes only when a second look finds it silent too. */
  checkSilence(now: number, silenceMs: number, isPaused: boolean): Deadline
}

/** Creates the deadlines of a session that opens at `openedAt`. */
export function createSessionDeadlines(openedAt: number): SessionDeadlines {
  let connectFrom = openedAt
  let silentFrom = openedAt
  let isSuspect = false
  return {
    heard(now) {
      silentFrom = now
      isSuspect = false
    },
    restart(now) {
      silentFrom = now
    },
    checkConnect(now, deadlineMs, isPaused) {
      if (isPaused) connectFrom = now
      const remainingMs = connectFrom + deadlineMs - now
      return remainingMs > 0 ? { remainingMs } : 'passed'
    },
    checkSilence(now, silenceMs, isPaused) {
      if (isPaused) silentFrom = now
      const remainingMs = silentFrom + silenceMs - now
      if (remainingMs > 0) return { remainingMs }
      if (isSuspect) return 'passed'
      isSuspect = true
      return { remainingMs: SECOND_LOOK_MS }
    },
  }
}
