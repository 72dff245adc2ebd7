import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { useCallback, useState } from 'preact/hooks'
import { asRequestError, type RequestError } from './request-error.ts'
import { request } from './session.ts'
import { findUserErrors, type UserProblem } from './user-problem.ts'

/** A mutation and how its last run went. */
export interface MutationState<Data, Variables> {
  /** Runs it. Answers its data, null when it failed or has userErrors: those are then in the state. */
  run(variables: Variables): Promise<Data | null>
  readonly isRunning: boolean
  readonly error: RequestError | undefined
  readonly userErrors: readonly UserProblem[]
  /** Forgets the last run's errors. */
  reset(): void
}

const IDLE = { isRunning: false, error: undefined, userErrors: [] }

/** A mutation of one field, run by a person. */
export function useMutation<Data, Variables extends Record<string, unknown>>(
  document: TypedDocumentNode<Data, Variables>,
): MutationState<Data, Variables> {
  const [state, setState] = useState<{
    isRunning: boolean
    error: RequestError | undefined
    userErrors: readonly UserProblem[]
  }>(IDLE)

  const run = useCallback(
    async (variables: Variables) => {
      setState({ ...IDLE, isRunning: true })
      try {
        const { data } = await request(document, variables)
        const userErrors = findUserErrors(data)
        setState({ ...IDLE, userErrors })
        return userErrors.length === 0 ? data : null
      } catch (error) {
        setState({ ...IDLE, error: asRequestError(error) })
        return null
      }
    },
    [document],
  )
  const reset = useCallback(() => setState(IDLE), [])
  return { ...state, run, reset }
}
