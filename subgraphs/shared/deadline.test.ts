import { expect, it } from 'vitest'
import { withDeadline } from './deadline.ts'

it('answers what the work answers in time', async () => {
  expect(await withDeadline('The answer', 1_000, async () => 42)).toBe(42)
})

it('rejects with UNAVAILABLE at the deadline, names what was late and aborts the work', async () => {
  let seen: AbortSignal | undefined
  const late = withDeadline('The lookup', 5, signal => {
    seen = signal
    return new Promise(() => {})
  })
  await expect(late).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: 'The lookup took longer than 5 ms.',
  })
  expect(seen?.aborted).toBe(true)
})

it('passes the failure of the work on', async () => {
  await expect(withDeadline('The work', 1_000, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
})
