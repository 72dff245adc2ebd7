import { requireUser } from '../../shared/auth/viewer.ts'
import type { MutationResolvers, UserError } from '../resolver-types.generated.ts'

/** Nobody has a longer address (RFC 5321 §4.5.3.1.3) or, here, password: they are refused without hashing. */
const MAX_EMAIL_LENGTH = 254
const MAX_PASSWORD_BYTES = 1_024

/** Mutations of one's own account and sessions. */
export const accountMutations = {
  async signIn(_, { input }, { sessions }) {
    const { email, password } = input
    if (email.trim().length > MAX_EMAIL_LENGTH)
      return noTokens(badInput('email', `email has ${MAX_EMAIL_LENGTH} characters at most.`))
    if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES)
      return noTokens(badInput('password', `password has ${MAX_PASSWORD_BYTES} bytes at most.`))
    const begun = await sessions.signIn({ email, password })
    return begun === null
      ? noTokens({
          code: 'INVALID_CREDENTIALS',
          message: 'The address and password do not belong together.',
          field: null,
        })
      : { ...begun, userErrors: [] }
  },

  async refreshSession(_, { input }, { sessions, loaders }) {
    const tokens = await sessions.refresh(input.refreshToken)
    return tokens === null
      ? noTokens({
          code: 'INVALID_TOKEN',
          message: 'This refresh token is not good, or not any more. Sign in again.',
          field: 'refreshToken',
        })
      : { ...tokens, user: await loaders.userById.load(tokens.userId), userErrors: [] }
  },

  signOut: async (_, __, { viewer, sessions }) => ({
    signedOut: await sessions.end(requireUser(viewer)),
    userErrors: [],
  }),
} satisfies MutationResolvers

function noTokens(...userErrors: UserError[]) {
  return { accessToken: null, refreshToken: null, expiresAt: null, user: null, userErrors }
}

function badInput(field: string, message: string): UserError {
  return { code: 'BAD_USER_INPUT', message, field }
}
