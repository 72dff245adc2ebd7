import { expect, it } from 'vitest'
import { isUuidV7, timeOfId } from '../../subgraphs/shared/uuid-v7.ts'
import { createRisingIds } from './rising-ids.ts'

it('ids are UUIDv7 of their time and rise within a millisecond, whatever lies between', () => {
  const ids = createRisingIds()
  const at = 1_764_500_000_123
  let last = ''
  for (let i = 0; i < 20_000; i++) {
    const id = ids.idAt(at)
    expect(isUuidV7(id)).toBe(true)
    expect(timeOfId(id)).toBe(at)
    expect(id > last).toBe(true)
    last = id
    if (i % 3 === 0) ids.idAt(at - i)
  }
})
