import { randomUUID } from 'node:crypto'
import type { Dirent, Stats } from 'node:fs'
import { link, mkdir, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FileLinks } from './file-links.ts'
import { checkObjectKey, type ListedObject, type ObjectStat, type ObjectStorage } from './object-storage.ts'

/** Objects in files of one folder, besides what every storage can. */
export interface FileStorage extends ObjectStorage {
  /** Path of the file of a key. */
  pathOf(key: string): string
  /** A path for a file that is still being written; `publish` or `discard` it. */
  makeTemporary(): Promise<string>
  /** Puts a finished file under a key, on the disk for good, in place of what is there. */
  publish(temporary: string, key: string): Promise<void>
  discard(temporary: string): Promise<void>
  /** Deletes files that nobody has written to since `before` (epoch milliseconds) and that were not finished. */
  deleteTemporaryBefore(before: number): Promise<number>
}

/** Where the files are, and how their links begin. */
export interface FileStorageOptions {
  /** Made when it is not there. */
  readonly dir: string
  readonly links: FileLinks
  /** Origin that links begin with; empty leaves them a path on the address by which one has come. */
  readonly origin: () => string
  readonly now?: () => number
}

const TEMPORARY = 'unfinished'
const LIST_FOLDERS_AT_A_TIME = 1_000

/**
 * Creates the storage in files under `dir`, which all processes that use it share. A file appears whole or not at all:
 * it is written elsewhere on the same disk, flushed, and renamed.
 */
export function createFileStorage(options: FileStorageOptions): FileStorage {
  const { dir, links, origin, now = Date.now } = options
  const pathOf = (key: string) => join(dir, checkObjectKey(key))
  const temporaryPath = () => join(dir, TEMPORARY, randomUUID())

  async function makeTemporary(): Promise<string> {
    await mkdir(join(dir, TEMPORARY), { recursive: true, mode: 0o700 })
    return temporaryPath()
  }

  async function publish(temporary: string, key: string): Promise<void> {
    const path = pathOf(key)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await rename(temporary, path)
    await flushFolder(dirname(path))
  }

  return {
    pathOf,
    makeTemporary,
    publish,
    discard: temporary => rm(temporary, { force: true }),
    presignPut({ key, contentType, sizeBytes, expiresInMs }) {
      const expiresAt = now() + expiresInMs
      const url = links.sign({ method: 'PUT', key: checkObjectKey(key), contentType, sizeBytes, expiresAt })
      const headers = { 'content-length': String(sizeBytes), 'content-type': contentType }
      return { url: origin() + url, headers }
    },
    presignGet({ key, contentType, expiresInMs }) {
      const expiresAt = now() + expiresInMs
      return (
        origin() +
        links.sign({ method: 'GET', key: checkObjectKey(key), contentType, sizeBytes: 0, expiresAt })
      )
    },
    stat: key => orNull(async () => statOf(await stat(pathOf(key)))),
    readStart: (key, etag, maxBytes) =>
      orNull(async () => {
        await using file = await open(pathOf(key))
        if (statOf(await file.stat()).etag !== etag) return null
        const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, 0)
        return buffer.subarray(0, bytesRead)
      }),
    async move(from, to, etag) {
      // A second name first: whatever is uploaded meanwhile, this one keeps the bytes that are looked at here.
      const held = await makeTemporary()
      const isMoved = await orNull(async () => {
        await link(pathOf(from), held)
        if (statOf(await stat(held)).etag !== etag) return false
        await publish(held, to)
        await unlink(pathOf(from)).catch(ignoreMissing)
        return true
      })
      if (isMoved !== true) await rm(held, { force: true })
      return isMoved === true
    },
    async put(key, _, body) {
      const temporary = await makeTemporary()
      try {
        await using file = await open(temporary, 'wx', 0o600)
        await file.writeFile(body)
        await file.sync()
        await publish(temporary, key)
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
    },
    async delete(keys) {
      for (const key of keys) await rm(pathOf(key), { force: true })
    },
    async list(prefix, after, limit) {
      const objects: ListedObject[] = []
      const [, afterFolder = '', afterName = ''] = after?.split('/') ?? []
      const folders = (await readFolder(join(dir, prefix))).filter(({ name }) => name >= afterFolder)
      for (const folder of folders.slice(0, LIST_FOLDERS_AT_A_TIME)) {
        for (const { name } of await readFolder(join(dir, prefix, folder.name))) {
          if (folder.name === afterFolder && name <= afterName) continue
          const file = await orNull(() => stat(join(dir, prefix, folder.name, name)))
          if (file !== null)
            objects.push({ key: `${prefix}/${folder.name}/${name}`, modifiedAt: file.mtimeMs })
          if (objects.length === limit) return objects
        }
      }
      return objects
    },
    sourceOf: key => ({ url: `file:${pathOf(key)}`, protocols: ['file'] }),
    async deleteTemporaryBefore(before) {
      let deleted = 0
      for (const { name } of await readFolder(join(dir, TEMPORARY))) {
        const path = join(dir, TEMPORARY, name)
        const file = await orNull(() => stat(path))
        if (file === null || Math.max(file.mtimeMs, file.ctimeMs) >= before) continue
        await rm(path, { force: true })
        deleted++
      }
      return deleted
    },
  }
}

/** What the storage says of a file. The inode tells two files apart that were written in one tick of the clock. */
export function statOf({ size, mtimeMs, ino }: Stats): ObjectStat {
  return {
    sizeBytes: size,
    etag: `"${ino.toString(36)}-${Math.round(mtimeMs * 1_000).toString(36)}-${size.toString(36)}"`,
  }
}

async function readFolder(path: string): Promise<Dirent[]> {
  const entries = await orNull(() => readdir(path, { withFileTypes: true }))
  return (entries ?? []).sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** A rename is on the disk once its folder is. */
async function flushFolder(path: string): Promise<void> {
  await using folder = await open(path)
  await folder.sync()
}

async function orNull<T>(work: () => Promise<T>): Promise<T | null> {
  return await work().catch(error => {
    ignoreMissing(error)
    return null
  })
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
