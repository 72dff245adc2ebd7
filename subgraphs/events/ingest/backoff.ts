import { setTimeout as sleep } from 'node:timers/promises'

/** Shortest and longest pause between attempts, in milliseconds. */
const BASE_MS = 20
const MAX_MS = 2_000

/**
 * Waits before attempt number `attempt` (0 = the first repetition): doubles from 20 ms to 2 s, less up to half of it
 * by chance, so that processes that failed together do not come back together. Resolves early when `signal` aborts.
 */
export async function backOff(attempt: number, signal: AbortSignal): Promise<void> {
  const delayMs = Math.min(MAX_MS, BASE_MS * 2 ** attempt) * (1 - Math.random() / 2)
  await sleep(delayMs, undefined, { signal }).catch(() => {})
}
