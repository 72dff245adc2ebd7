import { withDeadline } from '../deadline.ts'
import { openRedis } from './open-redis.ts'

/** How long a Redis may take to answer at the start of a process. */
const PROBE_DEADLINE_MS = 10_000

/**
 * Resolves once the Redis at `url` answers, tried again while it loads its data. Rejects with what was last wrong when
 * it cannot be reached at all, or after 10 s.
 */
export async function probeRedis(url: string): Promise<void> {
  let lastError: Error | undefined
  await using client = openRedis({ url, name: 'probe', onError: error => (lastError = error) })
  await withDeadline('Redis', PROBE_DEADLINE_MS, async signal => {
    while (!signal.aborted) {
      const error = await client.redis.ping().then(
        () => undefined,
        (failure: Error) => failure,
      )
      if (error === undefined) return
      if (!error.message.startsWith('LOADING')) throw lastError ?? error
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  })
}
