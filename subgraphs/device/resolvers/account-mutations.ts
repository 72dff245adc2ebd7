import { requireUser } from '../../shared/auth/viewer.ts'
import { AppError } from '../../shared/errors.ts'
import { parseEmail } from '../../shared/text/parse-email.ts'
import { parseName } from '../../shared/text/parse-name.ts'
import type { Parsed } from '../../shared/text/parsed.ts'
import type { SubgraphContext } from '../context.ts'
import { parsePassword } from '../parse-password.ts'
import type { PasswordChange } from '../password-changes.ts'
import type { MutationResolvers, UserError } from '../resolver-types.generated.ts'
import { REFRESH_TOKEN_LIFETIME_MS, type SessionTokens } from '../sessions.ts'

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

  async signIn(_, { input }, context) {
    const { email, password } = input
    const userErrors = input.cookie ? refuseCookie(context) : []
    if (userErrors.length > 0) return noTokens(...userErrors)
    if (email.trim().length > MAX_EMAIL_LENGTH)
      return noTokens(badInput('email', `email has ${MAX_EMAIL_LENGTH} characters at most.`))
    if (isTooLong(password))
      return noTokens(badInput('password', `password has ${MAX_PASSWORD_BYTES} bytes at most.`))
    const begun = await context.sessions.signIn({ email, password })
    if (begun !== null) return input.cookie ? keepInCookie(begun, context) : { ...begun, userErrors: [] }
    return noTokens({
      code: 'INVALID_CREDENTIALS',
      message: 'The address and password do not belong together.',
      field: null,
    })
  },

  async refreshSession(_, { input }, context) {
    const { refreshToken: given = null, cookie } = input
    if (cookie ? given !== null : given === null)
      return noTokens({ ...badInput('', 'Give either refreshToken or cookie: true.'), field: null })
    const userErrors = cookie ? refuseCookie(context) : []
    if (userErrors.length > 0) return noTokens(...userErrors)
    const token = given ?? context.refreshCookie?.token
    const tokens = token ? await context.sessions.refresh(token, { mayRepeat: cookie ?? false }) : null
    if (tokens !== null) {
      const refreshed = { ...tokens, user: await context.loaders.userById.load(tokens.userId) }
      return cookie ? keepInCookie(refreshed, context) : { ...refreshed, userErrors: [] }
    }
    if (cookie) context.reply.refreshCookie = null
    return noTokens({
      code: 'INVALID_TOKEN',
      message: 'This refresh token is not good, or not any more. Sign in again.',
      field: cookie ? 'cookie' : 'refreshToken',
    })
  },

  async signOut(_, { input }, { viewer, sessions, refreshCookie, reply }) {
    const user = requireUser(viewer)
    const signedOut = await sessions.end(user, input?.everywhere ? 'all' : 'this')
    if (refreshCookie !== undefined && refreshCookie.token !== null) reply.refreshCookie = null
    return { signedOut, userErrors: [] }
  },
} satisfies MutationResolvers

/** What forbids this request a cookie. Throws FORBIDDEN for pages of other origins. */
function refuseCookie({ refreshCookie }: SubgraphContext): UserError[] {
  if (refreshCookie === undefined)
    return [badInput('cookie', 'cookie needs an answer over HTTP: leave it out here, or POST this.')]
  if (refreshCookie.isCrossOrigin)
    throw new AppError('FORBIDDEN', 'Only pages of this site may keep a session in a cookie.')
  return []
}

function keepInCookie<T extends SessionTokens>(
  { refreshToken: token, ...tokens }: T,
  { reply }: SubgraphContext,
) {
  reply.refreshCookie = { token, maxAgeMs: REFRESH_TOKEN_LIFETIME_MS }
  return { ...tokens, refreshToken: null, userErrors: [] }
}

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
