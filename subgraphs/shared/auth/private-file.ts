import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Reads a file that only its owner may read; makes it first when it is not there yet (mode 0600, its folder 0700).
 *
 * Of several processes that find it missing at once, one makes it and all answer its content: it is written whole
 * under another name and then linked into place, which fails when the place is taken.
 */
export async function readOrCreatePrivateFile(
  path: string,
  createContent: () => string | Promise<string>,
): Promise<string> {
  const existing = await readIfThere(path)
  if (existing !== null) return existing
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = draftOf(path)
  try {
    await writeDurably(draft, await createContent())
    await link(draft, path).catch(error => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(draft, { force: true })
  }
  return readFile(path, 'utf8')
}

/** Replaces a file that only its owner may read: whoever reads it meanwhile gets the old content or the new, whole. */
export async function replacePrivateFile(path: string, content: string): Promise<void> {
  const draft = draftOf(path)
  try {
    await writeDurably(draft, content)
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}

function draftOf(path: string): string {
  return `${path}.${process.pid}.${randomBytes(6).toString('hex')}`
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

async function writeDurably(path: string, content: string): Promise<void> {
  await using file = await open(path, 'wx', 0o600)
  await file.writeFile(content)
  await file.sync()
}
