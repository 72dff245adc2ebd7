import { setTimeout as sleep } from 'node:timers/promises'
import type { Closable } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { idLowerBound } from '../shared/uuid-v7.ts'
import { deleteExpiredEmailCodes } from './email-code-repository.ts'
import { deleteExpiredRefreshTokens, deleteSpentSessions } from './session-repository.ts'
import { REFRESH_TOKEN_LIFETIME_MS } from './sessions.ts'

/** What has expired stays this long, so that nobody waits for its deletion who works with what expires now. */
const MARGIN_MS = 60 * 60_000

const MAX_ROWS = 1_000

/**
 * Starts to delete what has expired of accounts: codes from mails, refresh tokens, and sessions that have no token left.
 * Every `intervalMs` (default 10 min), the first time at once, `MAX_ROWS` a statement. Any number may run on one database.
 */
export function startAccountSweep({
  db,
  logger,
  intervalMs = 10 * 60_000,
}: {
  db: Db
  logger: Logger
  intervalMs?: number
}): Closable {
  const closing = new AbortController()

  async function sweep(): Promise<void> {
    const before = new Date(Date.now() - MARGIN_MS)
    const beforeId = idLowerBound(before.getTime() - REFRESH_TOKEN_LIFETIME_MS)
    for (const deleteRows of [
      () => deleteExpiredEmailCodes(db, before, MAX_ROWS),
      () => deleteExpiredRefreshTokens(db, before, MAX_ROWS),
      () => deleteSpentSessions(db, beforeId, MAX_ROWS),
    ])
      while (!closing.signal.aborted && (await deleteRows()) === MAX_ROWS);
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      await sweep().catch(error => logger.warn({ err: error }, 'account_sweep.failed'))
      await sleep(intervalMs, undefined, { signal: closing.signal, ref: false }).catch(() => {})
    }
  }

  const running = run()
  return {
    async [Symbol.asyncDispose]() {
      closing.abort()
      await running
    },
  }
}
