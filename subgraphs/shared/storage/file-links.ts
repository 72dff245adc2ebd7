import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { isObjectKey } from './object-storage.ts'

/** What a link lets its holder do. `sizeBytes` is 0 for GET; `expiresAt` is epoch milliseconds. */
export interface FileLink {
  readonly method: 'GET' | 'PUT'
  readonly key: string
  readonly contentType: string
  readonly sizeBytes: number
  readonly expiresAt: number
}

/** Signs links to files, and reads them back. */
export interface FileLinks {
  /** Path and query of a link. */
  sign(link: FileLink): string
  /** Reads the path and query of a request; null when it was not signed here, or anything of it was changed. */
  verify(pathAndQuery: string): FileLink | null
}

/** First part of the path of every link. */
export const FILE_LINKS_PATH = '/clips/'

/**
 * Creates links under `/clips/` that are signed (HMAC-SHA256) with a key derived from the secret of the site. A path is
 * compared as it was sent: what is escaped, or leads elsewhere, is no link.
 */
export function createFileLinks(secret: string): FileLinks {
  const signingKey = Buffer.from(hkdfSync('sha256', secret, '', 'links to files', 32))

  function signatureOf({ method, key, contentType, sizeBytes, expiresAt }: FileLink): string {
    const text = [method, key, contentType, sizeBytes, expiresAt].join('\n')
    return createHmac('sha256', signingKey).update(text).digest('base64url')
  }

  return {
    sign(link) {
      const query = new URLSearchParams({
        method: link.method,
        type: link.contentType,
        size: String(link.sizeBytes),
        expires: String(link.expiresAt),
        signature: signatureOf(link),
      })
      return `${FILE_LINKS_PATH}${link.key}?${query}`
    },
    verify(pathAndQuery) {
      const [path = '', query = ''] = pathAndQuery.split('?', 2)
      const key = path.startsWith(FILE_LINKS_PATH) ? path.slice(FILE_LINKS_PATH.length) : ''
      if (!isObjectKey(key)) return null
      const fields = new URLSearchParams(query)
      const method = fields.get('method')
      const sizeBytes = Number(fields.get('size'))
      const expiresAt = Number(fields.get('expires'))
      if (method !== 'GET' && method !== 'PUT') return null
      if (!Number.isSafeInteger(sizeBytes) || !Number.isSafeInteger(expiresAt)) return null
      const link = { method, key, contentType: fields.get('type') ?? '', sizeBytes, expiresAt } as const
      // As text: the last letter of base64url has bits that no byte is made of, so four texts are the same bytes.
      const given = Buffer.from(fields.get('signature') ?? '')
      const right = Buffer.from(signatureOf(link))
      return given.length === right.length && timingSafeEqual(given, right) ? link : null
    },
  }
}
