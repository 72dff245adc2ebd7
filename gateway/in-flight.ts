/** Counts what is running, so that stopping can wait for it. */
export interface InFlight {
  /** Whether `drain` was called. */
  readonly isDraining: boolean
  /** Runs `work` and counts it until it has settled. */
  track<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when nothing is running, at the latest after `deadlineMs`. */
  drain(deadlineMs: number): Promise<void>
}

/** Creates a counter at zero. */
export function createInFlight(): InFlight {
  let running = 0
  let idle: PromiseWithResolvers<void> | undefined

  return {
    get isDraining() {
      return idle !== undefined
    },
    async track(work) {
      running++
      try {
        return await work()
      } finally {
        running--
        if (running === 0) idle?.resolve()
      }
    },
    async drain(deadlineMs) {
      idle ??= Promise.withResolvers()
      if (running === 0) idle.resolve()
      const timer = setTimeout(idle.resolve, deadlineMs)
      await idle.promise
      clearTimeout(timer)
    },
  }
}
