import { v7 } from 'uuid'
import { expect, it } from 'vitest'
import { SHARD_COUNT, shardOf } from './ingest-entry.ts'

it('keeps a device in the shard that it has been in since the first release', () => {
  expect(shardOf('01890a5d-ac96-774b-bcce-b302099a8057')).toBe(3)
  expect(shardOf('01890a5d-ac96-774b-bcce-b302099a8058')).toBe(2)
})

it('spreads devices evenly over the shards', () => {
  const counts = Array.from({ length: SHARD_COUNT }, () => 0)
  for (let i = 0; i < 8_000; i++) {
    const shard = shardOf(v7())
    counts[shard] = (counts[shard] ?? 0) + 1
  }
  expect(Math.min(...counts)).toBeGreaterThan(850)
  expect(Math.max(...counts)).toBeLessThan(1_150)
})
