import { AppError } from '../shared/errors.ts'
import type { Closable } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'

/** Some 2 MB; many times what media holds at once. */
const MAX_DUE = 10_000

const FIRST_RETRY_MS = 250
const LAST_RETRY_MS = 5_000

/** Ends something, by its id: `askedAt` is when that was first asked for (epoch ms), `isAgain` tells later tries. */
export type EndOne = (id: string, askedAt: number, isAgain: boolean) => Promise<void>

/** Ends what must not go on, however long it cannot. */
export interface OverdueEnds extends Closable {
  /** Ends it now. Rejects when that fails; then it is tried again until it succeeds. */
  end(id: string): Promise<void>
  /** Ends now what has failed to end. Answers whether anything had; rejects when it fails again. */
  settle(id: string): Promise<boolean>
}

/**
 * Starts to keep what has failed to end, and to try it again: after 250 ms, then at twice the time up to 5 s, one after another,
 * and all of them wait while the first says UNAVAILABLE.
 *
 * It keeps `maxDue` (default 10,000) in memory; a process that ends forgets them. When it is full the oldest gives way, and is logged
 * as an error with its id: it has had the longest time to end by itself, by silence or with a media that was started again, whereas
 * of the newest it is known that somebody wants it gone now. `what` names them in the logs.
 */
export function startOverdueEnds({
  what,
  endOne,
  logger,
  maxDue = MAX_DUE,
}: {
  what: string
  endOne: EndOne
  logger: Logger
  maxDue?: number
}): OverdueEnds {
  /** When each was asked for, oldest first. */
  const due = new Map<string, number>()
  let retryMs = FIRST_RETRY_MS
  let timer: NodeJS.Timeout | undefined
  let isRunning = false
  let isClosed = false

  function keep(id: string, askedAt: number): void {
    due.delete(id)
    due.set(id, askedAt)
    const [oldest] = due.keys()
    if (due.size > maxDue && oldest !== undefined) {
      due.delete(oldest)
      logger.error({ what, id: oldest, maxDue }, 'streaming.end_given_up')
    }
    schedule()
  }

  /** What was asked for again in the meantime stays. */
  function forget(id: string, askedAt: number): void {
    if ((due.get(id) ?? Number.POSITIVE_INFINITY) <= askedAt) due.delete(id)
  }

  function schedule(): void {
    if (isClosed || isRunning || due.size === 0) return
    timer ??= setTimeout(() => {
      timer = undefined
      void retryAll()
    }, retryMs).unref()
  }

  async function retry(id: string, askedAt: number): Promise<void> {
    await endOne(id, askedAt, true)
    forget(id, askedAt)
    retryMs = FIRST_RETRY_MS
    logger.info({ what, id, lateMs: Date.now() - askedAt }, 'streaming.ended_late')
  }

  async function retryAll(): Promise<void> {
    isRunning = true
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)
    for (const [id, askedAt] of due) {
      if (isClosed) break
      try {
        await retry(id, askedAt)
      } catch (error) {
        logger.warn({ err: error, what, id, left: due.size }, 'streaming.end_overdue')
        if (error instanceof AppError && error.code === 'UNAVAILABLE') break
      }
    }
    isRunning = false
    schedule()
  }

  return {
    async end(id) {
      const askedAt = Date.now()
      try {
        await endOne(id, askedAt, false)
        forget(id, askedAt)
      } catch (error) {
        keep(id, askedAt)
        throw error
      }
    },
    async settle(id) {
      const askedAt = due.get(id)
      if (askedAt === undefined) return false
      await retry(id, askedAt)
      return true
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
