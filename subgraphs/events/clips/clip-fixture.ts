import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClipUpload } from '../../shared/clip-desk.ts'
import { createLogger } from '../../shared/logger.ts'
import { createFileHttp } from '../../shared/storage/file-http.ts'
import { createFileLinks } from '../../shared/storage/file-links.ts'
import { createFileStorage, type FileStorage } from '../../shared/storage/file-storage.ts'

/** Storage in files for tests, served on a port of its own. Dispose deletes them. */
export interface ServedFiles extends AsyncDisposable {
  readonly dir: string
  readonly storage: FileStorage
  /** The same files, at that moment (epoch milliseconds). */
  at(now: number): FileStorage
}

export async function serveFiles(): Promise<ServedFiles> {
  const dir = await mkdtemp(join(tmpdir(), 'nuvion-clips-'))
  const links = createFileLinks('a secret of the site, long enough')
  let origin = ''
  const create = (now?: () => number) => createFileStorage({ dir, links, origin: () => origin, now })
  const storage = create()
  const logger = createLogger({ level: 'silent', role: 'test' })
  const server = createServer(createFileHttp({ storage, links, logger, limits: { minFreeBytes: 0 } }))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    dir,
    storage,
    at: now => create(() => now),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      await rm(dir, { recursive: true })
    },
  }
}

/** Uploads bytes by the link of a clip; the status. */
export async function putClip({ uploadUrl, headers }: ClipUpload, body: Buffer): Promise<number> {
  return (await fetch(uploadUrl, { method: 'PUT', headers, body: new Uint8Array(body) })).status
}

/** Bytes that begin as a file of the type does, and go on with those of a hash of `seed`. */
export function makeContent(contentType: string, seed = ''): Buffer {
  const start = STARTS[contentType]
  if (start === undefined) throw new TypeError(`Expected a content type of clips, got ${contentType}`)
  return Buffer.concat([Buffer.from(start, 'latin1'), createHash('sha256').update(seed).digest()])
}

const STARTS: Readonly<Record<string, string>> = {
  'video/mp4': '\0\0\0\x18ftypisom\0\0\x02\0isomiso2',
  'video/quicktime': '\0\0\0\x14ftypqt  \0\0\0\0qt  ',
  'video/webm': '\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\xf7\x81\x01\x42\x82\x84webm',
  'image/jpeg': '\xff\xd8\xff\xe0\0\x10JFIF',
  'image/png': '\x89PNG\r\n\x1a\n',
  'image/webp': 'RIFF\x20\0\0\0WEBPVP8 ',
}
