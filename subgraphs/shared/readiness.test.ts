import { afterEach, expect, it, vi } from 'vitest'
import { createReadiness } from './readiness.ts'

afterEach(() => {
  vi.useRealTimers()
})

it('is ready when all checks pass, and asks each once for probes that come together', async () => {
  const check = vi.fn(async () => 'OK')
  const readiness = createReadiness([check, () => true])
  expect(await Promise.all([readiness.isReady(), readiness.isReady()])).toEqual([true, true])
  expect(check).toHaveBeenCalledTimes(1)
})

it.each([
  ['says no', () => false],
  ['rejects', () => Promise.reject(new Error('away'))],
  ['throws', () => Promise.resolve().then(() => JSON.parse('no'))],
  ['does not answer', () => new Promise(() => {})],
])('is not ready when a check %s', async (_how, check) => {
  expect(await createReadiness([() => true, check], 10).isReady()).toBe(false)
})

it('is ready again within a second of what was away coming back', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  let isThere = false
  const readiness = createReadiness([() => isThere])
  expect(await readiness.isReady()).toBe(false)
  isThere = true
  vi.advanceTimersByTime(1_001)
  expect(await readiness.isReady()).toBe(true)
})
