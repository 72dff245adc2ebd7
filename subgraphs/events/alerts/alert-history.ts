import { alert } from '../../../schema/mysql/alert-tables.ts'
import { mailOutbox } from '../../../schema/mysql/device-tables.ts'
import { and, desc, eq, lt } from '../../../schema/mysql/drizzle.ts'
import type { Db } from '../../shared/mysql/open-mysql.ts'
import type { AlertRow } from './alert-repository.ts'

/** An alert with what the mailer knows of it. */
export interface ToldAlert extends AlertRow {
  /** Null too once the mailer has forgotten the mail, a week after it was done with. */
  readonly mailId: string | null
  readonly sentAt: Date | null
  readonly failedAt: Date | null
  readonly mailError: string | null
}

/** Lists alerts of a space, newest first, those of one member or of all. One statement, along an index. */
export async function listAlerts(
  db: Db,
  {
    spaceId,
    userId,
    after,
    limit,
  }: { spaceId: string; userId: string | null; after: string | null; limit: number },
): Promise<ToldAlert[]> {
  const rows = await db
    .select({
      alert,
      mailId: mailOutbox.id,
      sentAt: mailOutbox.sentAt,
      failedAt: mailOutbox.failedAt,
      mailError: mailOutbox.lastError,
    })
    .from(alert)
    .leftJoin(mailOutbox, eq(mailOutbox.id, alert.deliveryId))
    .where(
      and(
        eq(alert.spaceId, spaceId),
        userId === null ? undefined : eq(alert.userId, userId),
        after === null ? undefined : lt(alert.id, after),
      ),
    )
    .orderBy(desc(alert.id))
    .limit(limit)
  return rows.map(({ alert, ...mail }) => ({ ...alert, ...mail }))
}
