import { expect, it } from 'vitest'
import { createDeliveryLedger } from './delivery-ledger.ts'
import { createHistogram } from './histogram.ts'
import { checkLoad, judgeLoad, limitsOf } from './judge-load.ts'
import { summariseLoad } from './load-summary.ts'
import type { LoadResult } from './run-load.ts'
import { createWorkload, isMeasuredAt } from './workload.ts'

const workload = createWorkload({ suite: 'query-only', scale: 1, isQuick: false })

/** A run whose queries took what is said, and what a test changes of it. */
function makeRun(
  latencyMs: (second: number) => number,
  change: { failedIn?: number; dropped?: number; late?: number } = {},
) {
  const windows = Array.from({ length: 270 }, (_, second) => {
    const histogram = createHistogram()
    const failed = change.failedIn === second ? 1 : 0
    for (let i = failed; i < 20; i++) histogram.add(latencyMs(second))
    const empty = createHistogram().toSparse()
    const latencies = { dashboard: histogram.toSparse(), logs: empty, anomalies: empty, reports: empty }
    const isMeasured = isMeasuredAt(workload, second * 1_000)
    return {
      second,
      isMeasured,
      due: 20,
      failed,
      dropped: second === 100 ? (change.dropped ?? 0) : 0,
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
      media: null,
    },
    queries: { windows, failures: [], late: change.late ?? 0, cpuMs: 5_000, loopP99Ms: 6 },
    machineUse: { othersShare: 0.01, stolenShare: 0 },
  }
  return { result, summary: summariseLoad(result) }
}

const limits = limitsOf('query-only', 1)
const failedChecks = (run: ReturnType<typeof makeRun>) =>
  checkLoad({
    ...{ suite: 'query-only', name: 'query-only', hasProcesses: false },
    limits,
    summary: run.summary,
  }).flatMap(({ name, ok }) => (ok ? [] : [name]))

it('passes a run that is as asked', () => {
  const run = makeRun(() => 12)
  expect(failedChecks(run)).toEqual([])
  expect(judgeLoad('query-only', run.result, run.summary, false)).toEqual([])
  expect(run.summary.queries.count).toBe(3_600)
})

it('fails on one query that failed, and on a slow p95, but leaves the warm-up out', () => {
  expect(failedChecks(makeRun(() => 12, { failedIn: 100 }))).toEqual(['query-only.error_rate'])
  expect(failedChecks(makeRun(second => (second > 200 ? 900 : 12)))).toEqual(['query-only.p95_ms'])
  expect(failedChecks(makeRun(second => (second < 60 ? 900 : 12), { failedIn: 10 }))).toEqual([])
})

it('does not trust a run with dropped, late or few queries, or on a machine that others use', () => {
  const judge = (run: ReturnType<typeof makeRun>) => judgeLoad('query-only', run.result, run.summary, false)
  expect(judge(makeRun(() => 12, { dropped: 3 }))).toEqual([
    expect.stringContaining('3 queries were dropped'),
  ])
  expect(judge(makeRun(() => 12, { late: 300 }))).toEqual([expect.stringContaining('late')])
  const { result, summary } = makeRun(() => 12)
  const few = { ...summary, queries: { ...summary.queries, count: 999 } }
  expect(judgeLoad('query-only', result, few, false)).toEqual([expect.stringContaining('p99 takes 1000')])
  const shared = { ...result, machineUse: { othersShare: 0.4, stolenShare: 0 } }
  expect(judgeLoad('query-only', shared, summary, false)).toEqual([expect.stringContaining('Other programs')])
})

it('counts what the ledger finds: a loss and a double are one each, wherever they happened', () => {
  const { result } = makeRun(() => 12)
  const ledger = createDeliveryLedger({ observers: 1 })
  for (const id of ['a', 'b', 'c']) {
    ledger.send(id, 0)
    ledger.receipt(id)
    if (id !== 'a') ledger.deliver(0, id)
    ledger.find(id)
  }
  ledger.find('c')
  const summary = summariseLoad({ ...result, deliveries: ledger.settle({ hasTable: true, beganAt: 0 }) })
  expect([summary.lost, summary.doubled]).toEqual([1, 1])
})
