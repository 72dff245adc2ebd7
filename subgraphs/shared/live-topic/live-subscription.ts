import type { TopicKind } from '../../../schema/live-event.ts'
import { AppError } from '../errors.ts'
import type { LiveDelivery } from './live-topics.ts'

/** One reader of a topic: what has been delivered to it and not yet taken. */
export interface LiveSubscription<K extends TopicKind> {
  /** Gives it events; past its bound it fails instead. Does nothing once it has ended. */
  push(deliveries: readonly LiveDelivery<K>[]): void
  /** Drops what is buffered; the pending and the next `next()` reject with the error, then it is done. */
  fail(error: AppError): void
  readonly iterator: AsyncIterableIterator<LiveDelivery<K>>
}

interface Waiter<K extends TopicKind> {
  resolve(result: IteratorResult<LiveDelivery<K>>): void
  reject(error: AppError): void
}

/**
 * Creates a subscription with a buffer of `maxBuffered` events; overflow fails it with UNAVAILABLE.
 *
 * `onEnd` is called once, when it was returned or has failed. Written by hand, not as `async function*`: the
 * `return()` of a generator waits behind a pending `next()`, this one answers both at once.
 */
export function createLiveSubscription<K extends TopicKind>({
  maxBuffered,
  onEnd,
}: {
  maxBuffered: number
  onEnd: () => void
}): LiveSubscription<K> {
  const waiters: Waiter<K>[] = []
  let buffered: LiveDelivery<K>[] = []
  let taken = 0
  let ended = false
  let error: AppError | undefined

  function end(): void {
    ended = true
    buffered = []
    taken = 0
    onEnd()
  }

  function take(): LiveDelivery<K> | undefined {
    const delivery = buffered[taken]
    if (delivery === undefined) return undefined
    taken++
    if (taken === buffered.length) {
      buffered = []
      taken = 0
    }
    return delivery
  }

  function fail(reason: AppError): void {
    if (ended) return
    end()
    const waiter = waiters.shift()
    if (waiter === undefined) error = reason
    else waiter.reject(reason)
    for (const other of waiters.splice(0)) other.resolve({ done: true, value: undefined })
  }

  const iterator: AsyncIterableIterator<LiveDelivery<K>> = {
    next() {
      const delivery = take()
      if (delivery !== undefined) return Promise.resolve({ done: false, value: delivery })
      if (error !== undefined) {
        const reason = error
        error = undefined
        return Promise.reject(reason)
      }
      if (ended) return Promise.resolve({ done: true, value: undefined })
      return new Promise((resolve, reject) => waiters.push({ resolve, reject }))
    },
    return() {
      if (!ended) end()
      error = undefined
      for (const waiter of waiters.splice(0)) waiter.resolve({ done: true, value: undefined })
      return Promise.resolve({ done: true, value: undefined })
    },
    [Symbol.asyncIterator]() {
      return iterator
    },
  }

  return {
    iterator,
    fail,
    push(deliveries) {
      for (const delivery of deliveries) {
        if (ended) return
        const waiter = waiters.shift()
        if (waiter !== undefined) waiter.resolve({ done: false, value: delivery })
        else if (buffered.length - taken < maxBuffered) buffered.push(delivery)
        else
          fail(
            new AppError(
              'UNAVAILABLE',
              'This subscriber is too slow and has missed events. Subscribe again.',
            ),
          )
      }
      // A consumer that never quite catches up must not keep what it has taken.
      if (taken > maxBuffered) {
        buffered = buffered.slice(taken)
        taken = 0
      }
    },
  }
}
