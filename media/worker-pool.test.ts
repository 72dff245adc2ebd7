import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '../subgraphs/shared/logger.ts'
import { createMetrics } from '../subgraphs/shared/metrics.ts'
import { waitFor } from '../subgraphs/shared/testkit/wait-for.ts'
import { createMediaMetrics } from './media-metrics.ts'
import { startPool } from './start-pool.ts'
import { hasMediaWorker } from './testing/start-test-media.ts'
import type { WorkerPool } from './worker-pool.ts'

describe.skipIf(!hasMediaWorker)('the pool of workers', () => {
  let pool: WorkerPool

  beforeEach(async () => {
    const started = await startPool({
      count: 2,
      addresses: [{ ip: '127.0.0.1', announced: undefined }],
      ports: null,
      limits: { workerDeadlineMs: 5_000 },
      logger: createLogger({ level: 'silent', role: 'test' }),
      metrics: createMediaMetrics(createMetrics({ group: 'test', withDefaults: false })),
    })
    pool = started.pool
  })
  afterEach(async () => {
    await pool?.close()
  })

  const isRunning = (pid: number) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }

  it('gives the worker with the fewest sessions, then the fewest rooms', () => {
    const [first, second] = pool.workers
    if (first === undefined || second === undefined) throw new TypeError('Expected two workers')
    first.rooms = 1
    expect(pool.findIdlest()).toBe(second)
    second.sessions = 1
    expect(pool.findIdlest()).toBe(first)
    expect(pool.findIdlest(new Set([first]))).toBe(second)
    expect(pool.findIdlest(new Set([first, second]))).toBeUndefined()
  })

  it('replaces a worker that is killed on its port, and waits for it when it was the last', async () => {
    const before = pool.workers
    for (const worker of before) process.kill(worker.pid, 'SIGKILL')
    await waitFor(() => before.every(worker => worker.isClosed))
    const next = await pool.getIdlest(5_000)
    expect(before).not.toContain(next)
    await waitFor(() => pool.workers.length === 2)
    expect(pool.workers.map(({ port }) => port).sort()).toEqual(before.map(({ port }) => port).sort())
  })

  it('is gone when it is closed, and starts none afterwards', async () => {
    const pids = pool.workers.map(worker => worker.pid)
    process.kill(pids[0] ?? 0, 'SIGKILL')
    await pool.close()
    await pool.close()
    await waitFor(() => pids.every(pid => !isRunning(pid)))
    expect(pool.workers).toEqual([])
    await expect(pool.getIdlest(0)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  it('leaves SIGTERM and SIGINT to whoever runs it', () => {
    const names = ['SIGINT', 'SIGTERM'] as const
    const own = names
      .flatMap(name => process.listeners(name))
      .filter(listener => listener.name === 'onSignal')
    expect(own).toEqual([])
  })
})
