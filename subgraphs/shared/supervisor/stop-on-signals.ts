import type { Lifecycle } from '../lifecycle.ts'
import type { Logger } from '../logger.ts'
import type { Supervised } from './supervised.ts'

/**
 * Ends this process in order on SIGTERM and SIGINT, or when its supervisor says so; at once when an error is left
 * uncaught. Answers a signal that is aborted once the process is stopping.
 */
export function stopOnSignals(
  lifecycle: Lifecycle,
  logger: Logger,
  supervised: Supervised | null,
): AbortSignal {
  // The supervisor waits a little longer than its processes take, and itself less than init systems grant.
  const stopDeadlineMs = supervised === null ? 25_000 : 9_000
  const stopping = new AbortController()
  const stop = async (why: string) => {
    if (stopping.signal.aborted) return
    stopping.abort()
    logger.info({ why }, 'main.stopping')
    setTimeout(() => {
      logger.error({ why }, 'main.stop_took_too_long')
      process.exit(1)
    }, stopDeadlineMs).unref()
    await lifecycle[Symbol.asyncDispose]()
    process.exit(process.exitCode ?? 0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => (supervised === null ? stop(signal) : undefined))
  supervised?.onStop(stop)
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, error => {
      logger.fatal({ err: error }, `main.${event}`)
      process.exit(1)
    })
  }
  return stopping.signal
}
