import { join } from 'node:path'
import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JSONWebKeySet,
  type JWK,
} from 'jose'
import { z } from 'zod'
import { readOrCreatePrivateFile } from './private-file.ts'

/** The one algorithm of our tokens (RFC 8037: Ed25519). */
export const TOKEN_ALGORITHM = 'EdDSA'

/** File in the data folder that keeps the keys of a site that configures none. */
const FILE_NAME = 'signing-keys.json'

/** Keys of a site's access and device tokens. */
export interface SigningKeys {
  /** What new tokens are signed with; null in a process that only verifies. */
  readonly signing: { readonly kid: string; readonly key: CryptoKey } | null
  /** Public key of that id; undefined when the set has none. */
  verificationKey(kid: string): CryptoKey | undefined
  /** The public halves, for `/.well-known/jwks.json` (RFC 7517 §5). */
  readonly jwks: JSONWebKeySet
}

const keySet = z.object({
  keys: z
    .array(
      z.object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        x: z.string().min(1),
        d: z.string().min(1).optional(),
        kid: z.string().min(1).optional(),
      }),
    )
    .min(1),
})

/**
 * Reads the key set: out of `configured` (JWKS as JSON text) when given, else out of the data folder, where one key
 * is made when there is none yet. Processes that start at once end up with the same key.
 *
 * The first key with a private half signs; all verify. So a rotation puts its new key in front and leaves the old
 * ones until their tokens have expired. Throws an Error that names what is wrong, without repeating a key.
 */
export async function readSigningKeys({
  configured,
  dataDir,
}: {
  configured: string | null
  dataDir: string
}): Promise<SigningKeys> {
  if (configured !== null) return parseSigningKeys(configured, 'that are configured')
  const path = join(dataDir, FILE_NAME)
  return parseSigningKeys(await readOrCreatePrivateFile(path, createKeySet), `in ${path}`)
}

async function createKeySet(): Promise<string> {
  const { privateKey } = await generateKeyPair(TOKEN_ALGORITHM, { extractable: true })
  const jwk = await exportJWK(privateKey)
  return JSON.stringify({ keys: [{ ...jwk, kid: await calculateJwkThumbprint(jwk) }] })
}

async function parseSigningKeys(json: string, source: string): Promise<SigningKeys> {
  const parsed = keySet.safeParse(parseJson(json))
  if (!parsed.success) {
    const mistakes = parsed.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`)
    throw new Error(`The signing keys ${source} are no JWKS of Ed25519 keys: ${mistakes.join('; ')}`)
  }
  const publicKeys = new Map<string, CryptoKey>()
  const keys: JWK[] = []
  let signing: SigningKeys['signing'] = null
  for (const jwk of parsed.data.keys) {
    const { d, kid = await calculateJwkThumbprint(jwk), ...rest } = jwk
    if (publicKeys.has(kid)) throw new Error(`The signing keys ${source} hold two keys of the id ${kid}`)
    publicKeys.set(kid, await importKey(rest, source))
    keys.push({ ...rest, kid, alg: TOKEN_ALGORITHM, use: 'sig' })
    if (d !== undefined) signing ??= { kid, key: await importKey({ ...rest, d }, source) }
  }
  return { signing, verificationKey: kid => publicKeys.get(kid), jwks: { keys } }
}

async function importKey(jwk: JWK, source: string): Promise<CryptoKey> {
  try {
    return (await importJWK(jwk, TOKEN_ALGORITHM)) as CryptoKey
  } catch {
    throw new Error(`The signing keys ${source} hold a key that is no Ed25519 key`)
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
