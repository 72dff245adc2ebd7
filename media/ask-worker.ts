import { withDeadline } from '../subgraphs/shared/deadline.ts'
import { AppError } from '../subgraphs/shared/errors.ts'

/** Whose mistake it is when mediasoup refuses parameters: a client's, or our own. */
type Blame = 'caller' | 'us'

/**
 * Waits for an answer of a worker under a deadline. What the worker or mediasoup refuses becomes an AppError:
 * BAD_USER_INPUT when the parameters came from a caller, else UNAVAILABLE (a closed or dying worker, a port in use).
 */
export async function askWorker<T>(
  what: string,
  deadlineMs: number,
  work: () => Promise<T>,
  blame: Blame = 'us',
): Promise<T> {
  try {
    return await withDeadline(what, deadlineMs, work)
  } catch (error) {
    if (error instanceof AppError) throw error
    if (blame === 'caller' && isRefusal(error)) {
      throw new AppError('BAD_USER_INPUT', `${what} was refused: ${describe(error)}`, { cause: error })
    }
    throw new AppError('UNAVAILABLE', `${what} failed.`, { cause: error })
  }
}

/** A worker that dies rejects with errors of these texts; all else is about what it was asked. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return !/closed|\bdied\b/i.test(error.message) && error.name !== 'WorkerClosedError'
}

function describe(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  // A worker ends its text with the name of the request.
  return text.replace(/ \[method:.*$/, '').slice(0, 200)
}
