import { type CryptoKey, importJWK, type JSONWebKeySet, type JWK } from 'jose'
import type { Closable } from '../lifecycle.ts'
import type { Logger } from '../logger.ts'
import { readKeyFile, readOrCreateKeyFile, stampKeyFile } from './key-file.ts'
import { findSigningKey, parseKeySet, type SetKey, TOKEN_ALGORITHM } from './key-set.ts'

/** Keys of a site's access and device tokens, as they are now. */
export interface SigningKeys {
  /** What new tokens are signed with; null in a process that only verifies. */
  readonly signing: { readonly kid: string; readonly key: CryptoKey } | null
  /** Public key of that id; undefined when the set has none, or it verifies nothing any more. */
  verificationKey(kid: string): CryptoKey | undefined
  /** The public halves, also of the key that will sign next, for `/.well-known/jwks.json` (RFC 7517 §5). */
  readonly jwks: JSONWebKeySet
  /**
   * Looks at once whether the set has changed: for a token of a key that is not known here yet. Called often, it looks
   * once a second. Never rejects.
   */
  reload(): Promise<void>
}

/** Keys that follow the file they are kept in. */
export interface FollowedSigningKeys extends SigningKeys, Closable {
  /** Calls the listener when keys were taken out of the set, and so their tokens are good no more. Returns what ends that. */
  onRemoved(listener: () => void): () => void
}

/** Where the keys are. */
export interface SigningKeysSource {
  /** JWKS as JSON text; null takes those in the data folder, where one is made when there is none yet. */
  readonly configured: string | null
  readonly dataDir: string
}

/** A set whose keys are ready for use. */
interface ImportedSet {
  readonly keys: readonly SetKey[]
  readonly publicKeys: ReadonlyMap<string, { readonly key: CryptoKey; readonly verifiesUntil: number }>
  readonly privateKeys: ReadonlyMap<string, CryptoKey>
}

const POLL_INTERVAL_MS = 10_000
const RELOAD_INTERVAL_MS = 1_000

/** Reads the key set once. Throws an Error that names what is wrong, without repeating a key. */
export async function readSigningKeys(source: SigningKeysSource): Promise<SigningKeys> {
  const imported = await importSource(source)
  return presentKeys(
    () => imported,
    async () => {},
  )
}

/**
 * Reads the key set and follows it: the file in the data folder is looked at every `pollIntervalMs` (default 10 s), and
 * what cannot be read leaves the keys as they are (`signing_keys.not_read`). A configured set does not change.
 */
export async function followSigningKeys({
  configured,
  dataDir,
  logger,
  pollIntervalMs = POLL_INTERVAL_MS,
  reloadIntervalMs = RELOAD_INTERVAL_MS,
}: SigningKeysSource & {
  readonly logger: Logger
  readonly pollIntervalMs?: number
  readonly reloadIntervalMs?: number
}): Promise<FollowedSigningKeys> {
  const isFollowed = configured === null
  const listeners = new Set<() => void>()
  // Before the file is read: what replaces it meanwhile is read again.
  let stamp = isFollowed ? await stampKeyFile(dataDir).catch(() => null) : null
  let imported = await importSource({ configured, dataDir })
  let toldOf: string | null | undefined
  let looking: Promise<void> | undefined
  let mayReloadAt = 0

  async function look(): Promise<void> {
    let found: string | null = null
    try {
      found = await stampKeyFile(dataDir)
      if (found !== null && found === stamp) return
      const before = imported
      imported = await importKeys(await readKeyFile(dataDir), `in ${dataDir}`, before)
      stamp = found
      const isRemoved = before.keys.some(
        ({ kid }) => before.publicKeys.get(kid)?.key !== imported.publicKeys.get(kid)?.key,
      )
      logger.info({ kids: imported.keys.map(({ kid }) => kid), isRemoved }, 'signing_keys.changed')
      if (isRemoved) for (const listener of [...listeners]) listener()
    } catch (error) {
      // Tried again at each look, told once of each state of the file.
      if (found !== toldOf) logger.error({ err: error }, 'signing_keys.not_read')
      toldOf = found
    }
  }

  function lookOnce(): Promise<void> {
    looking ??= look().finally(() => {
      looking = undefined
    })
    return looking
  }

  async function reload(): Promise<void> {
    if (looking !== undefined) return looking
    if (!isFollowed || Date.now() < mayReloadAt) return
    mayReloadAt = Date.now() + reloadIntervalMs
    return lookOnce()
  }

  const timer = isFollowed ? setInterval(lookOnce, pollIntervalMs).unref() : undefined
  const keys = presentKeys(() => imported, reload)
  return {
    get signing() {
      return keys.signing
    },
    get jwks() {
      return keys.jwks
    },
    verificationKey: keys.verificationKey,
    reload,
    onRemoved(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await looking
    },
  }
}

function presentKeys(read: () => ImportedSet, reload: () => Promise<void>): SigningKeys {
  return {
    get signing() {
      const { keys, privateKeys } = read()
      const kid = findSigningKey(keys, Date.now())?.kid
      const key = kid === undefined ? undefined : privateKeys.get(kid)
      return kid === undefined || key === undefined ? null : { kid, key }
    },
    verificationKey(kid) {
      const found = read().publicKeys.get(kid)
      return found === undefined || found.verifiesUntil <= Date.now() ? undefined : found.key
    },
    get jwks() {
      const inForce = read().keys.filter(({ verifiesUntil }) => verifiesUntil > Date.now())
      const keys = inForce.map(({ kid, x }) => ({ ...publicJwk(x), kid, alg: TOKEN_ALGORITHM, use: 'sig' }))
      return { keys }
    },
    reload,
  }
}

async function importSource({ configured, dataDir }: SigningKeysSource): Promise<ImportedSet> {
  const source = configured === null ? `in ${dataDir}` : 'that are configured'
  const keys =
    configured === null ? await readOrCreateKeyFile(dataDir) : await parseKeySet(configured, source)
  return importKeys(keys, source)
}

/** Keys that were there before stay the same objects, by which those who remember tokens know that they are in force. */
async function importKeys(
  keys: readonly SetKey[],
  source: string,
  before?: ImportedSet,
): Promise<ImportedSet> {
  const publicKeys = new Map<string, { key: CryptoKey; verifiesUntil: number }>()
  const privateKeys = new Map<string, CryptoKey>()
  for (const { kid, x, d, verifiesUntil } of keys) {
    const isKept = before?.keys.some(key => key.kid === kid && key.x === x)
    const kept = isKept ? before?.publicKeys.get(kid)?.key : undefined
    publicKeys.set(kid, { key: kept ?? (await importKey(publicJwk(x), source)), verifiesUntil })
    if (d !== undefined) privateKeys.set(kid, await importKey({ ...publicJwk(x), d }, source))
  }
  return { keys, publicKeys, privateKeys }
}

function publicJwk(x: string) {
  return { kty: 'OKP', crv: 'Ed25519', x }
}

async function importKey(jwk: JWK, source: string): Promise<CryptoKey> {
  try {
    return (await importJWK(jwk, TOKEN_ALGORITHM)) as CryptoKey
  } catch {
    throw new Error(`The signing keys ${source} hold a key that is no Ed25519 key`)
  }
}
