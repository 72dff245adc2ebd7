import { expect, it } from 'vitest'
import type { Second } from './load-summary.ts'
import { findRecovery } from './stress.ts'

/** A run of these p95, a second each; a failure where it is said. */
function makeRun(p95s: readonly number[], failedIn?: number) {
  const empty = {
    isMeasured: true,
    queries: 20,
    queryP50: 1,
    queryP99: 1,
    receipts: 0,
    receiptP95: 0,
    events: 0,
    eventP95: 0,
  }
  const seconds = p95s.map(
    (queryP95, second): Second => ({ ...empty, second, queryP95, failed: second === failedIn ? 1 : 0 }),
  )
  return { summary: { seconds } } as unknown as Parameters<typeof findRecovery>[0]
}

it('finds the second from which on all is as before', () => {
  expect(findRecovery(makeRun([900, 400, 20, 18, 19]), 15)).toBe(2)
  expect(findRecovery(makeRun([900, 20, 300, 18, 19]), 15)).toBe(3)
  expect(findRecovery(makeRun([14, 20, 18, 19], 1), 15)).toBe(2)
  expect(findRecovery(makeRun([14, 20, 18]), 15)).toBe(0)
})

it('says when it does not recover', () => {
  expect(findRecovery(makeRun([14, 20, 900]), 15)).toBeNaN()
})
