import type { Closable } from './lifecycle.ts'

/** A load that is run again in turns, never twice at once. */
export interface RepeatedLoad extends Closable {
  /** Loads now; of many calls while a load runs, one loads again after it. */
  refresh(): void
  /** Whether another load follows the one that runs: what it finds may be older than what called for the next. */
  readonly isStale: boolean
}

/** Loads every `intervalMs`, and whenever it is asked to. A load that fails goes to `onError`; the next comes all the same. */
export function startRepeatedLoad({
  load,
  intervalMs,
  onError,
}: {
  load: () => Promise<void>
  intervalMs: number
  onError: (error: unknown) => void
}): RepeatedLoad {
  let loading: Promise<void> | undefined
  let isStale = false

  function refresh(): void {
    if (loading !== undefined) {
      isStale = true
      return
    }
    isStale = false
    loading = load()
      .catch(onError)
      .then(() => {
        loading = undefined
        if (isStale) refresh()
      })
  }

  const timer = setInterval(refresh, intervalMs).unref()

  return {
    refresh,
    get isStale() {
      return isStale
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      isStale = false
      await loading
    },
  }
}
