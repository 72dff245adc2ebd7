import { mailOutbox } from '../../../schema/mysql/device-tables.ts'
import { and, asc, eq, inArray, isNotNull, isNull, lt, lte, min, sql } from '../../../schema/mysql/drizzle.ts'
import type { Db } from '../../shared/mysql/open-mysql.ts'

/** The database's own clock, which all mailers of a site share. */
const NOW = sql`CURRENT_TIMESTAMP(3)`

/** A mail that was taken. Its number of attempts is its claim: who takes it next has another one. */
export interface TakenMail {
  readonly id: string
  readonly recipient: string
  readonly template: string
  readonly locale: string
  readonly params: Record<string, unknown>
  /** Attempts, with the one that it was taken for. */
  readonly attempts: number
}

type Claim = Pick<TakenMail, 'id' | 'attempts'>

/** Whether a mail is due; locks nothing. */
export async function hasDueMail(db: Db): Promise<boolean> {
  const rows = await db
    .select({ id: mailOutbox.id })
    .from(mailOutbox)
    .where(lte(mailOutbox.nextAttemptAt, NOW))
    .limit(1)
  return rows.length > 0
}

/** Locks what is due and nobody else has locked, longest due first. Needs READ COMMITTED, so as to lock no gaps. */
export async function lockDueMail(tx: Db, limit: number): Promise<TakenMail[]> {
  const rows = await tx
    .select({
      id: mailOutbox.id,
      recipient: mailOutbox.recipient,
      template: mailOutbox.template,
      locale: mailOutbox.locale,
      params: mailOutbox.params,
      attempts: mailOutbox.attempts,
    })
    .from(mailOutbox)
    .where(lte(mailOutbox.nextAttemptAt, NOW))
    .orderBy(asc(mailOutbox.nextAttemptAt))
    .limit(limit)
    .for('update', { skipLocked: true })
  return rows.map(row => ({ ...row, attempts: row.attempts + 1 }))
}

/** Counts an attempt at mails, which are due again when it has not ended in `leaseMs`. */
export async function leaseMail(tx: Db, ids: readonly string[], leaseMs: number): Promise<void> {
  await tx
    .update(mailOutbox)
    .set({ attempts: sql`${mailOutbox.attempts} + 1`, nextAttemptAt: inMs(leaseMs) })
    .where(inArray(mailOutbox.id, [...ids]))
}

/** Marks a mail as sent and forgets its params, which are secrets. False when another has taken it since. */
export async function markMailSent(db: Db, claim: Claim): Promise<boolean> {
  const done = { params: {}, nextAttemptAt: null, sentAt: NOW, lastError: null }
  const [result] = await db.update(mailOutbox).set(done).where(isClaimed(claim))
  return result.affectedRows === 1
}

/** Marks a mail as never to be sent and forgets its params. False when another has taken it since. */
export async function markMailFailed(db: Db, claim: Claim, lastError: string): Promise<boolean> {
  const done = { params: {}, nextAttemptAt: null, failedAt: NOW, lastError }
  const [result] = await db.update(mailOutbox).set(done).where(isClaimed(claim))
  return result.affectedRows === 1
}

/** Puts the next attempt off. False when another has taken it since. */
export async function postponeMail(
  db: Db,
  claim: Claim,
  { delayMs, lastError }: { delayMs: number; lastError: string },
): Promise<boolean> {
  const [result] = await db
    .update(mailOutbox)
    .set({ nextAttemptAt: inMs(delayMs), lastError })
    .where(isClaimed(claim))
  return result.affectedRows === 1
}

/** Id of the oldest mail that is neither sent nor given up; null when there is none. */
export async function findOldestWaitingMail(db: Db): Promise<string | null> {
  const [row] = await db
    .select({ id: min(mailOutbox.id) })
    .from(mailOutbox)
    .where(isNotNull(mailOutbox.nextAttemptAt))
  return row?.id ?? null
}

/** Deletes mails that are done and whose ids are before `idBefore`, at most `limit`; answers how many. */
export async function deleteDoneMail(db: Db, idBefore: string, limit: number): Promise<number> {
  const [result] = await db
    .delete(mailOutbox)
    .where(and(lt(mailOutbox.id, idBefore), isNull(mailOutbox.nextAttemptAt)))
    .orderBy(asc(mailOutbox.id))
    .limit(limit)
  return result.affectedRows
}

function isClaimed({ id, attempts }: Claim) {
  return and(eq(mailOutbox.id, id), eq(mailOutbox.attempts, attempts), isNotNull(mailOutbox.nextAttemptAt))
}

function inMs(ms: number) {
  return sql`CURRENT_TIMESTAMP(3) + INTERVAL ${Math.round(ms) * 1000} MICROSECOND`
}
