import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'
import { z } from 'zod'

/** The one algorithm of our tokens (RFC 8037: Ed25519). */
export const TOKEN_ALGORITHM = 'EdDSA'

/** No token of ours lives longer, in milliseconds: so long a key verifies after it has ceased to sign. */
export const LONGEST_TOKEN_LIFETIME_MS = 24 * 60 * 60_000

/**
 * How long before it signs a new key is published, in milliseconds: longer than any process of a site takes to read it,
 * and than the 5 minutes for which others may keep `/.well-known/jwks.json`.
 */
export const KEY_OVERLAP_MS = 10 * 60_000

/** How far clocks of a site may differ, in milliseconds. */
const CLOCK_MARGIN_MS = 5 * 60_000

/** More keys are a mistake. */
const MAX_KEYS = 100

/** A key of a set: an Ed25519 JWK, and when it is in force. Moments are epoch milliseconds. */
export interface SetKey {
  readonly kid: string
  /** Public half, base64url. */
  readonly x: string
  /** Private half, base64url; undefined when it only verifies. */
  readonly d: string | undefined
  /** From then on it signs, unless a newer one does; -Infinity when the set does not say. */
  readonly signsFrom: number
  /** From then on nothing is verified with it; Infinity when the set does not say. */
  readonly verifiesUntil: number
}

const moment = z.iso.datetime().transform(text => Date.parse(text))

const keySet = z.object({
  keys: z
    .array(
      z.object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        x: z.string().min(1).max(100),
        d: z.string().min(1).max(100).optional(),
        kid: z.string().min(1).max(128).optional(),
        signsFrom: moment.default(-Infinity),
        verifiesUntil: moment.default(Infinity),
      }),
    )
    .min(1)
    .max(MAX_KEYS),
})

/**
 * Parses a JWKS (RFC 7517 §5) whose keys may also say `signsFrom` and `verifiesUntil` (ISO 8601, UTC). A key without
 * `kid` gets its thumbprint (RFC 7638). Throws an Error that names what is wrong with the keys `source`, without
 * repeating one.
 */
export async function parseKeySet(json: string, source: string): Promise<readonly SetKey[]> {
  const parsed = keySet.safeParse(parseJson(json))
  if (!parsed.success) {
    const mistakes = parsed.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`)
    throw new Error(`The signing keys ${source} are no JWKS of Ed25519 keys: ${mistakes.join('; ')}`)
  }
  const keys = await Promise.all(
    parsed.data.keys.map(async ({ kty, crv, x, d, kid, signsFrom, verifiesUntil }) => ({
      kid: kid ?? (await calculateJwkThumbprint({ kty, crv, x })),
      x,
      d,
      signsFrom,
      verifiesUntil,
    })),
  )
  const twice = keys.find(({ kid }, index) => keys.findIndex(key => key.kid === kid) !== index)
  if (twice !== undefined)
    throw new Error(`The signing keys ${source} hold two keys of the id ${JSON.stringify(twice.kid)}`)
  return keys
}

/** Serializes a set as `parseKeySet` reads it. */
export function serializeKeySet(keys: readonly SetKey[]): string {
  const entries = keys.map(({ kid, x, d, signsFrom, verifiesUntil }) => ({
    kty: 'OKP',
    crv: 'Ed25519',
    x,
    ...(d !== undefined && { d }),
    kid,
    ...(Number.isFinite(signsFrom) && { signsFrom: new Date(signsFrom).toISOString() }),
    ...(Number.isFinite(verifiesUntil) && { verifiesUntil: new Date(verifiesUntil).toISOString() }),
  }))
  return `${JSON.stringify({ keys: entries }, null, 2)}\n`
}

/** Makes a key; its id is its thumbprint. */
export async function createSetKey(signsFrom: number): Promise<SetKey> {
  const { privateKey } = await generateKeyPair(TOKEN_ALGORITHM, { extractable: true })
  const { kty, crv, x = '', d } = await exportJWK(privateKey)
  return { kid: await calculateJwkThumbprint({ kty, crv, x }), x, d, signsFrom, verifiesUntil: Infinity }
}

/**
 * Finds the key that signs at a moment: of those with a private half whose time has come the newest, of equals the first
 * of the set. When none has come yet the one that comes first, so that a slow clock keeps nobody out. Undefined when the
 * set only verifies.
 */
export function findSigningKey(keys: readonly SetKey[], now: number): SetKey | undefined {
  const able = keys.filter(key => key.d !== undefined && key.verifiesUntil > now)
  const due = able.filter(key => key.signsFrom <= now)
  return due.length > 0
    ? due.reduce((best, key) => (key.signsFrom > best.signsFrom ? key : best))
    : able.toSorted((a, b) => a.signsFrom - b.signsFrom)[0]
}

/** Finds the key that will take over from the one that signs at a moment. */
export function findComingKey(keys: readonly SetKey[], now: number): SetKey | undefined {
  const signing = findSigningKey(keys, now)
  return keys.find(key => key !== signing && key.d !== undefined && key.signsFrom > now)
}

/**
 * Adds a key that signs in KEY_OVERLAP_MS; the others verify until the last of their tokens has expired. A set that has a
 * coming key already stays as it is, so that two who rotate at once rotate once.
 */
export async function rotateKeys(keys: readonly SetKey[], now: number): Promise<readonly SetKey[]> {
  if (findComingKey(keys, now) !== undefined) return keys
  const next = await createSetKey(now + KEY_OVERLAP_MS)
  const endsAt = next.signsFrom + LONGEST_TOKEN_LIFETIME_MS + CLOCK_MARGIN_MS
  return [next, ...keys.map(key => ({ ...key, verifiesUntil: Math.min(key.verifiesUntil, endsAt) }))]
}

/**
 * Takes out what a set does not need any more: the private halves of keys that a newer one has followed, and keys that
 * verify nothing now. Answers the set itself when there is nothing.
 */
export function pruneKeys(keys: readonly SetKey[], now: number): readonly SetKey[] {
  const signing = findSigningKey(keys, now)
  const kept = keys.filter(key => key.verifiesUntil > now)
  if (signing === undefined || kept.length === 0) return keys
  const isFollowed = (key: SetKey) =>
    key.d !== undefined &&
    key.signsFrom < signing.signsFrom &&
    signing.signsFrom <= now - CLOCK_MARGIN_MS &&
    Number.isFinite(key.verifiesUntil)
  if (kept.length === keys.length && !kept.some(isFollowed)) return keys
  return kept.map(key => (isFollowed(key) ? { ...key, d: undefined } : key))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
