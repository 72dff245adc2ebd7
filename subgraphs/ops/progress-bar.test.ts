import { describe, expect, it } from 'vitest'
import { createProgressBar } from './progress-bar.ts'

function createOut(isTTY: boolean) {
  const texts: string[] = []
  return { texts, isTTY, write: (text: string) => texts.push(text) > 0 }
}

describe('a progress bar', () => {
  it('rewrites a line on a terminal, and ends it', () => {
    const out = createOut(true)
    const bar = createProgressBar({ title: 'rollups', total: 4 }, out)
    bar.update(2, 'here')
    bar.update(4, 'there')
    bar.end()
    expect(out.texts).toEqual([
      expect.stringContaining('\r\x1b[K[###############...............] rollups 50 %  2 of 4  here  '),
      '\r\x1b[K[##############################] rollups 100 %  4 of 4  there  0 s left',
      '\n',
    ])
  })

  it('writes lines now and then elsewhere, and the last', () => {
    const out = createOut(false)
    const bar = createProgressBar({ title: 'rollups', total: 2 }, out)
    bar.update(1, 'here')
    bar.update(2, 'there')
    bar.end()
    expect(out.texts).toEqual(['rollups 100 %  2 of 2  there  0 s left\n'])
  })
})
