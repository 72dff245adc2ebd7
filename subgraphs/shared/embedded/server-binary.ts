import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Folders where servers live that a user's PATH often leaves out. */
const SERVER_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/usr/bin']

/** Debian's package for each server program, for the message that a person reads. */
const PACKAGE_OF: Record<string, string> = {
  mariadbd: 'mariadb-server',
  'mariadb-install-db': 'mariadb-server',
  'redis-server': 'redis-server',
}

/** A server program that the embedded services need and this machine lacks. The message says what to do. */
export class MissingServerError extends Error {
  override readonly name = 'MissingServerError'
  readonly code = 'UNAVAILABLE'
  readonly program: string

  constructor(program: string) {
    super(
      `${program} was not found. Install it with \`sudo apt-get install ${PACKAGE_OF[program] ?? program}\`, ` +
        'or use servers of your own: set DATABASE_URL, REDIS_URL and REDIS_INGEST_URL.',
    )
    this.program = program
  }
}

/**
 * Finds the first executable of these names on `searchPath` (default: PATH) and in the usual server folders.
 * Undefined when there is none.
 */
export function findServerBinary(
  names: readonly string[],
  searchPath = process.env.PATH ?? '',
  folders: readonly string[] = SERVER_FOLDERS,
): string | undefined {
  for (const folder of [...searchPath.split(delimiter), ...folders]) {
    if (folder === '') continue
    for (const name of names) {
      const file = join(folder, name)
      if (isExecutable(file)) return file
    }
  }
  return undefined
}

/** As findServerBinary; throws MissingServerError that names the first of `names`. */
export function getServerBinary(...names: [string, ...string[]]): string {
  const file = findServerBinary(names)
  if (file === undefined) throw new MissingServerError(names[0])
  return file
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
