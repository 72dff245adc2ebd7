import { withDeadline } from '../deadline.ts'
import { AppError } from '../errors.ts'
import { checkObjectKey, type ListedObject, type ObjectStorage } from './object-storage.ts'
import { presignS3, type S3Bucket, type S3Request } from './s3-signature.ts'

/** What the storage needs to reach its bucket. */
export interface S3StorageOptions extends S3Bucket {
  /** Of one request, a copy of the server's own too. Default 30 s. */
  readonly requestDeadlineMs?: number
  readonly now?: () => number
}

/** How long the signatures of our own requests hold. */
const OWN_LIFE_MS = 60_000
const MAX_DELETES_AT_A_TIME = 8
/** Answers of a bucket's list: 1,000 keys at most. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024

/** Creates the storage in a bucket of any S3 server; the bucket is there already. Opens nothing. */
export function createS3Storage(options: S3StorageOptions): ObjectStorage {
  const { requestDeadlineMs = 30_000, now = Date.now } = options

  function sign(request: Omit<S3Request, 'now'>): string {
    if (request.key !== null) checkObjectKey(request.key)
    return presignS3(options, { ...request, now: now() })
  }

  /** Sends a request of our own; answers of other statuses than `expected` and 2xx reject. */
  async function ask<T>(
    request: Omit<S3Request, 'now' | 'expiresInMs'>,
    expected: readonly number[],
    read: (response: Response) => Promise<T>,
    body?: Buffer,
  ): Promise<T> {
    return await withDeadline('The object storage', requestDeadlineMs, async signal => {
      const url = sign({ ...request, expiresInMs: OWN_LIFE_MS })
      const { method, headers } = request
      const init = {
        method,
        headers,
        signal,
        redirect: 'error' as const,
        ...(body && { body: new Uint8Array(body) }),
      }
      const response = await fetch(url, init).catch(cause => {
        throw new AppError('UNAVAILABLE', 'The object storage cannot be reached.', { cause })
      })
      try {
        if (response.ok || expected.includes(response.status)) return await read(response)
        const cause = new Error(`${method} was answered with ${response.status}`)
        throw new AppError('UNAVAILABLE', 'The object storage refuses.', { cause })
      } finally {
        if (!response.bodyUsed) await response.body?.cancel()
      }
    })
  }

  const storage: ObjectStorage = {
    presignPut({ key, contentType, sizeBytes, expiresInMs }) {
      const headers = { 'content-length': String(sizeBytes), 'content-type': contentType }
      return { url: sign({ method: 'PUT', key, headers, expiresInMs }), headers }
    },
    presignGet({ key, contentType, expiresInMs }) {
      const query = {
        'response-cache-control': `private, max-age=${Math.floor(expiresInMs / 1_000)}`,
        'response-content-disposition': 'inline',
        'response-content-type': contentType,
      }
      return sign({ method: 'GET', key, query, expiresInMs })
    },
    stat: key =>
      ask({ method: 'HEAD', key }, [404], async ({ ok, headers }) => {
        const [sizeBytes, etag] = [headers.get('content-length'), headers.get('etag')]
        return ok && sizeBytes !== null && etag !== null ? { sizeBytes: Number(sizeBytes), etag } : null
      }),
    readStart(key, etag, maxBytes) {
      const headers = { 'if-match': etag, range: `bytes=0-${maxBytes - 1}` }
      return ask({ method: 'GET', key, headers }, [404, 412], async response =>
        response.ok ? await readBounded(response, maxBytes) : null,
      )
    },
    async move(from, to, etag) {
      const headers = {
        'x-amz-copy-source': `/${options.bucket}/${checkObjectKey(from)}`,
        'x-amz-copy-source-if-match': etag,
      }
      const isCopied = await ask({ method: 'PUT', key: to, headers }, [404, 412], async response => {
        // A copy that fails late is answered with 200 and an error in its body.
        if (response.ok && (await readText(response)).includes('<Error>'))
          throw new AppError('UNAVAILABLE', 'The object storage could not copy.')
        return response.ok
      })
      if (isCopied) await storage.delete([from])
      return isCopied
    },
    put: (key, contentType, body) =>
      ask({ method: 'PUT', key, headers: { 'content-type': contentType } }, [], async () => {}, body),
    async delete(keys) {
      for (let i = 0; i < keys.length; i += MAX_DELETES_AT_A_TIME) {
        const some = keys.slice(i, i + MAX_DELETES_AT_A_TIME)
        await Promise.all(some.map(key => ask({ method: 'DELETE', key }, [404], async () => {})))
      }
    },
    list(prefix, after, limit) {
      const query = {
        'list-type': '2',
        prefix: `${prefix}/`,
        'max-keys': String(limit),
        ...(after !== null && { 'start-after': after }),
      }
      return ask({ method: 'GET', key: null, query }, [], async response =>
        parseList(await readText(response)),
      )
    },
    sourceOf(key, expiresInMs) {
      const url = sign({ method: 'GET', key, expiresInMs })
      return { url, protocols: url.startsWith('https:') ? ['https', 'tls', 'tcp'] : ['http', 'tcp'] }
    },
  }
  return storage
}

/** Reads keys and times out of a ListObjectsV2 answer; our keys need no unescaping. */
function parseList(xml: string): ListedObject[] {
  const objects: ListedObject[] = []
  for (const [, content = ''] of xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
    const key = /<Key>([^<]*)<\/Key>/.exec(content)?.[1]
    const at = /<LastModified>([^<]*)<\/LastModified>/.exec(content)?.[1]
    if (key !== undefined && at !== undefined) objects.push({ key, modifiedAt: Date.parse(at) })
  }
  return objects
}

async function readText(response: Response): Promise<string> {
  return (await readBounded(response, MAX_ANSWER_BYTES)).toString('utf8')
}

/** Reads `maxBytes` of the body at most, and leaves the rest. */
async function readBounded({ body }: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop cancels the body.
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= maxBytes) break
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}
