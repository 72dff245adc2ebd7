import type { Pool, RowDataPacket } from 'mysql2/promise'

/** Reads the clock that all processes of a site share: epoch milliseconds. */
export async function readDatabaseClock(pool: Pool): Promise<number> {
  const [rows] = await pool.query<RowDataPacket[]>('SELECT UNIX_TIMESTAMP(NOW(3)) * 1000 AS now')
  return Math.floor(Number(rows[0]?.now))
}
