import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where servers are installed; a user's PATH often leaves these out. */
export const SERVER_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/usr/bin']

/** Finds the first executable of these names on a PATH and in further folders; undefined when there is none. */
export function findProgram(names, path = '', folders = []) {
  for (const folder of [...path.split(delimiter), ...folders]) {
    if (folder === '') continue
    for (const name of names) {
      const file = join(folder, name)
      if (isExecutable(file)) return file
    }
  }
  return undefined
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
