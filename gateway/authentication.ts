import { GraphQLError, type OperationDefinitionNode } from 'graphql'
import type { Viewer } from '../subgraphs/shared/auth/viewer.ts'
import { AppError } from '../subgraphs/shared/errors.ts'

/** Verifies an access or device token; rejects with UNAUTHENTICATED when it is not valid now. */
export type VerifyAccessToken = (token: string) => Promise<Viewer>

/**
 * Finds out who asks from the value of an `Authorization` header, or of `connectionParams.authorization`.
 *
 * Null without a value. Rejects with UNAUTHENTICATED when the value is not `Bearer <token>` (RFC 6750 §2.1), or the token
 * is not valid or has expired: a client that shows a token wants to know that it is bad.
 */
export async function authenticate(
  authorization: unknown,
  verifyAccessToken: VerifyAccessToken,
): Promise<Viewer | null> {
  if (authorization === undefined || authorization === null || authorization === '') return null
  const viewer = await verifyAccessToken(readBearer(authorization))
  if (viewer.expiresAt <= Date.now()) throw new AppError('UNAUTHENTICATED', 'The access token has expired.')
  return viewer
}

/** Reads the token of `Bearer <token>` (RFC 6750 §2.1); throws UNAUTHENTICATED for anything else. */
export function readBearer(authorization: unknown): string {
  const token = typeof authorization === 'string' ? /^Bearer +([^ ]+)$/i.exec(authorization)?.[1] : undefined
  if (token === undefined) throw new AppError('UNAUTHENTICATED', 'The authorization is not "Bearer <token>".')
  return token
}

/** An AppError as a GraphQL error that carries its code. */
export function asGraphqlError({ code, message }: AppError): GraphQLError {
  return new GraphQLError(message, { extensions: { code } })
}

/** Mutations on the way to a session: a client whose token has gone bad comes to them for a new one, with the bad one. */
const SESSION_MUTATIONS = new Set([
  'signIn',
  'refreshSession',
  'signUp',
  'verifyEmail',
  'resendVerification',
  'requestPasswordReset',
  'resetPassword',
])

/** Whether an operation only leads to a session, so that it is answered whatever token comes with it. */
export function makesSession({ operation, selectionSet }: OperationDefinitionNode): boolean {
  return (
    operation === 'mutation' &&
    selectionSet.selections.every(
      selection => selection.kind === 'Field' && SESSION_MUTATIONS.has(selection.name.value),
    )
  )
}
