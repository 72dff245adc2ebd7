import type { Redis } from 'ioredis'
import type { Pool, PoolConnection, RowDataPacket } from 'mysql2/promise'
import { type AnomalyItem, SHARD_COUNT } from '../../../schema/ingest-entry.ts'
import { SEVERITIES } from '../../../schema/severity.ts'
import { createMetrics } from '../../shared/metrics.ts'
import { isLockFailure } from '../../shared/mysql/short-transaction.ts'
import { newId, newIdAt } from '../../shared/uuid-v7.ts'
import type { HumanStep } from './anomaly-model.ts'
import { createBatchWriter } from './batch-writer.ts'
import { createDeadLetters } from './dead-letters.ts'
import { directory, type IngestFixture, silentLogger } from './ingest-fixture.ts'
import { createIngestMetrics } from './ingest-metrics.ts'
import type { OwnedShard } from './shard-leases.ts'

/** A run of two writers and two people, for tests to compare what it leaves with a model. */

const DEVICES = 8
const TYPES = ['heat', 'jam', 'Übertemperatur 🌡'] as const
const BATCHES = 60

/** Makes numbers between 0 and 1, the same for the same seed. */
export type Random = () => number

/** What a transaction did that was committed as number `turn`. */
export type Committed = { readonly turn: number } & (
  | { readonly items: readonly AnomalyItem[] }
  | {
      readonly ids: readonly string[]
      readonly step: HumanStep
      readonly userId: string
      readonly at: number
    }
)

/** What came of a run. */
export interface AnomalyRun {
  /** In the order of the commits. */
  readonly committed: readonly Committed[]
  /** Transactions that the database ended for others to go on, or that waited too long; each was run again. */
  readonly deadlocks: number
  /** Batches that were written again because an anomaly was reopened meanwhile. */
  readonly races: number
}

/** Lets any number of shared works run together, and an exclusive one alone. */
function createTurnstile() {
  const shared = new Set<Promise<unknown>>()
  let alone: Promise<unknown> = Promise.resolve()
  return {
    async share<T>(work: () => Promise<T>): Promise<T> {
      let before: unknown
      while (before !== alone) {
        before = alone
        await before
      }
      const running = work()
      shared.add(running)
      return await running.finally(() => shared.delete(running))
    },
    exclude<T>(work: () => Promise<T>): Promise<T> {
      const running = alone.then(async () => {
        await Promise.allSettled(shared)
        return await work()
      })
      alone = running.catch(() => {})
      return running
    },
  }
}

/**
 * Runs batches of two writers, each with devices of its own, while two people acknowledge, resolve and reopen what they
 * find, all at once. `areReopensAlone`: not while a batch is written; a batch that does not see one that was reopened at
 * that moment is right, and the model does not know.
 */
export async function runAnomalies(
  { pool, ingestRedis, fixture }: { pool: Pool; ingestRedis: Redis; fixture: IngestFixture },
  {
    randoms,
    areReopensAlone,
  }: { randoms: readonly [Random, Random, Random, Random]; areReopensAlone: boolean },
): Promise<AnomalyRun> {
  const { spaceId } = fixture
  await pool.query('CREATE TABLE IF NOT EXISTS commit_turn (id INT PRIMARY KEY, turn INT NOT NULL)')
  await pool.query('REPLACE INTO commit_turn VALUES (1, 0)')
  await pool.query('DELETE FROM ingest_offset')
  await pool.query('INSERT INTO ingest_offset (shard, last_id, fence, owner, lease_until) VALUES ?', [
    Array.from({ length: SHARD_COUNT }, (_, shard) => [
      shard,
      '0-0',
      1,
      'test',
      new Date(Date.now() + 3_600_000),
    ]),
  ])
  const committed: Committed[] = []
  const turnstile = createTurnstile()
  let deadlocks = 0
  let writing = 2

  /** The last statement of a transaction: it holds back all others until the commit. */
  async function takeTurn(connection: PoolConnection): Promise<number> {
    await connection.query('UPDATE commit_turn SET turn = turn + 1')
    const [rows] = await connection.query<RowDataPacket[]>('SELECT turn FROM commit_turn')
    return rows[0]?.turn
  }

  function noteDeadlock(error: unknown): never {
    if (isLockFailure(error)) deadlocks++
    throw error
  }

  /** The pool with commits that take turns. */
  function withTurns(onTurn: (turn: number) => void): Pool {
    return new Proxy(pool, {
      get(target, name) {
        const value = Reflect.get(target, name)
        if (name !== 'getConnection') return typeof value === 'function' ? value.bind(target) : value
        return async () => {
          const connection = await target.getConnection()
          return new Proxy(connection, {
            get(of, method) {
              const own = Reflect.get(of, method)
              if (typeof own !== 'function') return own
              if (method === 'query') return (...args: unknown[]) => own.apply(of, args).catch(noteDeadlock)
              if (method !== 'commit') return own.bind(of)
              return async () => {
                onTurn(await takeTurn(of))
                await of.commit()
              }
            },
          })
        }
      },
    })
  }

  const metrics = createMetrics({ group: 'test', withDefaults: false })
  const counted = createIngestMetrics(metrics)
  const senders = Array.from({ length: DEVICES }, newId)

  async function write(owned: readonly number[], random: Random): Promise<void> {
    const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
    const own = senders.filter((_, index) => owned.includes(index % SHARD_COUNT))
    const shards: OwnedShard[] = owned.map(shard => ({ shard, fence: 1, lastId: '0-0' }))
    let turn = 0
    const writer = createBatchWriter({
      pool: withTurns(taken => {
        turn = taken
      }),
      ...{ directory, metrics: counted, logger: silentLogger },
      deadLetters: createDeadLetters({ redis: ingestRedis }),
    })
    const sent: AnomalyItem[] = []
    for (let batch = 1; batch <= BATCHES; batch++) {
      const items = Array.from({ length: 1 + Math.floor(random() * 12) }, () => {
        const resent = random() < 0.15 ? sent[Math.floor(random() * sent.length)] : undefined
        if (resent) return resent
        const lateMs = random() < 0.3 ? Math.floor(random() * 1_500) : 0
        const item = fixture.anomaly(pick(own), {
          ...{ id: newIdAt(Date.now() - lateMs), type: pick(TYPES), severity: pick(SEVERITIES) },
          cleared: random() < 0.25,
        })
        sent.push(item)
        return item
      })
      const ends = new Map(owned.map(shard => [shard, `${batch}-0`]))
      await turnstile.share(() =>
        writer.write(
          { items, malformed: [], entryCount: 1, ends, oldestAt: Date.now() },
          shards,
          new AbortController().signal,
        ),
      )
      committed.push({ turn, items })
    }
    writing--
  }

  async function act(userId: string, random: Random): Promise<void> {
    while (writing > 0) {
      const [rows] = await pool.query<RowDataPacket[]>(
        'SELECT id FROM anomaly WHERE space_id = ? ORDER BY id',
        [spaceId],
      )
      const step = (['ACKNOWLEDGED', 'RESOLVED', 'REOPENED'] as const)[Math.floor(random() * 3)] ?? 'RESOLVED'
      const count = step === 'ACKNOWLEDGED' ? 5 : 1
      const ids = Array.from({ length: count }, () => rows[Math.floor(random() * rows.length)]?.id)
      const take = () => takeStep([...new Set(ids.flatMap(id => id ?? []))].toSorted(), step, userId)
      if (step === 'REOPENED' && areReopensAlone) await turnstile.exclude(take)
      else await take()
    }
  }

  /** Tries again what the database has ended, as the product does, 4 times in all. */
  async function takeStep(
    ids: readonly string[],
    step: HumanStep,
    userId: string,
    attempt = 1,
  ): Promise<void> {
    if (ids.length === 0) return
    const at = Date.now()
    let isAgain = false
    const connection = await pool.getConnection()
    try {
      await connection.query('SET TRANSACTION ISOLATION LEVEL READ COMMITTED')
      await connection.beginTransaction()
      const [from, set, values] = STEPS[step](userId, at)
      const [found] = await connection.query<RowDataPacket[]>(
        `SELECT id FROM anomaly FORCE INDEX (PRIMARY) WHERE id IN (?) AND ${from} ORDER BY id FOR UPDATE`,
        [ids],
      )
      const changed = found.map(({ id }) => String(id))
      if (changed.length > 0) {
        await connection.query(
          `UPDATE anomaly FORCE INDEX (PRIMARY) SET ${set}, version = version + 1 WHERE id IN (?) AND ${from}`,
          [...values, changed],
        )
        const turn = await takeTurn(connection)
        await connection.commit()
        committed.push({ turn, ids: changed, step, userId, at })
      } else await connection.rollback()
    } catch (error) {
      await connection.rollback()
      const isConflict =
        step === 'REOPENED' && error instanceof Error && 'errno' in error && error.errno === 1062
      if (isLockFailure(error)) deadlocks++
      isAgain = isLockFailure(error) && attempt < 4
      if (!isConflict && !isAgain) throw error
    } finally {
      connection.release()
    }
    if (isAgain) await takeStep(ids, step, userId, attempt + 1)
  }

  const [first, second, one, other] = randoms
  await Promise.all([
    write([0, 1, 2, 3], first),
    write([4, 5, 6, 7], second),
    act(newId(), one),
    act(newId(), other),
  ])
  const retries = await metrics.getSingleMetric('nuvion_ingest_retries_total')?.get()
  return {
    committed: committed.toSorted((a, b) => a.turn - b.turn),
    deadlocks,
    races: (retries?.values ?? []).reduce((sum, { value }) => sum + value, 0),
  }
}

/** Of each step: from what it leads, what it sets, and the values of that. */
const STEPS: Record<
  HumanStep,
  (userId: string, at: number) => [from: string, set: string, values: unknown[]]
> = {
  ACKNOWLEDGED: (userId, at) => [
    "status = 'OPEN'",
    "status = 'ACKNOWLEDGED', acknowledged_at = ?, acknowledged_by = ?",
    [new Date(at), userId],
  ],
  RESOLVED: (userId, at) => [
    "status <> 'RESOLVED'",
    "status = 'RESOLVED', resolved_at = ?, resolved_by = ?",
    [new Date(at), userId],
  ],
  REOPENED: () => ["status = 'RESOLVED'", "status = 'OPEN', resolved_at = NULL, resolved_by = NULL", []],
}
