import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import { withDeadline } from '../deadline.ts'
import { AppError, type ErrorCode, toAppError } from '../errors.ts'
import { Refusal, type UserError } from '../graphql/refusal.ts'
import type { Closable } from '../lifecycle.ts'
import type { Logger } from '../logger.ts'
import { openRedis } from './open-redis.ts'

/** Where calls of one kind travel on the live Redis: functions of redisKeys. */
export interface CallRoute {
  /** Channel of those who answer. */
  readonly calls: string
  /** Taken by the one of them who does. */
  claim(callId: string): string
  /** Channel of one who calls. */
  replies(callerId: string): string
}

/** Calls another role by way of Redis. */
export interface RemoteCaller extends Closable {
  /**
   * Answers what the role has answered. Rejects as its handler did, with Refusal or AppError; with UNAVAILABLE when nobody
   * answers there or within the deadline. A call is never sent twice.
   */
  call(name: string, args: unknown): Promise<unknown>
}

interface Call {
  readonly id: string
  readonly callerId: string
  readonly name: string
  readonly args: unknown
}

type Reply = { readonly id: string } & (
  | { readonly value: unknown }
  | { readonly userErrors: UserError[] }
  | { readonly error: { readonly code: ErrorCode; readonly message: string } }
)

interface Wiring {
  /** Of the live Redis: the listening side takes a connection of its own. */
  readonly url: string
  /** Connection to the same Redis for short commands; stays the caller's. */
  readonly redis: Redis
  readonly route: CallRoute
  readonly logger: Logger
}

const CLAIM_TTL_MS = 60_000

/** How often a subscribed connection is tried: it would not see otherwise that the server is gone. */
const PING_INTERVAL_MS = 5_000

/** Opens the calling side. Rejects with UNAVAILABLE when Redis does not take the subscription. */
export async function openRemoteCaller({
  deadlineMs = 20_000,
  ...wiring
}: Wiring & { readonly deadlineMs?: number }): Promise<RemoteCaller> {
  const { redis, route } = wiring
  const callerId = randomUUID()
  const waiting = new Map<string, PromiseWithResolvers<unknown>>()
  const listening = await subscribe(wiring, 'remote-caller', route.replies(callerId), text => {
    const reply = JSON.parse(text) as Reply
    const call = waiting.get(reply.id)
    if (call === undefined) return
    if ('value' in reply) call.resolve(reply.value)
    else if ('userErrors' in reply) call.reject(new Refusal(reply.userErrors))
    else call.reject(new AppError(reply.error.code, reply.error.message))
  })
  return {
    async call(name, args) {
      const id = randomUUID()
      const answer = Promise.withResolvers<unknown>()
      waiting.set(id, answer)
      try {
        return await withDeadline('The answer', deadlineMs, async () => {
          const heard = await redis.publish(
            callChannel(wiring),
            JSON.stringify({ id, callerId, name, args } satisfies Call),
          )
          if (heard === 0) throw new AppError('UNAVAILABLE', 'Nobody answers this now. Try again.')
          return await answer.promise
        })
      } finally {
        waiting.delete(id)
      }
    },
    [Symbol.asyncDispose]: listening[Symbol.asyncDispose],
  }
}

/** Answers calls, of several who do each call by one. `handle` rejects with what the caller is to get. */
export async function serveRemoteCalls({
  handle,
  ...wiring
}: Wiring & { readonly handle: (name: string, args: unknown) => Promise<unknown> }): Promise<Closable> {
  const { redis, route, logger } = wiring

  async function answer({ id, callerId, name, args }: Call): Promise<void> {
    if ((await redis.set(route.claim(id), '1', 'PX', CLAIM_TTL_MS, 'NX')) === null) return
    const reply = await handle(name, args).then(
      (value): Reply => ({ id, value }),
      (error: unknown): Reply => {
        if (error instanceof Refusal) return { id, userErrors: error.userErrors }
        const { code, message } = toAppError(error)
        if (code === 'INTERNAL_SERVER_ERROR') logger.error({ err: error, name }, 'remote_calls.failed')
        return { id, error: { code, message } }
      },
    )
    await redis.publish(route.replies(callerId), JSON.stringify(reply))
  }

  return await subscribe(wiring, 'remote-calls', callChannel(wiring), text => {
    answer(JSON.parse(text) as Call).catch(error => logger.warn({ err: error }, 'remote_calls.not_answered'))
  })
}

/** Channels are the server's, whatever its databases: sites that share one have a channel each. */
function callChannel({ redis, route }: Pick<Wiring, 'redis' | 'route'>): string {
  return `${route.calls}:${redis.options.db ?? 0}`
}

async function subscribe(
  { url, logger }: Wiring,
  name: string,
  channel: string,
  receive: (text: string) => void,
): Promise<Closable> {
  const onError = (error: Error) => logger.warn({ err: error, name }, 'redis.connection_failed')
  const client = openRedis({ url, name, onError })
  client.redis.on('message', (_channel: string, text: string) => {
    try {
      receive(text)
    } catch (error) {
      logger.warn({ err: error, name }, 'remote_calls.bad_message')
    }
  })
  try {
    await withDeadline(`The channel of ${name}`, 5_000, () => client.redis.subscribe(channel))
  } catch (error) {
    await client[Symbol.asyncDispose]()
    throw toAppError(error)
  }
  const pings = setInterval(() => client.redis.ping().catch(() => {}), PING_INTERVAL_MS)
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(pings)
      await client[Symbol.asyncDispose]()
    },
  }
}
