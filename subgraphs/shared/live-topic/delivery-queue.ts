import type { AppError } from '../errors.ts'

/** What is between one who pushes and one who takes: items that wait, or takers that do. */
export interface DeliveryQueue<T> {
  /** Items that wait. */
  readonly size: number
  /** Whether a taker waits; there are no items then. */
  readonly isAwaited: boolean
  /** Gives an item to the taker that waits longest, or keeps it. */
  put(item: T): void
  /** Takes the oldest item. */
  take(): T | undefined
  /** Waits for an item. */
  wait(): Promise<IteratorResult<T>>
  /** Forgets the items that wait. */
  drop(): void
  /** Rejects the taker that waits longest; false when none does. */
  reject(error: AppError): boolean
  /** Tells all takers that wait that nothing more comes. */
  finish(): void
}

interface Waiter<T> {
  resolve(result: IteratorResult<T>): void
  reject(error: AppError): void
}

/** Below this many, items that were taken are not yet cut off. */
const MIN_CUT = 1_000

/** Creates an empty queue. `onTaken` is told of each item when its taker gets it. The bound is the caller's. */
export function createDeliveryQueue<T>(onTaken: (item: T) => void): DeliveryQueue<T> {
  const waiters: Waiter<T>[] = []
  let items: T[] = []
  let taken = 0

  function drop(): void {
    items = []
    taken = 0
  }

  return {
    get size() {
      return items.length - taken
    },
    get isAwaited() {
      return waiters.length > 0
    },
    put(item) {
      const waiter = waiters.shift()
      if (waiter === undefined) {
        items.push(item)
        return
      }
      onTaken(item)
      waiter.resolve({ done: false, value: item })
    },
    take() {
      const item = items[taken]
      if (item === undefined) return undefined
      onTaken(item)
      taken++
      if (taken === items.length) drop()
      // A consumer that never quite catches up must not keep what it has taken.
      else if (taken >= MIN_CUT && taken * 2 > items.length) {
        items = items.slice(taken)
        taken = 0
      }
      return item
    },
    wait: () => new Promise((resolve, reject) => waiters.push({ resolve, reject })),
    drop,
    reject(error) {
      const waiter = waiters.shift()
      waiter?.reject(error)
      return waiter !== undefined
    },
    finish() {
      for (const waiter of waiters.splice(0)) waiter.resolve({ done: true, value: undefined })
    },
  }
}
