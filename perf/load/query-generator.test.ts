import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { mergeHistograms } from './histogram.ts'
import { startQueryGenerator } from './query-generator.ts'
import type { QueryLoadResult } from './query-load.ts'
import { QUERY_KINDS } from './workload.ts'

const RATE = 100
const MEASURED_MS = 1_500

/** Runs a second and a half of a hundred queries a second against a server. */
async function load(answer: RequestListener): Promise<QueryLoadResult> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  await using generator = await startQueryGenerator({ cpu: null })
  generator.setTokens(['kim', 'lee'])
  const operation = { kind: 'logs' as const, query: '{ logs { id } }', variables: {}, field: 'logs' }
  const result = await generator.run({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    workload: {
      queryRate: RATE,
      queryShares: { dashboard: 0, logs: 1, anomalies: 0, reports: 0 },
      stages: [{ name: 'measure', durationMs: MEASURED_MS, from: 1, to: 1, isMeasured: true }],
    },
    operations: Object.fromEntries(QUERY_KINDS.map(kind => [kind, [operation]])) as never,
    startAt: Date.now() + 100,
  })
  server.close()
  return result
}

const sum = ({ windows }: QueryLoadResult, read: (window: QueryLoadResult['windows'][number]) => number) =>
  windows.reduce((total, window) => total + read(window), 0)
const latenciesOf = ({ windows }: QueryLoadResult) =>
  mergeHistograms(windows.map(({ latencies }) => latencies.logs))

it('goes on asking while the server stands still, and lets all who wait count', async () => {
  let stalledUntil = 0
  const result = await load((_, response) => {
    stalledUntil ||= performance.now() + 600
    setTimeout(() => response.end('{"data":{"logs":[]}}'), Math.max(0, stalledUntil - performance.now()))
  })
  expect(sum(result, ({ due }) => due)).toBe((RATE * MEASURED_MS) / 1_000)
  expect(sum(result, ({ failed, dropped }) => failed + dropped)).toBe(0)
  const latencies = latenciesOf(result)
  // Sixty were due in those 600 ms, and waited for what was left of them; a generator that waits would have sent one.
  expect(latencies.max).toBeGreaterThan(580)
  expect(latencies.quantile(0.8)).toBeGreaterThan(150)
  expect(latencies.quantile(0.5)).toBeLessThan(300)
})

it('counts answers with errors, without data, and none at all as failed', async () => {
  const bodies = [
    '{"data":{"logs":[]}}',
    '{"data":{"logs":[]},"errors":[{"message":"no"}]}',
    '{"data":{"logs":null}}',
  ]
  let nth = 0
  const result = await load((request, response) => {
    const turn = nth++ % 4
    if (turn === 3) request.socket.destroy()
    else response.end(bodies[turn])
  })
  expect(latenciesOf(result).count + sum(result, ({ failed }) => failed)).toBe((RATE * MEASURED_MS) / 1_000)
  expect(latenciesOf(result).count).toBeLessThan(60)
  expect(sum(result, ({ failed }) => failed)).toBeGreaterThan(90)
  expect(result.failures.join()).toContain('"message":"no"')
})
