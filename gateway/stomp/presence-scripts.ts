import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import { redisKeys } from '../../schema/redis-keys.ts'
import { newIdAt } from '../../subgraphs/shared/uuid-v7.ts'
import {
  ADOPT_LUA,
  CONNECT_FIELDS,
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
  /** One came since the last time. */
  readonly hasSign: boolean
}

/** What a touch found that is out of the ordinary; see TOUCH_LUA. */
export interface TouchReport {
  /** Place in the touches that were given. */
  readonly index: number
  readonly kind: keyof typeof TOUCH_REPORT
  readonly generation: number
  /** stale: the newer session's door; else the id of the new online transition. */
  readonly text: string
}

/** Typed calls of the presence scripts, one round trip each. All reject as Redis does. */
export type PresenceScripts = ReturnType<typeof createPresenceScripts>

const connectReply = z.array(z.union([z.number(), z.string()]))
const sweepReply = z.tuple([z.number(), z.number(), z.number(), z.string(), z.coerce.number()])
const touchReply = z.array(z.union([z.number(), z.string()]))

const REPORT_KINDS = new Map(
  (['stale', 'revived', 'restored'] as const).map(kind => [TOUCH_REPORT[kind] as number, kind]),
)

/** Devices in one call of the connect script: bounds how long it holds Redis (about 2 ms). */
const MAX_CONNECTS_PER_CALL = 200

/** What a CONNECT came to. */
export interface ConnectAnswer {
  readonly generation: number
  readonly onlineId: string
  readonly wasOnline: boolean
}

/** Presence of a device as the tables have it. Times are epoch milliseconds. */
export interface KeptPresence {
  readonly deviceId: string
  readonly spaceId: string
  readonly generation: number
  readonly online: boolean
  readonly lastSeenAt: number
}

interface WaitingConnect {
  readonly session: Omit<ScriptSession, 'generation' | 'onlineId'>
  readonly deadlineMs: number
  readonly answer: PromiseWithResolvers<ConnectAnswer | null>
}

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
  const adopt = script(ADOPT_LUA)
  let waitingConnects: WaitingConnect[] = []

  /** All that came in a turn of the event loop, in few calls. */
  function connectWaiting(): void {
    const waiting = waitingConnects
    waitingConnects = []
    for (let from = 0; from < waiting.length; from += MAX_CONNECTS_PER_CALL) {
      const some = waiting.slice(from, from + MAX_CONNECTS_PER_CALL)
      connectSome(some).catch(error => {
        for (const { answer } of some) answer.reject(error)
      })
    }
  }

  async function connectSome(waiting: readonly WaitingConnect[]): Promise<void> {
    const tails = idTails('online', waiting.length)
    const args = waiting.flatMap(({ session: { deviceId, spaceId, at }, deadlineMs }, index) => {
      return [deviceId, spaceId, at, deadlineMs, tails[index] ?? '']
    })
    if (args.length !== waiting.length * CONNECT_FIELDS) throw new TypeError('A connect has another form')
    const reply = await connect([doorId, maxPending, redisKeys.doorMailbox(''), ...args])
    const values = connectReply.parse(reply)
    for (const [index, { answer }] of waiting.entries()) {
      const [generation = 0, onlineId = '', wasOnline] = values.slice(index * 3, index * 3 + 3)
      answer.resolve(
        generation === 0
          ? null
          : { generation: Number(generation), onlineId: String(onlineId), wasOnline: wasOnline === 1 },
      )
    }
  }

  async function touchSome(touches: readonly ScriptTouch[]): Promise<TouchReport[]> {
    const tails = idTails('online', touches.length)
    const args = touches.flatMap(
      ({ deviceId, generation, at, deadlineMs, spaceId, onlineId, hasSign }, index) => {
        return [deviceId, generation, at, deadlineMs, spaceId, tails[index] ?? '', onlineId, hasSign ? 1 : 0]
      },
    )
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
    /** Begins a session; null when too many transitions wait for the ingest log. Those of a turn share a call. */
    connect(
      session: Omit<ScriptSession, 'generation' | 'onlineId'>,
      deadlineMs: number,
    ): Promise<ConnectAnswer | null> {
      const answer = Promise.withResolvers<ConnectAnswer | null>()
      if (waitingConnects.push({ session, deadlineMs, answer }) === 1) setImmediate(connectWaiting)
      return answer.promise
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
      const session = [s.deviceId, s.generation, s.at, s.spaceId, ...idTails('offline', 1), s.onlineId]
      return (await disconnect([doorId, ...session, ...idTails('online', 1)])) === 1
    },
    /**
     * Takes at most `limit` devices offline whose deadline has passed. `isOff`: nobody was taken, as the clock of Redis
     * is further than `slackMs` from what was expected. `epoch` is another once Redis has lost everything.
     */
    async sweep(limit: number, expected?: { readonly clock: number; readonly slackMs: number }) {
      const clockArgs = expected === undefined ? ['', ''] : [expected.clock, expected.slackMs]
      const [expired, offline, pending, epoch, clock] = sweepReply.parse(
        await sweep([redisKeys.presenceEpoch(), newIdAt(0), ...clockArgs, ...idTails('offline', limit)]),
      )
      return { expired, offline, pending, epoch, clock, isOff: expired < 0 }
    },
    /** Writes devices that Redis does not know; those online go offline after `deadlineMs` unless their session shows up. */
    async adopt(devices: readonly KeptPresence[], deadlineMs: number): Promise<number> {
      const args = devices.flatMap(({ deviceId, generation, online, lastSeenAt, spaceId }) => {
        return [deviceId, generation, online ? 1 : 0, lastSeenAt, spaceId]
      })
      return Number(await adopt([deadlineMs, ...args]))
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
