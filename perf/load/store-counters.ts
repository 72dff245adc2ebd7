import type { StoreAddresses } from './store-addresses.ts'
import { createClient, type StoreClient } from './store-client.ts'

/** Counters of the stores at one moment; those of a store that cannot be asked are missing. */
export interface StoreSample {
  /** `SHOW GLOBAL STATUS`: the counters named in DATABASE_COUNTERS. */
  readonly database: Readonly<Record<string, number>> | null
  /** `INFO`: the fields named in REDIS_COUNTERS. */
  readonly redis: Readonly<Record<string, number>> | null
  readonly ingestRedis: Readonly<Record<string, number>> | null
}

/** What is read of MariaDB. */
export const DATABASE_COUNTERS = [
  'Questions',
  'Com_select',
  'Com_insert',
  'Com_commit',
  'Slow_queries',
  'Threads_connected',
  'Threads_running',
  'Max_used_connections',
  'Innodb_row_lock_waits',
  'Innodb_row_lock_time',
  'Innodb_deadlocks',
  'Innodb_buffer_pool_reads',
  'Innodb_buffer_pool_read_requests',
  'Innodb_os_log_fsyncs',
  'Innodb_data_fsyncs',
  'Innodb_rows_read',
  'Innodb_rows_inserted',
  'Handler_read_rnd_next',
  'Created_tmp_disk_tables',
  'Sort_merge_passes',
] as const

/** What is read of each Redis. */
export const REDIS_COUNTERS = [
  'total_commands_processed',
  'instantaneous_ops_per_sec',
  'used_memory',
  'used_memory_rss',
  'connected_clients',
  'blocked_clients',
  'aof_delayed_fsync',
  'aof_current_size',
  'total_net_input_bytes',
  'total_net_output_bytes',
  'evicted_keys',
  'rejected_connections',
  'used_cpu_sys',
  'used_cpu_user',
] as const

/** Reads the counters of the stores over connections of its own. Dispose closes them. */
export interface StoreCounters extends AsyncDisposable {
  read(): Promise<StoreSample>
}

/** Opens the stores whose addresses are known. */
export async function openStoreCounters(addresses: StoreAddresses): Promise<StoreCounters> {
  const clients = await Promise.all([
    addresses.databaseUrl === null ? null : createClient(addresses.databaseUrl),
    addresses.redisUrl === null ? null : createClient(addresses.redisUrl),
    addresses.ingestRedisUrl === null ? null : createClient(addresses.ingestRedisUrl),
  ])
  const read = async (client: StoreClient | null, names: readonly string[]) => {
    try {
      return client === null ? null : pick(await client.read(), names)
    } catch {
      // What cannot be read for a moment is missing in the report, and ends no run.
      return null
    }
  }
  return {
    async read() {
      const [database, redis, ingestRedis] = await Promise.all([
        read(clients[0], DATABASE_COUNTERS),
        read(clients[1], REDIS_COUNTERS),
        read(clients[2], REDIS_COUNTERS),
      ])
      return { database, redis, ingestRedis }
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) await client?.close()
    },
  }
}

function pick(values: ReadonlyMap<string, string>, names: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    names.flatMap(name => {
      const value = Number(values.get(name))
      return Number.isFinite(value) ? [[name, value]] : []
    }),
  )
}
