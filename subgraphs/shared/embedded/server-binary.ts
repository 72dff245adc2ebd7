import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { AppError } from '../errors.ts'

/** Folders where servers live that a user's PATH often leaves out. */
const SERVER_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/usr/bin']

/** Debian's package for each server program, for the message that a person reads. */
const PACKAGE_OF: Record<string, string> = {
  mariadbd: 'mariadb-server',
  'mariadb-install-db': 'mariadb-server',
  'redis-server': 'redis-server',
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

/** As findServerBinary; throws UNAVAILABLE that says what to install when there is none. */
export function getServerBinary(...names: [string, ...string[]]): string {
  const file = findServerBinary(names)
  if (file !== undefined) return file
  const [program] = names
  throw new AppError(
    'UNAVAILABLE',
    `${program} was not found. Install it with \`sudo apt-get install ${PACKAGE_OF[program] ?? program}\`, ` +
      'or use servers of your own: set DATABASE_URL, REDIS_URL and REDIS_INGEST_URL.',
  )
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
