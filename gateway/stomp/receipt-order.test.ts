import { expect, it } from 'vitest'
import { createReceiptOrder } from './receipt-order.ts'

it('receipts leave in the order of their frames', () => {
  const answered: string[] = []
  const order = createReceiptOrder(id => answered.push(id))
  const [a, none, b, c] = [order.begin('a'), order.begin(undefined), order.begin('b'), order.begin('c')]
  order.finish(b)
  order.finish(none)
  expect(answered).toEqual([])
  expect(order.size).toBe(4)
  order.finish(a)
  expect(answered).toEqual(['a', 'b'])
  expect(order.size).toBe(1)
  order.finish(c)
  expect(answered).toEqual(['a', 'b', 'c'])
})
