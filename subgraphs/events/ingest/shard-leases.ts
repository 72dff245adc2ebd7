import type { Pool, ResultSetHeader, RowDataPacket } from 'mysql2/promise'
import { SHARD_COUNT } from '../../../schema/ingest-entry.ts'

/** How long a shard stays its owner's without a renewal; the database's clock decides. */
export const LEASE_SECONDS = 5

/** How much earlier than the database its owner takes a lease for ended: what it sends until then has arrived. */
const LEASE_MARGIN_MS = 500

/** A shard of the ingest log that this process owns. */
export interface OwnedShard {
  readonly shard: number
  /** Number of this ownership; a transaction that finds another one in the table must not commit. */
  readonly fence: number
  /** Id of the last entry that is written. */
  lastId: string
}

/** The shards that a process owns, by a lease in the table `ingest_offset`. */
export interface ShardLeases {
  readonly owned: ReadonlyMap<number, OwnedShard>
  /** Takes all shards that are free; returns the new ones. The first call also takes what this owner held before. */
  acquire(): Promise<OwnedShard[]>
  /**
   * Whether the shards are certainly still ours, by the clock of this process: false when a pause, or a database that
   * is away, has outlasted the lease. `renew` then tells.
   */
  isSure(shards: Iterable<number>): boolean
  /** Prolongs what is held; returns the numbers of shards that are another's now. */
  renew(): Promise<number[]>
  /** Drops the shards whose fence is not ours any more; returns their numbers. */
  dropLost(): Promise<number[]>
  /** Frees what is held, for others to take at once. */
  release(): Promise<void>
}

/**
 * Creates the leases of `owner`, a name that stays the same when the process is started anew by its supervisor.
 *
 * Each process takes every shard that is free: a second one stands by and takes over within LEASE_SECONDS.
 */
export function createShardLeases({ pool, owner }: { pool: Pool; owner: string }): ShardLeases {
  const owned = new Map<number, OwnedShard>()
  /** By shard, on the clock of performance.now(). */
  const sureUntil = new Map<number, number>()
  let isFirst = true

  /** Notes a lease that was taken or prolonged by a statement sent at `sentAt`: the database counts from later on. */
  function noteLease(shards: Iterable<number>, sentAt: number): void {
    for (const shard of shards) sureUntil.set(shard, sentAt + LEASE_SECONDS * 1_000 - LEASE_MARGIN_MS)
  }

  async function acquire(): Promise<OwnedShard[]> {
    const wanted = allShards().filter(shard => !owned.has(shard))
    if (wanted.length === 0) return []
    if (isFirst) await createMissingRows()
    const [free] = await pool.query<RowDataPacket[]>(SELECT_FREE, [wanted, owner, isFirst])
    const acquired = free.length === 0 ? [] : await take(free.map(row => row.shard))
    isFirst = false
    for (const shard of acquired) owned.set(shard.shard, shard)
    return acquired
  }

  /** Takes those of the shards that are still free, under lock: two processes, even twins of a name, never share a fence. */
  async function take(shards: number[]): Promise<OwnedShard[]> {
    const connection = await pool.getConnection()
    try {
      await connection.beginTransaction()
      const [rows] = await connection.query<RowDataPacket[]>(`${SELECT_FREE} ORDER BY shard FOR UPDATE`, [
        shards,
        owner,
        isFirst,
      ])
      const sentAt = performance.now()
      const taken = rows.map(row => ({ shard: row.shard, fence: Number(row.fence) + 1, lastId: row.last_id }))
      if (taken.length > 0)
        await connection.query(
          `UPDATE ingest_offset SET fence = fence + 1, owner = ?, lease_until = NOW(3) + INTERVAL ${LEASE_SECONDS} SECOND
           WHERE shard IN (?)`,
          [owner, taken.map(({ shard }) => shard)],
        )
      await connection.commit()
      connection.release()
      noteLease(
        taken.map(({ shard }) => shard),
        sentAt,
      )
      return taken
    } catch (error) {
      connection.destroy()
      throw error
    }
  }

  async function createMissingRows(): Promise<void> {
    const [rows] = await pool.query<RowDataPacket[]>('SELECT shard FROM ingest_offset')
    const known = new Set(rows.map(row => row.shard))
    const missing = allShards().filter(shard => !known.has(shard))
    if (missing.length === 0) return
    await pool.query(
      `INSERT INTO ingest_offset (shard, last_id, fence, owner, lease_until) VALUES ?
       ON DUPLICATE KEY UPDATE shard = VALUES(shard)`,
      [missing.map(shard => [shard, '0-0', 0, '', '2000-01-01 00:00:00.000'])],
    )
  }

  async function renew(): Promise<number[]> {
    if (owned.size === 0) return []
    const held = [...owned.values()]
    const sentAt = performance.now()
    const [result] = await pool.query<ResultSetHeader>(
      `UPDATE ingest_offset SET lease_until = NOW(3) + INTERVAL ${LEASE_SECONDS} SECOND WHERE ${whereFenced(held)}`,
      fenceValues(held),
    )
    if (result.affectedRows !== held.length) return dropLost()
    noteLease(
      held.map(({ shard }) => shard),
      sentAt,
    )
    return []
  }

  async function dropLost(): Promise<number[]> {
    const [rows] = await pool.query<RowDataPacket[]>('SELECT shard, fence FROM ingest_offset')
    const fences = new Map(rows.map(row => [row.shard, Number(row.fence)]))
    const lost = [...owned.values()].filter(held => fences.get(held.shard) !== held.fence)
    for (const { shard } of lost) {
      owned.delete(shard)
      sureUntil.delete(shard)
    }
    return lost.map(({ shard }) => shard)
  }

  return {
    owned,
    acquire,
    isSure(shards) {
      const now = performance.now()
      for (const shard of shards) if ((sureUntil.get(shard) ?? 0) <= now) return false
      return true
    },
    renew,
    dropLost,
    async release() {
      const held = [...owned.values()]
      owned.clear()
      sureUntil.clear()
      if (held.length === 0) return
      await pool.query(
        `UPDATE ingest_offset SET lease_until = NOW(3) - INTERVAL 1 SECOND WHERE ${whereFenced(held)}`,
        fenceValues(held),
      )
    },
  }
}

const SELECT_FREE = `SELECT shard, fence, last_id FROM ingest_offset
  WHERE shard IN (?) AND (lease_until < NOW(3) OR (owner = ? AND ?))`

/** Condition on `ingest_offset` that matches exactly the given shards as long as they are ours. */
export function whereFenced(held: readonly OwnedShard[]): string {
  return held.map(() => '(shard = ? AND fence = ?)').join(' OR ')
}

/** Values for the placeholders of whereFenced. */
export function fenceValues(held: readonly OwnedShard[]): number[] {
  return held.flatMap(({ shard, fence }) => [shard, fence])
}

function allShards(): number[] {
  return Array.from({ length: SHARD_COUNT }, (_, shard) => shard)
}
