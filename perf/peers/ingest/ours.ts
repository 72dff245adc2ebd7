import { setTimeout as sleep } from 'node:timers/promises'
import type { RowDataPacket } from 'mysql2/promise'
import { SHARD_COUNT } from '../../../schema/ingest-entry.ts'
import { redisKeys } from '../../../schema/redis-keys.ts'
import { openRedis } from '../../../subgraphs/shared/redis/open-redis.ts'
import { startProduct } from '../../../subgraphs/shared/testkit/product.ts'
import { addFactoryRows, type FactoryDevice } from '../factory-rows.ts'
import { runPeer } from '../peer-program.ts'
import { openProductSite } from '../product-site.ts'

/** How many there are of each. */
export interface OursOptions {
  readonly devices: number
  readonly users: number
}

/** Where devices and people of the product connect, and as whom. */
export interface OursReady {
  readonly doorUrl: string
  readonly graphqlUrl: string
  readonly spaceId: string
  readonly devices: readonly FactoryDevice[]
  /** Access tokens, good for 15 minutes. */
  readonly tokens: readonly string[]
}

const WRITTEN_DEADLINE_MS = 28_000
/** Asking costs the product CPU. */
const POLL_INTERVAL_MS = 50

// The product as `npm start` runs it, in two processes (the front, and the back with door, ingest and worker), on
// MariaDB and Redis that are set as the embedded ones: every commit and every append of the ingest log on disk. All of
// it shares the CPUs of this process. It answers `written` when every entry of the ingest log is in the tables (false when that takes too
// long), `rows` with the number of logs there, and `log bytes` with what the ingest log's Redis has been sent.
await runPeer<OursOptions, OursReady>(async options => {
  const site = await openProductSite({ name: 'ingest' })
  const database = await site.createDatabase('ingest')
  const { pool } = database
  const { spaceId, devices, userIds } = await addFactoryRows(pool, options)
  const product = await startProduct({ env: { ...database.env, NUVION_DEMO: '0' } })
  const client = openRedis({ url: database.env.REDIS_INGEST_URL ?? '', name: 'perf' })
  const { redis } = client

  async function isWritten(): Promise<boolean> {
    const [rows] = await pool.query<RowDataPacket[]>('SELECT shard, last_id FROM ingest_offset')
    const left = await Promise.all(
      rows.map(({ shard, last_id }) =>
        redis.xrange(redisKeys.ingestLog(shard), `(${last_id}`, '+', 'COUNT', 1),
      ),
    )
    return rows.length === SHARD_COUNT && left.every(entries => entries.length === 0)
  }

  async function answer(question: string): Promise<unknown> {
    if (question === 'written') {
      const deadline = performance.now() + WRITTEN_DEADLINE_MS
      while (performance.now() < deadline) {
        if (await isWritten()) return true
        await sleep(POLL_INTERVAL_MS)
      }
      return false
    }
    if (question === 'log bytes') {
      const stats = await redis.info('stats')
      return Number(/total_net_input_bytes:(\d+)/.exec(stats)?.[1])
    }
    const [rows] = await pool.query<RowDataPacket[]>('SELECT COUNT(*) total FROM log WHERE space_id = ?', [
      spaceId,
    ])
    return Number(rows[0]?.total)
  }

  return {
    ready: {
      doorUrl: `${product.url.replace(/^http/, 'ws')}/stomp/websocket`,
      graphqlUrl: `${product.url.replace(/^http/, 'ws')}/graphql`,
      spaceId,
      devices,
      tokens: await Promise.all(userIds.map(userId => site.signIn(userId))),
    },
    answer,
    async close() {
      await product[Symbol.asyncDispose]()
      await client[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
      await site[Symbol.asyncDispose]()
    },
  }
})
