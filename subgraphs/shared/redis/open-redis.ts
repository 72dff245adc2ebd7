import { Redis } from 'ioredis'
import { observeCommands, type RoundTripListener } from './command-observer.ts'
import { parseRedisUrl } from './redis-address.ts'

/** The longest wait before the next attempt to reconnect. */
const MAX_RECONNECT_DELAY_MS = 1_000

export interface RedisClientOptions {
  /** As parseRedisUrl reads it. */
  url: string
  /** Shows in CLIENT LIST: says which part of the product holds the connection. */
  name: string
  /** Deadline of a command from its call to its reply, reconnecting included. Default 5 s. */
  commandTimeoutMs?: number
  /**
   * True for a connection that waits in XREAD BLOCK or subscribes: its commands may wait as long as they say, so they
   * have no deadline of their own, and what was in flight when the connection broke is rejected, not sent again.
   */
  isBlocking?: boolean
  /** Default 5 s. */
  connectTimeoutMs?: number
  /** Told when the connection breaks or cannot be made; the client goes on trying. Default: nothing. */
  onError?: (error: Error) => void
  /** Sees what is sent, one call per round trip: tests count with it. */
  onRoundTrip?: RoundTripListener
}

/** An open connection. Dispose waits briefly for replies in flight, then closes it. */
export interface RedisClient {
  redis: Redis
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Opens one connection to Redis. It reconnects for ever (50 ms to 1 s apart); a command waits at most its deadline and
 * two reconnections, so callers see an error soon and nothing piles up while the server is away.
 */
export function openRedis(options: RedisClientOptions): RedisClient {
  const { url, name, commandTimeoutMs = 5_000, connectTimeoutMs = 5_000, isBlocking = false } = options
  const redis = new Redis({
    ...parseRedisUrl(url),
    connectionName: name,
    connectTimeout: connectTimeoutMs,
    ...(isBlocking ? {} : { commandTimeout: commandTimeoutMs }),
    maxRetriesPerRequest: isBlocking ? 0 : 2,
    autoResendUnfulfilledCommands: false,
    retryStrategy: attempt => Math.min(attempt * 50, MAX_RECONNECT_DELAY_MS),
    disableClientInfo: true,
  })
  redis.on('error', options.onError ?? (() => {}))
  if (options.onRoundTrip) observeCommands(redis, options.onRoundTrip)
  let closing: Promise<void> | undefined
  return {
    redis,
    [Symbol.asyncDispose]() {
      closing ??= close(redis, isBlocking)
      return closing
    },
  }
}

async function close(redis: Redis, isBlocking: boolean): Promise<void> {
  if (redis.status === 'end') return
  const ended = new Promise<void>(resolve => redis.once('end', resolve))
  if (redis.status === 'ready' && !isBlocking) await redis.quit().catch(() => {})
  redis.disconnect()
  await ended
}
