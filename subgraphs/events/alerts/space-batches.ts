/** What one turn of a space does at once. */
const MAX_BATCH = 64

interface Waiting<T, R> {
  readonly item: T
  readonly done: PromiseWithResolvers<R>
}

/**
 * Has the items of a space done in turn: while some are at work, those that come gather and go together as the next, in
 * the order in which they came. Spaces do not wait for each other. `work` answers one result for each item; when it
 * rejects, so do they all.
 */
export function createSpaceBatches<T, R>(
  work: (spaceId: string, items: readonly T[]) => Promise<readonly R[]>,
  { maxBatch = MAX_BATCH }: { maxBatch?: number } = {},
): (spaceId: string, item: T) => Promise<R> {
  const spaces = new Map<string, Waiting<T, R>[]>()

  async function run(spaceId: string, waiting: Waiting<T, R>[]): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, maxBatch)
      try {
        const results = await work(
          spaceId,
          batch.map(({ item }) => item),
        )
        for (const [index, { done }] of batch.entries()) done.resolve(results[index] as R)
      } catch (error) {
        for (const { done } of batch) done.reject(error)
      }
    }
    spaces.delete(spaceId)
  }

  return (spaceId, item) => {
    const done = Promise.withResolvers<R>()
    const waiting = spaces.get(spaceId)
    if (waiting !== undefined) waiting.push({ item, done })
    else {
      const first = [{ item, done }]
      spaces.set(spaceId, first)
      void run(spaceId, first)
    }
    return done.promise
  }
}
