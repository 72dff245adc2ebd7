import type { PoolConnection, ResultSetHeader } from 'mysql2/promise'
import type { PresenceItem } from '../../../schema/ingest-entry.ts'
import { insertInParts } from './insert-in-parts.ts'
import { fenceValues, type OwnedShard, whereFenced } from './shard-leases.ts'

const PRESENCE_ROW_BYTES = 130

/** Inserts transitions. One whose id is there already is the same transition: it stays. */
export async function insertPresenceEvents(
  connection: PoolConnection,
  items: readonly PresenceItem[],
): Promise<void> {
  await insertInParts(
    connection,
    'INSERT INTO presence_event (space_id, id, device_id, kind)',
    items.map(item => [item.spaceId, item.id, item.deviceId, item.online ? 'ONLINE' : 'OFFLINE']),
    () => PRESENCE_ROW_BYTES,
    'ON DUPLICATE KEY UPDATE device_id = presence_event.device_id',
  )
}

/** Moves the offsets of shards to `ends`; false when one of them is not ours any more: then roll back. */
export async function moveOffsets(
  connection: PoolConnection,
  shards: readonly OwnedShard[],
  ends: ReadonlyMap<number, string>,
): Promise<boolean> {
  const cases = shards.map(() => 'WHEN ? THEN ?').join(' ')
  const [result] = await connection.query<ResultSetHeader>(
    `UPDATE ingest_offset SET last_id = CASE shard ${cases} ELSE last_id END WHERE ${whereFenced(shards)}`,
    [...shards.flatMap(({ shard }) => [shard, ends.get(shard)]), ...fenceValues(shards)],
  )
  return result.affectedRows === shards.length
}
