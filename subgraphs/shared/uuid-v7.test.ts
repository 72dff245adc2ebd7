import { describe, expect, it } from 'vitest'
import { idLowerBound, isUuidV7, newId, newIdAt, timeOfId } from './uuid-v7.ts'

describe('ids', () => {
  it('rise, also within a millisecond', () => {
    const ids = Array.from({ length: 10_000 }, newId)
    expect(ids).toEqual([...ids].sort())
    expect(new Set(ids).size).toBe(10_000)
  })

  it('carry their time', () => {
    const id = newIdAt(1_764_500_000_123)
    expect(isUuidV7(id)).toBe(true)
    expect(timeOfId(id)).toBe(1_764_500_000_123)
    expect(Math.abs(timeOfId(newId()) - Date.now())).toBeLessThan(1_000)
  })

  it('stand between the bounds of their millisecond and the next', () => {
    for (const at of [0, 1_764_500_000_000, 2 ** 48 - 2]) {
      const id = newIdAt(at)
      expect(id > idLowerBound(at)).toBe(true)
      expect(id < idLowerBound(at + 1)).toBe(true)
    }
  })

  it.each([
    ['version 4', '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d'],
    ['upper case', newId().toUpperCase()],
    ['no hyphens', newId().replaceAll('-', '')],
    ['a wrong variant', `${newId().slice(0, 19)}c${newId().slice(20)}`],
    ['something behind it', `${newId()}\n`],
    ['nothing', ''],
  ])('are not what has %s', (_name, text) => {
    expect(isUuidV7(text)).toBe(false)
  })
})
