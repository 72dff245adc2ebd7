import { errors, type JWTVerifyGetKey, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { AppError } from '../errors.ts'
import { isUuidV7 } from '../uuid-v7.ts'
import { type SigningKeys, TOKEN_ALGORITHM } from './signing-keys.ts'
import type { Viewer } from './viewer.ts'

/** How long a user's access token lives, in milliseconds. */
export const ACCESS_TOKEN_LIFETIME_MS = 15 * 60_000

/** How long a device token lives, in milliseconds. */
export const DEVICE_TOKEN_LIFETIME_MS = 24 * 60 * 60_000

const ISSUER = 'nuvion'
const AUDIENCE = 'nuvion'

/** Longer ones are refused unread; ours have about 400 characters. */
const MAX_TOKEN_LENGTH = 4_096

const id = z.string().refine(isUuidV7)
const exp = z.number()
const claims = z.discriminatedUnion('typ', [
  z.object({ typ: z.literal('user'), sub: id, sid: id, exp }),
  z.object({ typ: z.literal('device'), sub: id, space: id, exp }),
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

/** Creates the signer; throws a TypeError when the key set has no private key. */
export function createTokenSigner({ keys }: { keys: SigningKeys }): TokenSigner {
  if (keys.signing === null) throw new TypeError('A token signer needs a key set with a private key')
  const { kid, key } = keys.signing

  async function sign(payload: Record<string, unknown>, lifetimeMs: number): Promise<SignedToken> {
    const issuedAt = Math.floor(Date.now() / 1000)
    const expiresAt = issuedAt + lifetimeMs / 1000
    const token = await new SignJWT(payload)
      .setProtectedHeader({ alg: TOKEN_ALGORITHM, kid, typ: 'JWT' })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiresAt)
      .sign(key)
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
   * device, so neither passes for the other. Throws UNAUTHENTICATED for a token that is not ours or has expired.
   */
  verify(token: string): Promise<Viewer>
}

/**
 * Creates the verifier. Verified tokens are remembered until they expire, `maxEntries` (default 10,000) at most, as
 * a verification costs about 200 µs of CPU; tokens that were refused are not, so garbage pushes nothing out.
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
  const findKey: JWTVerifyGetKey = header => {
    const key = header.kid === undefined ? undefined : keys.verificationKey(header.kid)
    if (key === undefined) throw new errors.JWKSNoMatchingKey()
    return key
  }

  async function check(token: string): Promise<Viewer> {
    const viewer = await readToken(token, findKey)
    verified.set(token, viewer)
    return viewer
  }

  return {
    async verify(token) {
      const known = verified.get(token)
      if (known !== undefined) {
        if (known.expiresAt > Date.now()) return known
        verified.delete(token)
        throw expired()
      }
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

async function readToken(token: string, findKey: JWTVerifyGetKey): Promise<Viewer> {
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
