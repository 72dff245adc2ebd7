import { EventEmitter, once } from 'node:events'

/** A stream of events that a test makes happen, and can look at. */
export interface TestTopic<T> {
  /** Followers now. */
  readonly followers: number
  /** Resolves when there are exactly this many followers. */
  waitForFollowers(count: number): Promise<void>
  push(event: T): void
  fail(error: Error): void
  follow(): AsyncIterableIterator<T>
}

/** Creates a topic without followers. Its iterators never end on their own, and their `return()` works at once. */
export function createTestTopic<T>(): TestTopic<T> {
  const changes = new EventEmitter()
  const followers = new Set<{ push(event: T): void; fail(error: Error): void }>()

  function follow(): AsyncIterableIterator<T> {
    const queue: T[] = []
    let waiting: PromiseWithResolvers<IteratorResult<T>> | undefined
    let failure: Error | undefined
    const follower = {
      push(event: T) {
        if (waiting === undefined) queue.push(event)
        else waiting.resolve({ done: false, value: event })
        waiting = undefined
      },
      fail(error: Error) {
        failure = error
        waiting?.reject(error)
        waiting = undefined
      },
    }
    followers.add(follower)
    changes.emit('change')
    return {
      async next() {
        const event = queue.shift()
        if (event !== undefined) return { done: false, value: event }
        if (failure !== undefined) throw failure
        waiting = Promise.withResolvers()
        return waiting.promise
      },
      async return() {
        followers.delete(follower)
        changes.emit('change')
        waiting?.resolve({ done: true, value: undefined })
        return { done: true, value: undefined }
      },
      [Symbol.asyncIterator]() {
        return this
      },
    }
  }

  return {
    get followers() {
      return followers.size
    },
    async waitForFollowers(count) {
      while (followers.size !== count) await once(changes, 'change')
    },
    push(event) {
      for (const follower of followers) follower.push(event)
    },
    fail(error) {
      for (const follower of followers) follower.fail(error)
    },
    follow,
  }
}
