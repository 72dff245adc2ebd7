import { expect, test } from 'vitest'
import { createBoundedCache } from './bounded-cache.ts'

test('past its size it forgets what was not used for longest', () => {
  const cache = createBoundedCache<string, number>(2)
  cache.set('a', 1)
  cache.set('b', 2)
  cache.get('a')
  cache.set('c', 3)
  expect([cache.get('a'), cache.get('b'), cache.get('c'), cache.size]).toEqual([1, undefined, 3, 2])
})
