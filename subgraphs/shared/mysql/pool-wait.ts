import type { Pool, PoolConnection } from 'mysql2'
import { AppError } from '../errors.ts'

type Callback = (error: NodeJS.ErrnoException | null, connection?: PoolConnection) => void

/**
 * Gives every wait for a connection of the pool a deadline, also the wait inside `pool.query`. Past it the caller gets
 * UNAVAILABLE; its place in the queue is given up when its turn comes.
 */
export function boundPoolWait(pool: Pool, deadlineMs: number): void {
  const target = pool as unknown as { getConnection: (callback: Callback) => void }
  const getConnection = target.getConnection
  target.getConnection = callback => {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      callback(new AppError('UNAVAILABLE', `No database connection became free within ${deadlineMs} ms.`))
    }, deadlineMs)
    getConnection.call(pool, (error, connection) => {
      clearTimeout(timer)
      if (isLate) connection?.release()
      else callback(error, connection)
    })
  }
}
