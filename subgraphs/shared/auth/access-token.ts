import { type CryptoKey, errors, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { AppError } from '../errors.ts'
import { isUuidV7 } from '../uuid-v7.ts'
import { LONGEST_TOKEN_LIFETIME_MS, TOKEN_ALGORITHM } from './key-set.ts'
import type { SigningKeys } from './signing-keys.ts'
import type { Viewer } from './viewer.ts'

/** How long a user's access token lives, in milliseconds. */
export const ACCESS_TOKEN_LIFETIME_MS = 15 * 60_000

/** How long a device token lives, in milliseconds. */
export const DEVICE_TOKEN_LIFETIME_MS = LONGEST_TOKEN_LIFETIME_MS

const ISSUER = 'nuvion'
const AUDIENCE = 'nuvion'

/** Longer ones are refused unread; ours have about 400 characters. */
const MAX_TOKEN_LENGTH = 4_096

/** How far ahead the clock of who has signed it may be. */
const CLOCK_MARGIN_MS = 5 * 60_000

const id = z.string().refine(isUuidV7)
const times = { iat: z.number(), exp: z.number() }
const claims = z.discriminatedUnion('typ', [
  z.object({ typ: z.literal('user'), sub: id, sid: id, ...times }),
  z.object({ typ: z.literal('device'), sub: id, space: id, ...times }),
])

/** A signed token; `expiresAt` is to the second, as its claim is. */
export interface SignedToken {
  readonly token: string
  readonly expiresAt: Date
}

/** Signs tokens (JWT, RFC 7519). */
export interface TokenSigner {
  /** Access token of a user: 15 minutes. */
  signUser(subject: { userId: string; sessionId: string }): Promise<SignedToken>
  /** Device token: 24 hours. */
  signDevice(subject: { deviceId: string; spaceId: string }): Promise<SignedToken>
}

/**
 * Creates the signer, which signs with what the key set says at the time. Throws a TypeError when that has no private key
 * now; if it has none later, signing rejects with UNAVAILABLE.
 */
export function createTokenSigner({ keys }: { keys: SigningKeys }): TokenSigner {
  if (keys.signing === null) throw new TypeError('A token signer needs a key set with a private key')

  async function sign(payload: Record<string, unknown>, lifetimeMs: number): Promise<SignedToken> {
    const { signing } = keys
    if (signing === null) throw new AppError('UNAVAILABLE', 'Nobody can sign in now: there is no key.')
    const issuedAt = Math.floor(Date.now() / 1000)
    const expiresAt = issuedAt + lifetimeMs / 1000
    const token = await new SignJWT(payload)
      .setProtectedHeader({ alg: TOKEN_ALGORITHM, kid: signing.kid, typ: 'JWT' })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiresAt)
      .sign(signing.key)
    return { token, expiresAt: new Date(expiresAt * 1000) }
  }

  return {
    signUser: ({ userId, sessionId }) =>
      sign({ typ: 'user', sub: userId, sid: sessionId }, ACCESS_TOKEN_LIFETIME_MS),
    signDevice: ({ deviceId, spaceId }) =>
      sign({ typ: 'device', sub: deviceId, space: spaceId }, DEVICE_TOKEN_LIFETIME_MS),
  }
}

/** Checks tokens. */
export interface TokenVerifier {
  /**
   * Answers who a token (without `Bearer `) speaks for, by its claims alone: its `typ` decides between a user and a
   * device, so neither passes for the other. Throws UNAUTHENTICATED for a token that is not ours, has expired or whose
   * key was taken out of the set.
   */
  verify(token: string): Promise<Viewer>
  /** Whether the key of the token that a viewer of `verify` came from is still in the set; true for other viewers. */
  isInForce(viewer: Viewer): boolean
}

/**
 * Creates the verifier. Verified tokens are remembered until they expire, `maxEntries` (default 10,000) at most, as
 * a verification costs about 200 µs of CPU; tokens that were refused are not, so garbage pushes nothing out. A key that
 * the set does not have is looked for once more, as another process may have made it just now.
 *
 * Of a token's header only `alg` and `kid` count: keys that it brings or points to (`jwk`, `jku`, `x5c`) are not looked at.
 */
export function createTokenVerifier({
  keys,
  maxEntries = 10_000,
}: {
  keys: SigningKeys
  maxEntries?: number
}): TokenVerifier {
  const verified = new LRUCache<string, Viewer>({ max: maxEntries })
  const pending = new Map<string, Promise<Viewer>>()
  /** What each viewer was verified with. */
  const keyOf = new WeakMap<Viewer, { readonly kid: string; readonly key: CryptoKey }>()

  async function findKey(kid: unknown): Promise<{ kid: string; key: CryptoKey }> {
    if (typeof kid !== 'string') throw new errors.JWKSNoMatchingKey()
    let key = keys.verificationKey(kid)
    if (key === undefined) {
      await keys.reload()
      key = keys.verificationKey(kid)
    }
    if (key === undefined) throw new errors.JWKSNoMatchingKey()
    return { kid, key }
  }

  async function check(token: string): Promise<Viewer> {
    let found: { kid: string; key: CryptoKey } | undefined
    const viewer = await readToken(token, async header => {
      found = await findKey(header.kid)
      return found.key
    })
    if (found !== undefined) keyOf.set(viewer, found)
    verified.set(token, viewer)
    return viewer
  }

  function isInForce(viewer: Viewer): boolean {
    const known = keyOf.get(viewer)
    return known === undefined || keys.verificationKey(known.kid) === known.key
  }

  return {
    isInForce,
    async verify(token) {
      const known = verified.get(token)
      if (known !== undefined && isInForce(known)) {
        if (known.expiresAt > Date.now()) return known
        verified.delete(token)
        throw expired()
      }
      if (known !== undefined) verified.delete(token)
      if (token.length > MAX_TOKEN_LENGTH) throw invalid()
      let viewer = pending.get(token)
      if (viewer === undefined) {
        viewer = check(token).finally(() => pending.delete(token))
        pending.set(token, viewer)
      }
      return viewer
    },
  }
}

async function readToken(
  token: string,
  findKey: (header: { kid?: string }) => Promise<CryptoKey>,
): Promise<Viewer> {
  try {
    const { payload } = await jwtVerify(token, findKey, {
      algorithms: [TOKEN_ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ['exp', 'iat', 'sub'],
    })
    return toViewer(payload)
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw expired(error)
    if (error instanceof errors.JOSEError || error instanceof z.ZodError) throw invalid(error)
    throw error
  }
}

function toViewer(payload: unknown): Viewer {
  const read = claims.parse(payload)
  const expiresAt = read.exp * 1000
  const lifetimeMs = read.typ === 'user' ? ACCESS_TOKEN_LIFETIME_MS : DEVICE_TOKEN_LIFETIME_MS
  // Whoever had our key for a moment shall not have made tokens for years.
  if (read.exp - read.iat > lifetimeMs / 1000 || read.iat * 1000 > Date.now() + CLOCK_MARGIN_MS)
    throw new errors.JWTInvalid('The token lives too long')
  return read.typ === 'user'
    ? { kind: 'user', userId: read.sub, sessionId: read.sid, expiresAt }
    : { kind: 'device', deviceId: read.sub, spaceId: read.space, expiresAt }
}

function expired(cause?: unknown): AppError {
  return new AppError('UNAUTHENTICATED', 'The token has expired. Refresh the session.', { cause })
}

function invalid(cause?: unknown): AppError {
  return new AppError('UNAUTHENTICATED', 'The token is not valid. Sign in again.', { cause })
}
