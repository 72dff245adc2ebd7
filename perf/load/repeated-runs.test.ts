import { expect, it } from 'vitest'
import type { Comparison } from './comparison.ts'
import { conclude } from './repeated-runs.ts'

const of = (name: string, verdict: Comparison['verdict']): Comparison => ({
  ...{ name, verdict, before: 1, after: 1, change: 0, noise: 0, chance: 0 },
})

it('tells better code from more resources', () => {
  const same = of('cpu_millicores', 'no difference')
  expect(conclude([of('query_p95_ms', 'better'), same])).toBe(
    'Better (query_p95_ms) without more resources: the code is better.',
  )
  expect(conclude([of('query_p95_ms', 'better'), of('cpu_millicores', 'worse')])).toContain(
    'with more resources: cpu_millicores',
  )
  expect(conclude([of('query_p95_ms', 'no difference'), of('node_rss_mib', 'worse')])).toContain(
    'takes more: node_rss_mib',
  )
  expect(conclude([of('query_p95_ms', 'worse'), of('query_p50_ms', 'better')])).toBe('Worse: query_p95_ms.')
  expect(conclude([of('query_p95_ms', 'no difference'), same])).toContain('No difference')
})
