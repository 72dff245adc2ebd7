import type { Db } from './open-mysql.ts'

const LOCK_ERRNOS = new Set([
  1205, // ER_LOCK_WAIT_TIMEOUT
  1213, // ER_LOCK_DEADLOCK
])
const MAX_ATTEMPTS = 4

/**
 * Runs a transaction whose statements each see what others have committed, and that locks rows alone and no gaps between
 * them (READ COMMITTED).
 *
 * The database may sacrifice one of two that wait for each other, such as one that meets a sweep, or one that waits too
 * long: it is run again, from its start, 4 times in all.
 */
export async function runShortTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return await repeat(() => db.transaction(work, { isolationLevel: 'read committed' }))
}

/** The same in the database's own isolation, REPEATABLE READ: what it has read once stays so. */
export async function runTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return await repeat(() => db.transaction(work))
}

async function repeat<T>(transact: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transact()
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isLockFailure(error)) throw error
    }
  }
}

/** Whether the database has given up on a statement that waited for a lock: it may be tried again. */
export function isLockFailure(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  return ('errno' in thrown && LOCK_ERRNOS.has(Number(thrown.errno))) || isLockFailure(thrown.cause)
}
