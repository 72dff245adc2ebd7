import { AppError } from './errors.ts'

/**
 * Waits for `work`, but not longer than `deadlineMs`; then rejects with UNAVAILABLE, naming `what` was waited for.
 *
 * The work itself goes on unless it heeds `signal`, which aborts at the deadline; its late failure is swallowed.
 */
export async function withDeadline<T>(
  what: string,
  deadlineMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new AppError('UNAVAILABLE', `${what} took longer than ${deadlineMs} ms.`)
      abort.abort(error)
      reject(error)
    }, deadlineMs)
  })
  try {
    return await Promise.race([work(abort.signal), late])
  } finally {
    clearTimeout(timer)
  }
}
