import { expect, it } from 'vitest'
import { toCsv } from './to-csv.ts'

it('quotes what has to be, and lets no text run as a formula', () => {
  expect(
    toCsv([
      ['a', 'b"c', 'd,e', null, -1.5],
      ['=1+1', '-x', 'line\nbreak', '', '@a,b'],
    ]),
  ).toBe('\ufeffa,"b""c","d,e",,-1.5\r\n\'=1+1,\'-x,"line\nbreak",,"\'@a,b"\r\n')
})
