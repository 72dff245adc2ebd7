import { AppError } from '../shared/errors.ts'

/** What waits for its turn at one address at most; people come to a few, and who guesses is slowed down before. */
const MAX_WAITING = 100

/** Work at addresses of which that at one address is done one after the other. */
export interface AddressTurns {
  /** Does the work when all that came before it for the address is over. Throws RATE_LIMITED when too much waits. */
  take<T>(email: string, work: () => Promise<T>): Promise<T>
}

/**
 * Creates the turns of a process. The database keeps a person locked while a transaction has to do with them, and cannot
 * lock nobody: without turns, of many requests for an address at once those for an account would take longer.
 */
export function createAddressTurns(): AddressTurns {
  const queues = new Map<string, { last: Promise<unknown>; size: number }>()
  return {
    async take(email, work) {
      const queue = queues.get(email) ?? { last: Promise.resolve(), size: 0 }
      if (queue.size >= MAX_WAITING)
        throw new AppError(
          'RATE_LIMITED',
          'Too much is asked of this address right now. Try again in a moment.',
        )
      queues.set(email, queue)
      queue.size++
      const done = queue.last.then(work)
      queue.last = done.catch(() => {})
      try {
        return await done
      } finally {
        queue.size--
        if (queue.size === 0) queues.delete(email)
      }
    },
  }
}
