import { AppError } from '../shared/errors.ts'
import { refuse } from '../shared/graphql/refusal.ts'

/** The fields of an input that a failure of media may be about. */
export interface RefusalFields {
  /** Of what is not there. */
  readonly missing: string
  /** Of parameters that cannot be used. */
  readonly parameters?: string
}

/** Asks media. What the caller can mend is thrown as a Refusal, all else as it comes. */
export async function askMedia<T>(fields: RefusalFields, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, message } = error
    if (code === 'NOT_FOUND') refuse('NOT_FOUND', fields.missing, message)
    if (code === 'BAD_USER_INPUT') refuse('BAD_USER_INPUT', fields.parameters ?? null, message)
    if (code === 'CONFLICT') refuse('CONFLICT', null, message)
    if (code === 'RATE_LIMITED') refuse('LIMIT_REACHED', null, message)
    throw error
  }
}
