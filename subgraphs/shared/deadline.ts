import { AppError } from './errors.ts'

/**
 * Waits for `work`, but not longer than `deadlineMs`; then rejects with UNAVAILABLE, naming `what` was waited for.
 *
 * The work itself goes on unless it heeds `signal`, which aborts at the deadline; its late failure is swallowed. With a
 * controller given, that is whose signal it is: one who has other reasons to abort needs no second one.
 */
export async function withDeadline<T>(
  what: string,
  deadlineMs: number,
  work: (signal: AbortSignal) => Promise<T>,
  abort: AbortController = new AbortController(),
): Promise<T> {
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
