import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { withDeadline } from '../deadline.ts'
import { withFileLock } from './file-lock.ts'
import { createSetKey, parseKeySet, type SetKey, serializeKeySet } from './key-set.ts'
import { readOrCreatePrivateFile, replacePrivateFile } from './private-file.ts'

/** File in the data folder that keeps the keys of a site that configures none. */
const FILE_NAME = 'signing-keys.json'

/** A larger file is no key set of ours. */
const MAX_BYTES = 65_536

/** A folder that is shared over a network may hang. */
const READ_DEADLINE_MS = 5_000

/** Where the keys of a site that configures none are kept. */
export function keyFilePath(dataDir: string): string {
  return join(dataDir, FILE_NAME)
}

/**
 * Reads the set in the data folder; makes one of one key first when there is none. Processes that start at once end up
 * with the same. Throws an Error that names what is wrong.
 */
export async function readOrCreateKeyFile(dataDir: string): Promise<readonly SetKey[]> {
  const path = keyFilePath(dataDir)
  const create = async () => serializeKeySet([await createSetKey(Date.now())])
  return parseKeySet(await readOrCreatePrivateFile(path, create), `in ${path}`)
}

/** Reads the set in the data folder. Throws an Error when there is none or it is too large, and as parseKeySet does. */
export async function readKeyFile(dataDir: string): Promise<readonly SetKey[]> {
  const path = keyFilePath(dataDir)
  return parseKeySet(await withDeadline(path, READ_DEADLINE_MS, () => readBounded(path)), `in ${path}`)
}

/** What changes with every replacement of the file; null when there is none. */
export async function stampKeyFile(dataDir: string): Promise<string | null> {
  const path = keyFilePath(dataDir)
  return withDeadline(path, READ_DEADLINE_MS, async () => {
    const found = await stat(path).catch(() => null)
    return found === null ? null : `${found.ino} ${found.size} ${found.mtimeMs}`
  })
}

/**
 * Replaces the set by what `change` makes of it, atomically and while no other process does; nothing is written when it
 * answers what it was given. Answers the set that is kept now.
 */
export async function changeKeyFile(
  dataDir: string,
  change: (keys: readonly SetKey[]) => readonly SetKey[] | Promise<readonly SetKey[]>,
): Promise<readonly SetKey[]> {
  const path = keyFilePath(dataDir)
  return withFileLock(path, async () => {
    const keys = await readKeyFile(dataDir)
    const changed = await change(keys)
    if (changed !== keys) await replacePrivateFile(path, serializeKeySet(changed))
    return changed
  })
}

async function readBounded(path: string): Promise<string> {
  await using file = await open(path, 'r')
  const { bytesRead, buffer } = await file.read(Buffer.alloc(MAX_BYTES + 1), 0, MAX_BYTES + 1, 0)
  if (bytesRead > MAX_BYTES) throw new Error(`${path} is larger than ${MAX_BYTES} bytes`)
  return buffer.toString('utf8', 0, bytesRead)
}
