import { expect, it } from 'vitest'
import { bisect } from './bisection.ts'

/** Searches for a limit that is known, and tells each level that was tried. */
async function search(
  limit: number,
  options: { from?: number; max?: number; step?: number; ratio?: number } = {},
) {
  return await bisect({
    ...{ from: 1, max: 64, step: 1, ratio: 1.1 },
    ...options,
    holds: async level => level <= limit,
  })
}

it('finds the largest level that holds', async () => {
  for (const limit of [1, 2, 3, 7, 13, 20, 33, 63]) {
    const { largest, failed } = await search(limit, { ratio: 1.001 })
    expect({ largest, failed }).toEqual({ largest: limit, failed: limit + 1 })
  }
})

it('stops when it is close enough, and tries no level twice', async () => {
  const { largest, failed, tried } = await search(1_234, { from: 100, max: 1e5, step: 10, ratio: 1.05 })
  expect(largest).toBeLessThanOrEqual(1_234)
  expect((failed ?? 0) / largest).toBeLessThanOrEqual(1.05)
  expect(new Set(tried.map(({ level }) => level)).size).toBe(tried.length)
  expect(tried.length).toBeLessThan(10)
})

it('goes down from a level that is too high, and says when nothing holds', async () => {
  expect((await search(3, { from: 16, ratio: 1.001 })).largest).toBe(3)
  expect(await search(0, { from: 4 })).toMatchObject({ largest: 0, failed: 1 })
})

it('says that nothing failed up to the end', async () => {
  expect(await search(1_000)).toMatchObject({ largest: 64, failed: null })
})

it('refuses what cannot be searched', async () => {
  await expect(search(1, { from: 0 })).rejects.toThrow('0 < from')
})
