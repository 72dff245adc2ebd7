import { Counter } from 'prom-client'
import { expect, it } from 'vitest'
import { createMetrics } from './metrics.ts'
import { startMetricsServer } from './metrics-server.ts'

it('serves metrics as Prometheus text, and nothing else', async () => {
  const metrics = createMetrics({ group: 'front', withDefaults: false })
  new Counter({ name: 'nuvion_test_total', help: 'Counts.', registers: [metrics] }).inc(3)
  await using server = await startMetricsServer(0, () => metrics.metrics())
  const response = await fetch(`http://127.0.0.1:${server.port}/metrics`)
  expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4')
  expect(await response.text()).toContain('nuvion_test_total{group="front"} 3')
  expect((await fetch(`http://127.0.0.1:${server.port}/`)).status).toBe(404)
})

it('answers 503 when the metrics cannot be had', async () => {
  await using server = await startMetricsServer(0, () => Promise.reject(new Error('gone')))
  expect((await fetch(`http://127.0.0.1:${server.port}/metrics`)).status).toBe(503)
})
