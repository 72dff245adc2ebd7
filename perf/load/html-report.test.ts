import { expect, it } from 'vitest'
import { createCheck } from '../runner/check.ts'
import { createResult } from '../runner/result.ts'
import { createHistogram } from './histogram.ts'
import { formatHtml } from './html-report.ts'
import { summariseLoad } from './load-summary.ts'
import type { LoadResult } from './run-load.ts'
import { createWorkload, isMeasuredAt } from './workload.ts'

const workload = createWorkload({ suite: 'query-only', scale: 1, isQuick: true })

it('makes a page that needs nothing from elsewhere, with the checks, the plots and what failed', () => {
  const empty = createHistogram().toSparse()
  const windows = Array.from({ length: 28 }, (_, second) => {
    const histogram = createHistogram()
    for (let i = 0; i < 20; i++) histogram.add(10 + second)
    const latencies = { dashboard: histogram.toSparse(), logs: empty, anomalies: empty, reports: empty }
    return {
      second,
      isMeasured: isMeasuredAt(workload, second * 1_000),
      due: 20,
      failed: 0,
      dropped: 0,
      latencies,
    }
  })
  const result: LoadResult = {
    ...{
      workload,
      startedAt: 0,
      field: null,
      deliveries: null,
      artillery: {},
      resources: [],
      noSignaling: null,
    },
    ...{ media: null, machineUse: null },
    queries: { windows, failures: ['logs: <script>alert(1)</script>'], late: 0, cpuMs: 1, loopP99Ms: 1 },
  }
  const check = createCheck({ name: 'query-only.p95_ms', value: 71, unit: 'ms', limit: 50, better: 'lower' })
  const page = formatHtml(
    createResult(
      { suite: 'query-only', commit: 'abc', startedAt: new Date(0) },
      { checks: [check], reasons: ['Others were there.'], details: { verdict: 'Queries break alone.' } },
    ),
    [
      {
        ...{ suite: 'query-only', name: 'query-only', scale: 1, result, summary: summariseLoad(result) },
        ...{ checks: [check], reasons: [] },
      },
    ],
  )
  for (const text of [
    'FAILED',
    'Not valid: Others were there.',
    'Queries break alone.',
    '<svg',
    'Queries, from when they were due',
  ])
    expect(page).toContain(text)
  expect(page).not.toMatch(/https?:\/\/|<script|src=|@import/)
})
