import { requireUser } from '../../shared/auth/viewer.ts'
import { parseEmail } from '../../shared/text/parse-email.ts'
import { parseName } from '../../shared/text/parse-name.ts'
import type { Parsed } from '../../shared/text/parsed.ts'
import { parsePassword } from '../parse-password.ts'
import type { PasswordChange } from '../password-changes.ts'
import type { MutationResolvers, UserError } from '../resolver-types.generated.ts'

/** Nobody has a longer address (RFC 5321 §4.5.3.1.3) or, here, password: they are refused without hashing. */
const MAX_EMAIL_LENGTH = 254
const MAX_PASSWORD_BYTES = 1_024

const WRONG_CODE = 'This code is not good, or not any more. Ask for another.'
const CONTESTED =
  'Somebody has signed up for this address again. Sign in first, or set a password of your own by requestPasswordReset.'

/** Mutations of one's own account and sessions. */
export const accountMutations = {
  async signUp(_, { input }, { signUps }) {
    const userErrors: UserError[] = []
    const read = (field: string, { value, problem }: Parsed): string => {
      if (problem !== undefined) userErrors.push(badInput(field, `${field} ${problem}`))
      return value ?? ''
    }
    const email = read('email', parseEmail(input.email))
    const password = read('password', parsePassword(input.password, email))
    const name = read('name', parseName(input.name))
    if (userErrors.length > 0) return { accepted: false, userErrors }
    await signUps.signUp({ email, password, name, locale: input.locale === 'KO' ? 'ko' : 'en' })
    return { accepted: true, userErrors: [] }
  },

  async verifyEmail(_, { input }, { viewer, signUps, loaders }) {
    const { value: email, problem } = parseEmail(input.email)
    if (email === undefined) return { user: null, userErrors: [badInput('email', `email ${problem}`)] }
    const proven = await signUps.verify({ email, code: input.code.trim(), viewer })
    if (typeof proven === 'object')
      return { user: await loaders.userById.load(proven.userId), userErrors: [] }
    const error: UserError =
      proven === 'contested'
        ? { code: 'CONFLICT', message: CONTESTED, field: null }
        : { code: 'INVALID_TOKEN', message: WRONG_CODE, field: 'code' }
    return { user: null, userErrors: [error] }
  },

  resendVerification: (_, { input }, { signUps }) => acceptEmail(input.email, signUps.resend),

  requestPasswordReset: (_, { input }, { passwordChanges }) =>
    acceptEmail(input.email, passwordChanges.requestReset),

  resetPassword: async (_, { input }, { passwordChanges }) => toPayload(await passwordChanges.reset(input)),

  async changePassword(_, { input }, { viewer, passwordChanges }) {
    const user = requireUser(viewer)
    return isTooLong(input.currentPassword)
      ? toPayload({ outcome: 'wrong-password' })
      : toPayload(await passwordChanges.change(user, input))
  },

  async signIn(_, { input }, { sessions }) {
    const { email, password } = input
    if (email.trim().length > MAX_EMAIL_LENGTH)
      return noTokens(badInput('email', `email has ${MAX_EMAIL_LENGTH} characters at most.`))
    if (isTooLong(password))
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

  async signOut(_, { input }, { viewer, sessions }) {
    const user = requireUser(viewer)
    return { signedOut: await sessions.end(user, input?.everywhere ? 'all' : 'this'), userErrors: [] }
  },
} satisfies MutationResolvers

async function acceptEmail(text: string, act: (email: string) => Promise<void>) {
  const { value, problem } = parseEmail(text)
  if (value === undefined) return { accepted: false, userErrors: [badInput('email', `email ${problem}`)] }
  await act(value)
  return { accepted: true, userErrors: [] }
}

function toPayload(change: PasswordChange): { changed: boolean; userErrors: UserError[] } {
  const refuse = (code: UserError['code'], field: string | null, message: string) => ({
    changed: false,
    userErrors: [{ code, message, field }],
  })
  switch (change.outcome) {
    case 'done':
      return { changed: true, userErrors: [] }
    case 'bad-password':
      return refuse('BAD_USER_INPUT', 'newPassword', `newPassword ${change.problem}`)
    case 'wrong-token':
      return refuse(
        'INVALID_TOKEN',
        'token',
        'This token is not good, or not any more. Ask for another mail.',
      )
    case 'wrong-password':
      return refuse('INVALID_CREDENTIALS', 'currentPassword', 'This is not the current password.')
    case 'changed-meanwhile':
      return refuse('CONFLICT', null, 'The password has been changed meanwhile.')
  }
}

function isTooLong(password: string): boolean {
  return Buffer.byteLength(password) > MAX_PASSWORD_BYTES
}

function noTokens(...userErrors: UserError[]) {
  return { accessToken: null, refreshToken: null, expiresAt: null, user: null, userErrors }
}

function badInput(field: string, message: string): UserError {
  return { code: 'BAD_USER_INPUT', message, field }
}
