import { withDeadline } from './deadline.ts'

/** How long an answer is good for, so that impatient probes cost their servers little. */
const MAX_AGE_MS = 1_000

/** Whether a process can serve. */
export interface Readiness {
  /** True when every check passes now, or did within the last second. Never rejects. */
  isReady(): Promise<boolean>
}

/**
 * Creates the answer to `/readyz` from checks of what the process stands on.
 *
 * A check passes when it resolves within `deadlineMs` (default 1 s) with anything but false. Probes that come at once
 * share one round of checks.
 */
export function createReadiness(checks: readonly (() => unknown)[], deadlineMs = 1_000): Readiness {
  let last: { readonly at: number; readonly answer: Promise<boolean> } | undefined

  async function checkAll(): Promise<boolean> {
    const results = await Promise.allSettled(
      checks.map(check => withDeadline('A check', deadlineMs, async () => await check())),
    )
    return results.every(result => result.status === 'fulfilled' && result.value !== false)
  }

  return {
    isReady() {
      const now = performance.now()
      if (last === undefined || now - last.at > MAX_AGE_MS) last = { at: now, answer: checkAll() }
      return last.answer
    },
  }
}
