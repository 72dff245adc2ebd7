import { expect, it } from 'vitest'
import { CallQueue } from './call-queue.ts'

it('runs calls in their order, one at a time, and goes on after one that failed', async () => {
  const queue = new CallQueue(10)
  const log: string[] = []
  const first = Promise.withResolvers<void>()
  const calls = [
    queue.run(async () => {
      await first.promise
      log.push('first')
    }),
    queue.run(async () => {
      log.push('second')
      throw new Error('no')
    }),
    queue.run(async () => void log.push('third')),
  ]
  expect(log).toEqual([])
  first.resolve()
  const settled = await Promise.allSettled(calls)
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(log).toEqual(['first', 'second', 'third'])
})

it('refuses more than it lets wait', async () => {
  const queue = new CallQueue(1)
  const first = Promise.withResolvers<void>()
  const running = queue.run(() => first.promise)
  await expect(queue.run(async () => {})).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  first.resolve()
  await running
  await queue.run(async () => {})
})
