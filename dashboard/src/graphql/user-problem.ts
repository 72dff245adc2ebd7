import type { UserErrorCode } from './schema-types.generated.ts'

/** What the person can mend: `field` is the path of the input field at fault, null when it is the input as a whole. */
export interface UserProblem {
  readonly code: UserErrorCode
  readonly message: string
  readonly field: string | null
}

/** The userErrors of a mutation's answer: of the payload of each of its fields. */
export function findUserErrors(data: unknown): readonly UserProblem[] {
  return Object.values(data as Record<string, { userErrors?: readonly UserProblem[] } | null>).flatMap(
    payload => payload?.userErrors ?? [],
  )
}
