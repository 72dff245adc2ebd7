import { setTimeout as sleep } from 'node:timers/promises'
import type { Closable } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { idLowerBound } from '../shared/uuid-v7.ts'
import { deleteInvitationsBefore } from './invitation-repository.ts'
import { INVITATION_LIFETIME_MS, RESTORABLE_MS } from './space-limits.ts'
import {
  deleteRowsOfSpace,
  deleteSpaceRow,
  findSpacesDeletedBefore,
  removeDevicesOfSpace,
  TABLES_OF_SPACE,
} from './space-purge-repository.ts'

/** For clocks that differ: nothing goes that somebody may still restore or accept. */
const MARGIN_MS = 60 * 60_000

/** Rows of one statement at most, and spaces of one look. */
const MAX_ROWS = 1_000
const MAX_SPACES = 100

/**
 * Starts to delete for good what nobody can restore or accept any more: spaces with their members, invitations,
 * topology and audit, and invitations. Their devices stay, as removed; what those have logged goes with the retention.
 *
 * Every `intervalMs` (default 1 h), the first time at once. Each statement takes a bounded number of rows and the space
 * itself goes last, so any number may run on one database, and what one has begun another ends.
 */
export function startSpaceSweep({
  db,
  logger,
  intervalMs = 60 * 60_000,
}: {
  db: Db
  logger: Logger
  intervalMs?: number
}): Closable {
  const closing = new AbortController()

  async function repeat(change: () => Promise<number>): Promise<void> {
    while (!closing.signal.aborted && (await change()) === MAX_ROWS);
  }

  async function purge(spaceId: string, before: Date): Promise<void> {
    for (const table of TABLES_OF_SPACE) await repeat(() => deleteRowsOfSpace(db, table, spaceId, MAX_ROWS))
    await repeat(() => removeDevicesOfSpace(db, spaceId, MAX_ROWS))
    if (closing.signal.aborted) return
    if (await deleteSpaceRow(db, spaceId, before)) logger.info({ spaceId }, 'space_sweep.purged')
  }

  async function sweep(): Promise<void> {
    const now = Date.now() - MARGIN_MS
    const before = new Date(now - RESTORABLE_MS)
    for (let found = MAX_SPACES; found === MAX_SPACES && !closing.signal.aborted; ) {
      const spaceIds = await findSpacesDeletedBefore(db, before, MAX_SPACES)
      for (const spaceId of spaceIds) await purge(spaceId, before)
      found = spaceIds.length
    }
    const idBound = idLowerBound(now - INVITATION_LIFETIME_MS)
    await repeat(() => deleteInvitationsBefore(db, idBound, MAX_ROWS))
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      await sweep().catch(error => logger.warn({ err: error }, 'space_sweep.failed'))
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
