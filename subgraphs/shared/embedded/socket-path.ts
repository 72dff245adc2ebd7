import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The longest unix socket path: `sockaddr_un.sun_path` holds 108 bytes with its NUL (unix(7)). */
const MAX_SOCKET_PATH_BYTES = 107

/** Marks the temporary folders that are ours to remove. */
const FOLDER_PREFIX = 'nuvion-'

/** Where a server's socket lives, and how to tidy up after it. */
export interface SocketPath {
  path: string
  /** Removes the socket and its temporary folder, if it has one. */
  remove(): void
}

/**
 * Chooses the socket of a server: `<dataDir>/<name>.sock`, or one in a fresh private temporary folder when that
 * path is too long for a socket. Removes what a killed run left behind. `dataDir` exists and is private.
 */
export function createSocketPath(dataDir: string, name: string): SocketPath {
  const note = join(dataDir, `${name}.socket-folder`)
  removeNotedFolder(note)
  let path = join(dataDir, `${name}.sock`)
  if (Buffer.byteLength(path) > MAX_SOCKET_PATH_BYTES) {
    const folder = mkdtempSync(join(tmpdir(), FOLDER_PREFIX))
    writeFileSync(note, folder)
    path = join(folder, `${name}.sock`)
  }
  rmSync(path, { force: true })
  return {
    path,
    remove() {
      rmSync(path, { force: true })
      removeNotedFolder(note)
    },
  }
}

/** Finds the socket of a server that runs on a data folder, as createSocketPath chose it; null when there is none. */
export function findSocketPath(dataDir: string, name: string): string | null {
  const folders = [dataDir, readNote(join(dataDir, `${name}.socket-folder`)) ?? dataDir]
  return folders.map(folder => join(folder, `${name}.sock`)).find(path => existsSync(path)) ?? null
}

function readNote(note: string): string | null {
  try {
    return readFileSync(note, 'utf8')
  } catch {
    return null
  }
}

function removeNotedFolder(note: string): void {
  const folder = readNote(note)
  if (folder === null) return
  if (dirname(folder) === tmpdir() && folder.startsWith(join(tmpdir(), FOLDER_PREFIX))) {
    rmSync(folder, { recursive: true, force: true })
  }
  rmSync(note, { force: true })
}
