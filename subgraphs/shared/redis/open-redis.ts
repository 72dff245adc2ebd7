import { Redis } from 'ioredis'
import { observeCommands, type RoundTripListener } from './command-observer.ts'
import { boundPending } from './pending-bound.ts'
import { parseRedisUrl } from './redis-address.ts'

/** The longest wait before the next attempt to reconnect. */
const MAX_RECONNECT_DELAY_MS = 1_000

export interface RedisClientOptions {
  /** As parseRedisUrl reads it. */
  url: string
  /** Shows in CLIENT LIST: says which part of the product holds the connection. */
  name: string
  /** Deadline of a command from its call to its reply. Default 5 s. */
  commandTimeoutMs?: number
  /**
   * Makes it a connection for waiting: the longest BLOCK that its commands will ask for. They then have no deadline of
   * their own; instead a server that is silent for this and `commandTimeoutMs` is taken for dead.
   */
  maxBlockMs?: number
  /** Commands that may be unanswered or waiting for the connection; the next one is refused. Default 100,000. */
  maxPending?: number
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
 * Opens one connection to Redis. It reconnects for ever (50 ms to 1 s apart). A command in flight when the connection
 * breaks is rejected at once and never sent a second time, because it may have been done; one called while it is
 * broken waits for the next attempt to connect only. A server that does not answer is dropped and dialled again.
 */
export function openRedis(options: RedisClientOptions): RedisClient {
  const {
    url,
    name,
    commandTimeoutMs = 5_000,
    connectTimeoutMs = 5_000,
    maxBlockMs,
    maxPending = 100_000,
  } = options
  const redis = new Redis({
    ...parseRedisUrl(url),
    connectionName: name,
    connectTimeout: connectTimeoutMs,
    ...(maxBlockMs === undefined ? { commandTimeout: commandTimeoutMs } : {}),
    socketTimeout: commandTimeoutMs + (maxBlockMs ?? 0),
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: attempt => Math.min(attempt * 50, MAX_RECONNECT_DELAY_MS),
    disableClientInfo: true,
  })
  redis.on('error', options.onError ?? (() => {}))
  boundPending(redis, maxPending)
  if (options.onRoundTrip) observeCommands(redis, options.onRoundTrip)
  let closing: Promise<void> | undefined
  return {
    redis,
    [Symbol.asyncDispose]() {
      closing ??= close(redis, maxBlockMs !== undefined)
      return closing
    },
  }
}

async function close(redis: Redis, isWaiting: boolean): Promise<void> {
  if (hasEnded(redis)) return
  const ended = new Promise<void>(resolve => redis.once('end', resolve))
  if (redis.status === 'ready' && !isWaiting) await redis.quit().catch(() => {})
  if (hasEnded(redis)) return
  // Between two attempts to connect there is no socket whose end ioredis could report; as `wait` it ends at once.
  if (redis.status === 'reconnecting') redis.status = 'wait'
  redis.disconnect()
  await ended
}

function hasEnded(redis: Redis): boolean {
  return redis.status === 'end'
}
