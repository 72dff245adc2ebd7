import { open } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { parseByteRange } from './byte-range.ts'
import type { FileLink } from './file-links.ts'
import { statOf } from './file-storage.ts'
import { refuseHttp } from './http-refusal.ts'

/** How long a reader may take nothing. */
const IDLE_DEADLINE_MS = 60_000

/**
 * Answers GET and HEAD of a file: whole, one range (206), unchanged (304) or 416 (RFC 9110 §13, §14). A browser plays it,
 * and runs nothing of it, whatever is in it. 404 when there is no file.
 */
export async function answerDownload(
  request: IncomingMessage,
  response: ServerResponse,
  { path, link, now }: { path: string; link: FileLink; now: number },
): Promise<void> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (file === null) return refuseHttp(request, response, 404, 'There is no such file.')
  await using _ = file
  const { sizeBytes, etag } = statOf(await file.stat())
  const { 'if-none-match': ifNoneMatch, 'if-range': ifRange } = request.headers
  const headers = {
    'accept-ranges': 'bytes',
    'cache-control': `private, max-age=${Math.max(0, Math.floor((link.expiresAt - now) / 1_000))}`,
    'content-disposition': 'inline',
    'content-security-policy': "default-src 'none'; sandbox",
    'content-type': link.contentType,
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    etag,
  }
  if (ifNoneMatch?.split(',').some(one => one.trim() === etag)) {
    response.writeHead(304, headers).end()
    return
  }
  const isRangeMeant = request.method === 'GET' && (ifRange === undefined || ifRange === etag)
  const range = isRangeMeant ? parseByteRange(request.headers.range, sizeBytes) : null
  if (range === 'unsatisfiable') {
    response
      .writeHead(416, { ...headers, 'content-length': 0, 'content-range': `bytes */${sizeBytes}` })
      .end()
    return
  }
  const { start, end } = range ?? { start: 0, end: sizeBytes - 1 }
  response.writeHead(range === null ? 200 : 206, {
    ...headers,
    'content-length': end - start + 1,
    ...(range !== null && { 'content-range': `bytes ${start}-${end}/${sizeBytes}` }),
  })
  if (request.method === 'HEAD' || sizeBytes === 0) {
    response.end()
    return
  }
  response.setTimeout(IDLE_DEADLINE_MS, () => response.destroy())
  const reading = file.createReadStream({ start, end, autoClose: false })
  // Readers leave when they have seen enough.
  await pipeline(reading, response).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE' && !response.destroyed) throw error
  })
}
