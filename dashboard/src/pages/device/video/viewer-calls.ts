import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { RequestError } from '../../../graphql/request-error.ts'
import { request } from '../../../graphql/session.ts'
import { findUserErrors } from '../../../graphql/user-problem.ts'

/** A call of signaling that was refused. */
export class SignalingError extends Error {
  override readonly name = 'SignalingError'
  /** CONFLICT when the device does not broadcast. */
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** Calls in this time or not at all: the person waits for a picture. */
const DEADLINE_MS = 8_000

/** Makes a call of signaling. Rejects with a SignalingError when it is refused or not answered. */
export async function callSignaling<Data, Variables extends Record<string, unknown>>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  try {
    const { data } = await request(document, variables, { deadlineMs: DEADLINE_MS })
    const [problem] = findUserErrors(data)
    if (problem !== undefined) throw new SignalingError(problem.code, problem.message)
    return data
  } catch (error) {
    if (error instanceof RequestError) throw new SignalingError(error.code, error.text)
    throw error
  }
}
