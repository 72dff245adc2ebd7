const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * Runs `work` and takes away what it has begun to do at SIGINT and SIGTERM: mediasoup closes its workers there, under the
 * feet of those who are told to leave.
 */
export async function withoutSignalHandlers<T>(work: () => Promise<T>): Promise<T> {
  const before = new Map(SIGNALS.map(signal => [signal, new Set(process.listeners(signal))]))
  try {
    return await work()
  } finally {
    for (const [signal, known] of before) {
      for (const listener of process.listeners(signal))
        if (!known.has(listener) && listener.name === 'onSignal') process.off(signal, listener)
    }
  }
}
