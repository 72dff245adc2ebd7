import type { Db } from '../shared/mysql/open-mysql.ts'

const ER_LOCK_DEADLOCK = 1213
const MAX_ATTEMPTS = 4

/**
 * Runs a transaction whose statements each see what others have committed, and that locks rows alone and no gaps between
 * them (READ COMMITTED). Who takes the row of a space first, by lockSpace, has the space to itself.
 *
 * The database may sacrifice one of two that wait for each other, such as one that meets a sweep: it is run again, from
 * its start, 4 times in all.
 */
export async function runSpaceTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(work, { isolationLevel: 'read committed' })
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isDeadlock(error)) throw error
    }
  }
}

function isDeadlock(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  return ('errno' in thrown && thrown.errno === ER_LOCK_DEADLOCK) || isDeadlock(thrown.cause)
}
