import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'

/** A file of the page, in the encodings it was built in. */
export interface PageFile {
  readonly type: string
  /** Names the content (RFC 9110 §8.8.3), without quotes and encoding. */
  readonly tag: string
  /** Its name has a hash of its content, so it never changes. */
  readonly isImmutable: boolean
  readonly bodies: Readonly<Record<PageEncoding, Buffer | undefined>> & { readonly identity: Buffer }
}

/** Encodings that files are kept in, the smallest first. */
export const PAGE_ENCODINGS = ['br', 'gzip', 'identity'] as const

/** Content coding (RFC 9110 §8.4.1). */
export type PageEncoding = (typeof PAGE_ENCODINGS)[number]

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Reads all files of a built page by their paths, such as `/index.html`. Empty when there is no such folder. */
export async function readPageFiles(folder: string): Promise<ReadonlyMap<string, PageFile>> {
  const names = await listFiles(folder)
  const known = names.filter(name => extname(name) in TYPES)
  return new Map(
    await Promise.all(
      known.map(async name => {
        const [identity, br, gzip] = await Promise.all([
          readFile(join(folder, name)),
          names.includes(`${name}.br`) ? readFile(join(folder, `${name}.br`)) : undefined,
          names.includes(`${name}.gz`) ? readFile(join(folder, `${name}.gz`)) : undefined,
        ])
        const path = `/${name.split(sep).join('/')}`
        const file: PageFile = {
          type: TYPES[extname(name)] ?? '',
          tag: createHash('sha256').update(identity).digest('base64url').slice(0, 22),
          isImmutable: path.startsWith('/assets/'),
          bodies: { identity, br, gzip },
        }
        return [path, file] as const
      }),
    ),
  )
}

async function listFiles(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries.filter(one => one.isFile()).map(one => relative(folder, join(one.parentPath, one.name)))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
