import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import { redisKeys } from '../../schema/redis-keys.ts'
import { newIdAt } from '../../subgraphs/shared/uuid-v7.ts'
import {
  CONNECT_LUA,
  DISCONNECT_LUA,
  SETTLE_LUA,
  SWEEP_LUA,
  TOUCH_FIELDS,
  TOUCH_LUA,
  TOUCH_REPORT,
} from './presence-lua.ts'

/** A session as the scripts need it. Times are epoch milliseconds. */
export interface ScriptSession {
  readonly deviceId: string
  readonly spaceId: string
  readonly generation: number
  readonly at: number
  /** Id of the online transition that this session made; empty when it took a running episode over. */
  readonly onlineId: string
}

/** The last life sign of a session and when it goes offline without another. */
export interface ScriptTouch extends ScriptSession {
  /** From now. */
  readonly deadlineMs: number
}

/** What a touch found that is out of the ordinary; see TOUCH_LUA. */
export interface TouchReport {
  /** Place in the touches that were given. */
  readonly index: number
  readonly kind: keyof typeof TOUCH_REPORT
  readonly generation: number
  /** stale: the newer session's door; revived: the id of the new online transition. */
  readonly text: string
}

/** Typed calls of the presence scripts, one round trip each. All reject as Redis does. */
export type PresenceScripts = ReturnType<typeof createPresenceScripts>

const connectReply = z.union([
  z.tuple([z.literal(0)]),
  z.tuple([z.number(), z.string(), z.union([z.literal(0), z.literal(1)])]),
])
const sweepReply = z.tuple([z.number(), z.number(), z.number()])
const touchReply = z.array(z.union([z.number(), z.string()]))

const REPORT_KINDS = new Map(
  (['stale', 'revived', 'restored'] as const).map(kind => [TOUCH_REPORT[kind] as number, kind]),
)

/** Devices in one call of the touch script: bounds how long it holds Redis (about 10 ms). */
const MAX_TOUCHES_PER_CALL = 1_000

/** Creates the calls of a door. `now` replaces the Redis server's clock for deadlines and generations (tests). */
export function createPresenceScripts({
  redis,
  doorId,
  maxPending,
  now,
}: {
  redis: Redis
  doorId: string
  maxPending: number
  now?: () => number
}) {
  const keys = [redisKeys.presenceDeadlines(), redisKeys.presencePending()]
  const script = (lua: string) => {
    const run = createScript(redis, lua)
    return (args: (string | number)[]) =>
      run(keys, [now === undefined ? '' : now(), redisKeys.devicePresence(''), ...args])
  }
  const connect = script(CONNECT_LUA)
  const touch = script(TOUCH_LUA)
  const disconnect = script(DISCONNECT_LUA)
  const sweep = script(SWEEP_LUA)
  const settle = script(SETTLE_LUA)

  async function touchSome(touches: readonly ScriptTouch[]): Promise<TouchReport[]> {
    const tails = idTails('online', touches.length)
    const args = touches.flatMap(({ deviceId, generation, at, deadlineMs, spaceId, onlineId }, index) => {
      return [deviceId, generation, at, deadlineMs, spaceId, tails[index] ?? '', onlineId]
    })
    if (args.length !== touches.length * TOUCH_FIELDS) throw new TypeError('A touch has another form')
    const reply = touchReply.parse(await touch([doorId, maxPending, ...args]))
    const reports: TouchReport[] = []
    for (let i = 0; i < reply.length; i += 4) {
      const kind = REPORT_KINDS.get(Number(reply[i + 1]))
      if (kind === undefined) throw new TypeError(`The touch script reports ${reply[i + 1]}`)
      reports.push({
        index: Number(reply[i]),
        kind,
        generation: Number(reply[i + 2]),
        text: String(reply[i + 3]),
      })
    }
    return reports
  }

  return {
    /** Begins a session; null when too many transitions wait for the ingest log. */
    async connect(session: Omit<ScriptSession, 'generation' | 'onlineId'>, deadlineMs: number) {
      const [generation, onlineId, wasOnline] = connectReply.parse(
        await connect([
          ...[doorId, maxPending, redisKeys.doorMailbox('')],
          ...[session.deviceId, session.spaceId, session.at, deadlineMs, ...idTails('online', 1)],
        ]),
      )
      return onlineId === undefined ? null : { generation, onlineId, wasOnline: wasOnline === 1 }
    },
    /** Life signs and deadlines of many sessions: one call per 1,000 of them. */
    async touch(touches: readonly ScriptTouch[]): Promise<TouchReport[]> {
      const calls: Promise<TouchReport[]>[] = []
      for (let from = 0; from < touches.length; from += MAX_TOUCHES_PER_CALL)
        calls.push(
          touchSome(touches.slice(from, from + MAX_TOUCHES_PER_CALL)).then(reports =>
            reports.map(report => ({ ...report, index: report.index + from })),
          ),
        )
      return (await Promise.all(calls)).flat()
    },
    /** Ends a session; false when it said nothing: a newer session or the sweep came first. */
    async disconnect(s: ScriptSession): Promise<boolean> {
      const args = [doorId, s.deviceId, s.generation, s.at, s.spaceId, ...idTails('offline', 1), s.onlineId]
      return (await disconnect(args)) === 1
    },
    /** Takes at most `limit` devices offline whose deadline has passed. */
    async sweep(limit: number) {
      const [expired, offline, pending] = sweepReply.parse(await sweep(idTails('offline', limit)))
      return { expired, offline, pending }
    },
    /** Takes out of pending, per device, the lines that have been appended. */
    async settle(appended: readonly (readonly [deviceId: string, lines: string])[]): Promise<void> {
      await settle(appended.flat())
    },
  }
}

/**
 * What stands behind the time in UUIDv7s of one call: random once (58 bits), then counted, for randomness costs more
 * than all the rest of a life sign. In one millisecond an online sorts before the offline that follows it.
 */
function idTails(kind: 'online' | 'offline', count: number): string[] {
  const tail = newIdAt(0).slice(13)
  const digit = Number.parseInt(tail.charAt(2), 16)
  const start = `-7${(kind === 'online' ? digit & 7 : digit | 8).toString(16)}${tail.slice(3, -4)}`
  return Array.from({ length: count }, (_, i) => start + i.toString(16).padStart(4, '0'))
}

/** Runs a script by its digest, and sends it whole when the server does not know it (first use, restart). */
function createScript(redis: Redis, lua: string) {
  const digest = createHash('sha1').update(lua).digest('hex')
  return async (keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> => {
    try {
      return await redis.evalsha(digest, keys.length, ...keys, ...args)
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
      return await redis.eval(lua, keys.length, ...keys, ...args)
    }
  }
}
