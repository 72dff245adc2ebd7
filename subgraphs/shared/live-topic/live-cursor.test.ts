import { describe, expect, it } from 'vitest'
import { compareCursors, endOfEntry, parseCursor } from './live-cursor.ts'
import { STREAM_START } from './stream-id.ts'

describe('a cursor', () => {
  it('is the id of an entry and an index in it', () => {
    expect(parseCursor('1796069096889-3.41')).toEqual({ id: '1796069096889-3', index: 41 })
    expect(parseCursor(endOfEntry(STREAM_START))).toEqual({ id: STREAM_START, index: 99 })
  })

  it.each([
    '',
    '-',
    '1-0',
    '1-0.',
    '1-0.100',
    '1-0.-1',
    '01-0.0',
    '1-00.0',
    '1-0.00',
    '1-0.0 ',
    '1-0.0\n',
    '1-0.0.0',
    '+.0',
    '$.0',
    '1e3-0.0',
    '1000000000000000-0.0',
    `${'9'.repeat(10_000)}-0.0`,
  ])('is refused as %j', cursor => {
    expect(() => parseCursor(cursor)).toThrow(expect.objectContaining({ code: 'BAD_USER_INPUT' }))
  })

  it('has an order: by time, then sequence, then index, as numbers', () => {
    const sorted = ['0-0.99', '9-0.2', '10-0.0', '10-0.9', '10-0.10', '10-2.0', '10-10.0', '999-0.0']
    expect([...sorted].reverse().sort(compareCursors)).toEqual(sorted)
    expect(compareCursors('10-2.7', '10-2.7')).toBe(0)
  })
})
