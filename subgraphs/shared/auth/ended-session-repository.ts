import { session } from '../../../schema/mysql/device-tables.ts'
import { desc, gt } from '../../../schema/mysql/drizzle.ts'
import type { Db } from '../mysql/open-mysql.ts'

/** Lists sessions that ended after a moment, the newest first, `limit` at most. Read from an index alone. */
export async function listEndedSessions(
  db: Db,
  { since, limit }: { since: Date; limit: number },
): Promise<{ sessionId: string; endedAt: Date | null }[]> {
  return db
    .select({ sessionId: session.id, endedAt: session.revokedAt })
    .from(session)
    .where(gt(session.revokedAt, since))
    .orderBy(desc(session.revokedAt))
    .limit(limit)
}
