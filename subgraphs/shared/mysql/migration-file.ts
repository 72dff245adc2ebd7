import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Stands on a line of its own between two statements of a migration. */
const BREAKPOINT = /^\s*-->\s*statement-breakpoint\s*$/m

const FILE_NAME = /^(\d{4})_[a-z0-9_-]+\.sql$/

/** One migration: what it is called and the statements that it runs in order. */
export interface MigrationFile {
  /** The file's name: `0001_topology.sql`. */
  name: string
  statements: string[]
}

/** Reads the migrations of a folder in order. Throws TypeError on a wrong name or a number used twice. */
export async function readMigrationFiles(dir: string): Promise<MigrationFile[]> {
  const names = (await readdir(dir)).filter(name => name.endsWith('.sql')).sort()
  const numbers = new Set<string>()
  for (const name of names) {
    const number = FILE_NAME.exec(name)?.[1]
    if (number === undefined) throw new TypeError(`A migration is called NNNN_name.sql, not ${name}`)
    if (numbers.has(number)) throw new TypeError(`Two migrations have the number ${number}`)
    numbers.add(number)
  }
  return Promise.all(
    names.map(async name => ({ name, statements: parseStatements(await readFile(join(dir, name), 'utf8')) })),
  )
}

/** Splits a migration at its breakpoints; empty parts vanish, line ends are made equal. */
export function parseStatements(text: string): string[] {
  return text
    .replaceAll('\r\n', '\n')
    .split(new RegExp(BREAKPOINT, 'gm'))
    .map(part => part.trim())
    .filter(part => part !== '')
}

/** The checksum of a migration's first `count` statements. */
export function hashStatements(statements: readonly string[], count: number): string {
  const hash = createHash('sha256')
  for (const statement of statements.slice(0, count)) hash.update(statement).update('\0')
  return hash.digest('hex')
}
