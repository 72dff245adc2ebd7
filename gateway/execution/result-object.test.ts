import { expect, test } from 'vitest'
import { copyResult, mergeResult, type ResultObject } from './result-object.ts'

test('objects merge field by field, lists of equal length item by item, and all else replaces', () => {
  const target = { a: { x: 1 }, list: [{ x: 1 }, null], grid: [[{ x: 1 }]], short: [1], leaf: 1, kept: 1 }
  mergeResult(target, {
    a: { y: 2 },
    list: [{ y: 2 }, { y: 3 }],
    grid: [[{ y: 2 }]],
    short: [1, 2],
    leaf: { now: 'an object' },
    kept: undefined,
    more: null,
  })
  expect(target).toEqual({
    a: { x: 1, y: 2 },
    list: [{ x: 1, y: 2 }, { y: 3 }],
    grid: [[{ x: 1, y: 2 }]],
    short: [1, 2],
    leaf: { now: 'an object' },
    kept: 1,
    more: null,
  })
})

test('names that every object has are names like others', () => {
  const source: ResultObject = JSON.parse('{ "__proto__": { "polluted": true }, "constructor": { "x": 1 } }')
  const target: ResultObject = {}
  mergeResult(target, source)
  mergeResult(target, JSON.parse('{ "__proto__": { "more": 1 }, "constructor": { "y": 2 } }'))
  expect(JSON.stringify(copyResult(target))).toBe(
    '{"__proto__":{"polluted":true,"more":1},"constructor":{"x":1,"y":2}}',
  )
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})
