import { setTimeout as sleep } from 'node:timers/promises'

/** How often the predicate is asked. */
const POLL_INTERVAL_MS = 5

/**
 * Waits until the predicate returns something truthy and returns that: for state that has no event. Rejects when
 * `deadlineMs` (default 5 s) has passed, saying `what`, with the predicate's last error as cause.
 */
export async function waitFor<T>(
  predicate: () => T | Promise<T>,
  { deadlineMs = 5_000, what = 'the awaited state' }: { deadlineMs?: number; what?: string } = {},
): Promise<NonNullable<T>> {
  const giveUpAt = Date.now() + deadlineMs
  let cause: unknown
  for (;;) {
    try {
      const value = await predicate()
      if (value) return value
      cause = undefined
    } catch (error) {
      cause = error
    }
    if (Date.now() > giveUpAt)
      throw new Error(`${what} did not come about within ${deadlineMs} ms`, { cause })
    await sleep(POLL_INTERVAL_MS)
  }
}
