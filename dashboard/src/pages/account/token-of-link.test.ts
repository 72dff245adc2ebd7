import { expect, test } from 'vitest'
import { tokenOfLink } from './token-of-link.ts'

test('The token of a mailed link is decoded, and a link without one is told', () => {
  expect(tokenOfLink('#token=a%2Bb_c')).toBe('a+b_c')
  expect(tokenOfLink('')).toBeUndefined()
  expect(tokenOfLink('#token=')).toBeUndefined()
})
