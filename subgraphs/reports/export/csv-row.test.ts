import { describe, expect, it } from 'vitest'
import { createRandom } from '../../shared/testkit/random.ts'
import { parseCsv } from './csv-parser.ts'
import { type CsvCell, serializeCsvRow } from './csv-row.ts'

const HOSTILE = [
  '=',
  '+',
  '-',
  '@',
  '\t',
  '\r',
  '\n',
  '＝',
  '＋',
  '－',
  '＠',
  '"',
  ',',
  ';',
  "'",
  ' ',
  '\u00a0',
  '\u200b',
  '\0',
]
const TEXTS = ['cmd|', "'", '1', 'Übertemperatur 🌡', '한국어', '\r\n', '""', '=1+1', '\uFEFF', 'null']

/** Blanks and controls before it are dropped by some. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are meant
const FORMULA = /^(?:[\s\u0000-\u001f\u200b]*[=+\-@＝＋－＠]|[\t\r\n])/

/** What a strict reader finds in a cell. */
function readBack(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  return FORMULA.test(cell) ? `'${cell}` : cell
}

describe('a row of CSV', () => {
  it('is read back by a strict parser, whatever is in its cells, and no text is a formula', () => {
    const random = createRandom(10)
    const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T
    const makeText = () =>
      Array.from({ length: Math.floor(random() * 5) }, () => pick(random() < 0.6 ? HOSTILE : TEXTS)).join('')
    const makeCell = (): CsvCell =>
      pick([makeText, makeText, makeText, () => -random(), () => null, () => false])()
    const rows = Array.from({ length: 5_000 }, () => Array.from({ length: 4 }, makeCell))
    const parsed = parseCsv(rows.map(serializeCsvRow).join(''))
    expect(parsed).toEqual(rows.map(row => row.map(readBack)))
    for (const [r, row] of rows.entries())
      for (const [c, cell] of row.entries())
        if (typeof cell === 'string') expect(parsed[r]?.[c]).not.toMatch(FORMULA)
  })

  it('leaves numbers numbers, negative ones too', () => {
    expect(serializeCsvRow([-1.5, 0, 1e21, true, null, '-1.5'])).toBe("-1.5,0,1e+21,true,,'-1.5\r\n")
  })

  it('keeps together what a reader would part at semicolons or tabs', () => {
    expect(serializeCsvRow(['a;=1', 'b\t=1', 'plain'])).toBe('"a;=1","b\t=1",plain\r\n')
  })
})
