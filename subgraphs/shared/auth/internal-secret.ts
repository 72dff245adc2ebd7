import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { readOrCreatePrivateFile } from './private-file.ts'

/** File in the data folder that keeps the secret of a site that configures none. */
const FILE_NAME = 'internal-secret'

/** Characters that a secret must have at least. */
const MIN_LENGTH = 32

/**
 * Reads the secret that all roles of a site share: `configured` when given, else the one in the data folder, which is
 * made (256 random bits, base64url) when it is not there yet.
 *
 * Throws an Error when the secret has fewer than 32 characters; the message does not repeat it.
 */
export async function readInternalSecret({
  configured,
  dataDir,
}: {
  configured: string | null
  dataDir: string
}): Promise<string> {
  const secret = configured ?? (await readSecretFile(join(dataDir, FILE_NAME)))
  if (secret.length < MIN_LENGTH) {
    const source = configured === null ? `in ${join(dataDir, FILE_NAME)}` : 'that is configured'
    throw new Error(`The internal secret ${source} has fewer than ${MIN_LENGTH} characters`)
  }
  return secret
}

async function readSecretFile(path: string): Promise<string> {
  return (await readOrCreatePrivateFile(path, () => randomBytes(32).toString('base64url'))).trim()
}
