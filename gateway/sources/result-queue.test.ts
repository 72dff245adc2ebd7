import { GraphQLError } from 'graphql'
import { expect, test } from 'vitest'
import { createResultQueue } from './result-queue.ts'

test('results come in order, before the error that ended them', async () => {
  const queue = createResultQueue(10, () => {})
  queue.push({ data: { n: 1 } })
  queue.push({ data: { n: 2 } })
  queue.fail(new GraphQLError('lost'))
  queue.push({ data: { n: 3 } })
  expect(await queue.next()).toEqual({ done: false, value: { data: { n: 1 } } })
  expect(await queue.next()).toEqual({ done: false, value: { data: { n: 2 } } })
  await expect(queue.next()).rejects.toThrow('lost')
  expect(await queue.next()).toEqual({ done: true, value: undefined })
})

test('one result too many fails the queue with UNAVAILABLE and closes it once', async () => {
  let closes = 0
  const queue = createResultQueue(1, () => closes++)
  queue.push({ data: { n: 1 } })
  queue.push({ data: { n: 2 } })
  queue.end()
  expect(closes).toBe(1)
  await queue.next()
  await expect(queue.next()).rejects.toMatchObject({ extensions: { code: 'UNAVAILABLE' } })
})

test('returning settles a next that waits', async () => {
  const queue = createResultQueue(1, () => {})
  const waiting = queue.next()
  await queue.return()
  expect(await waiting).toEqual({ done: true, value: undefined })
})
