import type { Parsed } from '../text/parsed.ts'

/** Kinds of problems that a caller can mend: the enum of that name in every SDL. */
export type UserErrorCode =
  | 'BAD_USER_INPUT'
  | 'INVALID_CREDENTIALS'
  | 'INVALID_TOKEN'
  | 'EMAIL_NOT_VERIFIED'
  | 'CONFLICT'
  | 'LIMIT_REACHED'
  | 'NOT_FOUND'

/** A problem that a caller can mend. `field` is the dotted path in the input; null for the input as a whole. */
export interface UserError {
  readonly code: UserErrorCode
  readonly message: string
  readonly field: string | null
}

/** What the caller can mend, thrown where it is seen: a transaction that it leaves has changed nothing. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly userErrors: UserError[]

  constructor(userErrors: UserError[]) {
    super(userErrors.map(({ message }) => message).join(' '))
    this.userErrors = userErrors
  }
}

/** Throws what the caller can mend. */
export function refuse(code: UserErrorCode, field: string | null, message: string): never {
  throw new Refusal([{ code, message, field }])
}

/** What was read of each field of an input; undefined when it is not given. */
type ReadFields = Readonly<Record<string, Parsed | undefined>>

/** Returns the values of what was read from fields of the input. Throws every problem with the field it is in. */
export function readFields<F extends ReadFields>(
  fields: F,
): { [K in keyof F]: undefined extends F[K] ? string | undefined : string } {
  const entries = Object.entries(fields)
  const userErrors = entries.flatMap(([field, parsed]): UserError[] =>
    parsed?.problem === undefined
      ? []
      : [{ code: 'BAD_USER_INPUT', message: `${field} ${parsed.problem}`, field }],
  )
  if (userErrors.length > 0) throw new Refusal(userErrors)
  const values = Object.fromEntries(entries.map(([field, parsed]) => [field, parsed?.value]))
  return values as ReturnType<typeof readFields<F>>
}

/** Answers the payload of a mutation: what came of it under `name`, null there when it was refused. */
export async function toPayload<Name extends string, T>(
  name: Name,
  act: () => Promise<T>,
): Promise<Record<Name, T | null> & { userErrors: UserError[] }> {
  const payload = (value: T | null, userErrors: UserError[]) =>
    ({ [name]: value, userErrors }) as Record<Name, T | null> & { userErrors: UserError[] }
  try {
    return payload(await act(), [])
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return payload(null, error.userErrors)
  }
}
