import { expect, it } from 'vitest'
import { drawPlot } from './svg-plot.ts'

const PLOT = { title: 'Latency <of> queries', unit: 'ms', measured: [[2, 8]] as const }

it('draws each line over the whole width, and leaves gaps out', () => {
  const points = Array.from({ length: 11 }, (_, x) => [x, x === 5 ? Number.NaN : x * 10] as const)
  const svg = drawPlot({ ...PLOT, lines: [{ name: 'p95', points }], limit: 50 })
  const path = /<path d="([^"]*)"/.exec(svg)?.[1] ?? ''
  expect(path.match(/[ML]/g)).toHaveLength(10)
  expect(path).toMatch(/^M52 194L/)
  expect(path).toMatch(/L548 12$/)
  expect(svg).toContain('class="limit"')
  expect(svg).toContain('class="measured"')
  expect(svg).not.toContain('NaN')
  expect(svg).toContain('Latency &#60;of&#62; queries')
})

it('draws nothing of nothing', () => {
  expect(drawPlot({ ...PLOT, lines: [{ name: 'p95', points: [[0, Number.NaN]] }] })).toBe('')
})
