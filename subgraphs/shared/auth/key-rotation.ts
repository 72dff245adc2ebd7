import type { Closable } from '../lifecycle.ts'
import type { Logger } from '../logger.ts'
import { changeKeyFile, readKeyFile } from './key-file.ts'
import { findSigningKey, pruneKeys, rotateKeys, type SetKey } from './key-set.ts'

/** How often the age of the keys is looked at. */
const CHECK_INTERVAL_MS = 10 * 60_000

/**
 * Starts to renew the keys in the data folder: a key that has signed for `maxAgeMs` (Infinity is for good) is followed by a new one,
 * and what the set does not need any more is taken out. However many processes share the folder, it happens once.
 *
 * Looks now and every `checkIntervalMs` (default 10 min). A folder that cannot be written leaves the keys as they are
 * (`signing_keys.not_rotated`).
 */
export function startKeyRotation({
  dataDir,
  maxAgeMs,
  logger,
  checkIntervalMs = CHECK_INTERVAL_MS,
}: {
  dataDir: string
  maxAgeMs: number
  logger: Logger
  checkIntervalMs?: number
}): Closable {
  let checking: Promise<void> | undefined

  async function renew(keys: readonly SetKey[]): Promise<readonly SetKey[]> {
    const now = Date.now()
    const kept = pruneKeys(keys, now)
    const signing = findSigningKey(kept, now)
    const isOld = signing !== undefined && now - signing.signsFrom > maxAgeMs
    return isOld ? rotateKeys(kept, now) : kept
  }

  async function check(): Promise<void> {
    try {
      const keys = await readKeyFile(dataDir)
      // Looked at without the lock first: mostly there is nothing to do.
      if ((await renew(keys)) === keys) return
      const changed = await changeKeyFile(dataDir, renew)
      logger.info({ kids: changed.map(({ kid }) => kid) }, 'signing_keys.renewed')
    } catch (error) {
      logger.error({ err: error }, 'signing_keys.not_rotated')
    }
  }

  function checkOnce(): void {
    checking ??= check().finally(() => {
      checking = undefined
    })
  }

  checkOnce()
  const timer = setInterval(checkOnce, checkIntervalMs).unref()
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await checking
    },
  }
}
