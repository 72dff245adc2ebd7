import type { Pool } from 'mysql2/promise'
import { Counter, Gauge } from 'prom-client'
import type { Metrics } from '../metrics.ts'

/** What mysql2 keeps of a pool, which it tells nobody. */
interface PoolState {
  readonly _allConnections: { readonly length: number }
  readonly _freeConnections: { readonly length: number }
  readonly _connectionQueue: { readonly length: number }
}

/** Registers the metrics of the pool of a process; once per registry. */
export function watchPool(metrics: Metrics, pool: Pool): void {
  const registers = [metrics]
  const state = pool.pool as unknown as PoolState
  new Gauge({
    name: 'nuvion_database_pool_connections',
    help: 'Connections to the database by state: busy ones, idle ones, and callers that are waiting for one. Waiting while the CPU is idle means that transactions hold connections for long, or that statements are too many.',
    labelNames: ['state'] as const,
    registers,
    collect() {
      const idle = state._freeConnections.length
      this.set({ state: 'busy' }, state._allConnections.length - idle)
      this.set({ state: 'idle' }, idle)
      this.set({ state: 'waiting' }, state._connectionQueue.length)
    },
  })
  const waits = new Counter({
    name: 'nuvion_database_pool_waits_total',
    help: 'Callers that had to wait for a connection because all were busy. Rising under usual load means that the pool is too small for it.',
    registers,
  })
  pool.on('enqueue', () => waits.inc())
}
