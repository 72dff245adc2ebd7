import { type SQL, sql } from '../../../schema/mysql/drizzle.ts'
import type { Db } from '../../shared/mysql/open-mysql.ts'
import { compareNewestFirst, type FeedKind, serializeFeedKey } from './feed-key.ts'
import { findDevicesAt, type WatchTarget } from './watch-repository.ts'

/** Branches of one statement: each opens a table anew. */
const MAX_BRANCHES = 200

const STATUSES = ['OPEN', 'ACKNOWLEDGED', 'RESOLVED'] as const

/** A part of what a feed shows: its index holds the rows in the order of ids. */
interface Branch {
  readonly kind: FeedKind
  readonly table: SQL
  readonly index: SQL
  readonly conditions: SQL
}

/**
 * Lists the keys of the newest that a feed of these targets shows, newest first, `limit` at most: anomalies, logs of level
 * ERROR, and when devices went offline.
 *
 * Reads an index in order for each kind and target and stops at the limit. A statement has up to MAX_BRANCHES of them,
 * and those of the next one begin where the feed would end by what is found already.
 */
export async function listNewestFeedKeys(
  db: Db,
  targets: readonly WatchTarget[],
  limit: number,
): Promise<string[]> {
  const distinct = distinctOf(targets)
  const branches = branchesOf(distinct, await devicesAt(db, distinct))
  let keys = new Set<string>()
  for (let from = 0; from < branches.length; from += MAX_BRANCHES) {
    const oldest = keys.size < limit ? undefined : [...keys].at(-1)?.slice(0, 36)
    const selects = branches.slice(from, from + MAX_BRANCHES).map(({ kind, table, index, conditions }) => {
      const floor = oldest === undefined ? sql`` : sql` AND id >= ${oldest}`
      return sql`(SELECT ${sql.raw(`'${kind}'`)} kind, id, space_id spaceId FROM ${table} FORCE INDEX (${index})
        WHERE ${conditions}${floor} ORDER BY id DESC LIMIT ${limit})`
    })
    const [rows] = await db.execute(
      sql`SELECT DISTINCT kind, id, spaceId FROM (${sql.join(selects, sql.raw(' UNION ALL '))}) branch
        ORDER BY id DESC LIMIT ${limit}`,
    )
    const found = (rows as unknown as { kind: FeedKind; id: string; spaceId: string }[]).map(serializeFeedKey)
    keys = new Set([...keys, ...found].sort(compareNewestFirst).slice(0, limit))
  }
  return [...keys]
}

/** The devices whose going offline is news of a watched line or process: those that stand there now. */
async function devicesAt(db: Db, targets: readonly WatchTarget[]): Promise<string[]> {
  const placeIds = targets.flatMap(({ kind, targetId }) =>
    kind === 'LINE' || kind === 'PROCESS' ? [targetId] : [],
  )
  return placeIds.length === 0 ? [] : findDevicesAt(db, placeIds)
}

/** Leaves out what is in a space that is watched as a whole. */
function distinctOf(targets: readonly WatchTarget[]): WatchTarget[] {
  const whole = new Set(targets.flatMap(({ kind, spaceId }) => (kind === 'SPACE' ? [spaceId] : [])))
  return targets.filter(({ kind, spaceId }) => kind === 'SPACE' || !whole.has(spaceId))
}

function branchesOf(targets: readonly WatchTarget[], deviceIdsAtPlaces: readonly string[]): Branch[] {
  const idsOf = (wanted: WatchTarget['kind']) =>
    targets.flatMap(({ kind, targetId }) => (kind === wanted ? [targetId] : []))
  const deviceIds = new Set([...idsOf('DEVICE'), ...deviceIdsAtPlaces])
  return [
    ...targets.flatMap(target => [...anomalyBranches(target), ...logBranches(target)]),
    ...idsOf('SPACE').map(id => presenceBranch(sql`space_id = ${id}`, 'PRIMARY')),
    ...[...deviceIds].map(id => presenceBranch(sql`device_id = ${id}`, 'presence_event_device')),
  ]
}

function anomalyBranches({ kind, targetId, spaceId }: WatchTarget): Branch[] {
  const branch = (index: string, conditions: SQL): Branch => {
    return { kind: 'anomaly', table: sql`anomaly`, index: sql.raw(index), conditions }
  }
  if (kind === 'SPACE') return [branch('anomaly_space', sql`space_id = ${spaceId}`)]
  if (kind === 'DEVICE') return [branch('anomaly_device', sql`device_id = ${targetId}`)]
  return STATUSES.map(status => {
    const [index, column] =
      kind === 'LINE' ? ['anomaly_line', sql`line_id`] : ['anomaly_process', sql`process_id`]
    return branch(index, sql`space_id = ${spaceId} AND ${column} = ${targetId} AND status = ${status}`)
  })
}

function logBranches({ kind, targetId, spaceId }: WatchTarget): Branch[] {
  const [index, conditions] = {
    DEVICE: ['log_device_level', sql`device_id = ${targetId}`] as const,
    LINE: ['log_line', sql`space_id = ${spaceId} AND line_id = ${targetId}`] as const,
    PROCESS: ['log_process', sql`space_id = ${spaceId} AND process_id = ${targetId}`] as const,
    SPACE: ['log_level', sql`space_id = ${spaceId}`] as const,
  }[kind]
  return [
    {
      kind: 'log',
      table: sql`log`,
      index: sql.raw(index),
      conditions: sql`${conditions} AND level = 'ERROR'`,
    },
  ]
}

function presenceBranch(conditions: SQL, index: string): Branch {
  return {
    kind: 'presence',
    table: sql`presence_event`,
    index: sql.raw(index),
    conditions: sql`${conditions} AND kind = 'OFFLINE'`,
  }
}
