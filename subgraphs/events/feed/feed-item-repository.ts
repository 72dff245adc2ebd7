import type { AnomalyState, LogEvent, PresenceEvent } from '../../../schema/live-event.ts'
import { anomaly } from '../../../schema/mysql/anomaly-tables.ts'
import { and, eq, inArray, or } from '../../../schema/mysql/drizzle.ts'
import { log, presenceEvent } from '../../../schema/mysql/ingest-tables.ts'
import type { Db } from '../../shared/mysql/open-mysql.ts'
import { timeOfId } from '../../shared/uuid-v7.ts'
import { type FeedKey, serializeFeedKey } from './feed-key.ts'

/** An item of a feed, whole. */
export type FeedItem =
  | { readonly kind: 'log'; readonly item: LogEvent }
  | { readonly kind: 'anomaly'; readonly item: AnomalyState }
  | { readonly kind: 'presence'; readonly item: PresenceEvent }

/** Loads the rows of items by serializeFeedKey, one statement for each kind that there is; those that are gone are missing. */
export async function loadFeedItems(db: Db, keys: readonly FeedKey[]): Promise<Map<string, FeedItem>> {
  const of = (wanted: FeedKey['kind']) => keys.filter(({ kind }) => kind === wanted)
  const [logs, anomalies, presence] = await Promise.all([
    findLogs(db, of('log')),
    findAnomalies(db, of('anomaly')),
    findPresence(db, of('presence')),
  ])
  const items: FeedItem[] = [
    ...logs.map(item => ({ kind: 'log' as const, item })),
    ...anomalies.map(item => ({ kind: 'anomaly' as const, item })),
    ...presence.map(item => ({ kind: 'presence' as const, item })),
  ]
  return new Map(items.map(item => [serializeFeedKey({ ...item.item, kind: item.kind }), item]))
}

async function findLogs(db: Db, keys: readonly FeedKey[]): Promise<LogEvent[]> {
  if (keys.length === 0) return []
  const rows = await db.select().from(log).where(byKey(log, keys))
  return rows.map(row => ({ ...row, receivedAt: row.receivedAt.getTime() }))
}

async function findAnomalies(db: Db, keys: readonly FeedKey[]): Promise<AnomalyState[]> {
  if (keys.length === 0) return []
  const rows = await db
    .select()
    .from(anomaly)
    .where(
      inArray(
        anomaly.id,
        keys.map(({ id }) => id),
      ),
    )
  return rows.map(({ openType: _, severityRank: __, ...row }) => ({
    ...row,
    receivedAt: row.receivedAt.getTime(),
    acknowledgedAt: row.acknowledgedAt?.getTime() ?? null,
    resolvedAt: row.resolvedAt?.getTime() ?? null,
  }))
}

async function findPresence(db: Db, keys: readonly FeedKey[]): Promise<PresenceEvent[]> {
  if (keys.length === 0) return []
  const rows = await db.select().from(presenceEvent).where(byKey(presenceEvent, keys))
  return rows.map(({ kind, ...row }) => ({ ...row, online: kind === 'ONLINE', at: timeOfId(row.id) }))
}

/** A range of the primary key for each space, and a point in it for each id. */
function byKey(table: typeof log | typeof presenceEvent, keys: readonly FeedKey[]) {
  const bySpace = Map.groupBy(keys, ({ spaceId }) => spaceId)
  return or(
    ...Array.from(bySpace, ([spaceId, ofSpace]) =>
      and(
        eq(table.spaceId, spaceId),
        inArray(
          table.id,
          ofSpace.map(({ id }) => id),
        ),
      ),
    ),
  )
}
