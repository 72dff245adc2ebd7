import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, ResultSetHeader } from 'mysql2/promise'

/** How often a replica that waits looks at the lock row. */
const RETRY_INTERVAL_MS = 50

/** The lease is renewed this many times before it would end. */
const RENEWALS_PER_LEASE = 3

/** The right to migrate, as long as its lease is renewed. */
export interface MigrationLock {
  /** Throws when the lease was lost, because another may be migrating now. */
  assertHeld(): void
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Takes the lock row of `schema_migration_lock`, waiting for its owner up to `deadlineMs`. A row with a lease, not
 * GET_LOCK: it holds through proxies and connection loss, and a crashed owner's lease ends by the database's clock.
 * The lease is renewed on its own connection of the pool while a long statement runs.
 */
export async function acquireMigrationLock(
  pool: Pool,
  { leaseMs, deadlineMs, owner }: { leaseMs: number; deadlineMs: number; owner: string },
): Promise<MigrationLock> {
  await pool.query(
    'CREATE TABLE IF NOT EXISTS schema_migration_lock ' +
      '(id TINYINT NOT NULL PRIMARY KEY, owner CHAR(36) NULL, lease_until DATETIME(3) NOT NULL)',
  )
  await pool.query(
    'INSERT INTO schema_migration_lock (id, lease_until) VALUES (1, NOW(3)) ON DUPLICATE KEY UPDATE id = id',
  )
  const take = async () => {
    const [result] = await pool.query<ResultSetHeader>(
      'UPDATE schema_migration_lock SET owner = ?, lease_until = NOW(3) + INTERVAL ? MICROSECOND ' +
        'WHERE id = 1 AND (owner IS NULL OR owner = ? OR lease_until < NOW(3))',
      [owner, leaseMs * 1_000, owner],
    )
    return result.affectedRows === 1
  }

  const giveUpAt = Date.now() + deadlineMs
  while (!(await take())) {
    if (Date.now() > giveUpAt)
      throw new Error(`Another program has been migrating the database for ${deadlineMs} ms`)
    await sleep(RETRY_INTERVAL_MS)
  }

  let heldUntil = Date.now() + leaseMs
  const renewal = setInterval(() => {
    const askedAt = Date.now()
    take().then(
      isOurs => {
        heldUntil = isOurs ? askedAt + leaseMs : 0
      },
      () => {
        // The next renewal tries again; when the lease ends before one succeeds, assertHeld says so.
      },
    )
  }, leaseMs / RENEWALS_PER_LEASE)
  return {
    assertHeld() {
      if (Date.now() >= heldUntil) throw new Error('The lease on the migration lock was lost')
    },
    async [Symbol.asyncDispose]() {
      clearInterval(renewal)
      await pool.query('UPDATE schema_migration_lock SET owner = NULL WHERE id = 1 AND owner = ?', [owner])
    },
  }
}
