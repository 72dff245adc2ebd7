import { createHash, createHmac } from 'node:crypto'

/** A bucket of an S3 server, and who asks. */
export interface S3Bucket {
  /** Origin of the server, such as https://s3.eu-central-1.amazonaws.com. */
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly accessKey: string
  readonly secretKey: string
  /** Of temporary credentials. */
  readonly sessionToken?: string | null
  /** The bucket in the path, as most servers but Amazon's want it, or in the host's name. */
  readonly isPathStyle: boolean
}

/** What to sign. `query` and `headers` as they will be sent, names of headers in lower case. */
export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** Null is the bucket itself. */
  readonly key: string | null
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly expiresInMs: number
  /** Epoch milliseconds. */
  readonly now: number
}

const ALGORITHM = 'AWS4-HMAC-SHA256'

/**
 * Signs a request in its query (AWS Signature Version 4, "Authenticating Requests: Using Query Parameters"): returns its
 * URL. The request must carry `headers` exactly, and may have any body.
 */
export function presignS3(bucket: S3Bucket, request: S3Request): string {
  const { method, key, expiresInMs, now } = request
  const { host, origin, path } = locate(bucket, key)
  const time = new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, '')
  const day = time.slice(0, 8)
  const scope = `${day}/${bucket.region}/s3/aws4_request`
  const headers = Object.entries({ ...request.headers, host }).sort(byName)
  const signedHeaders = headers.map(([name]) => name).join(';')
  const query = Object.entries({
    ...request.query,
    'X-Amz-Algorithm': ALGORITHM,
    'X-Amz-Credential': `${bucket.accessKey}/${scope}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': String(Math.max(1, Math.floor(expiresInMs / 1_000))),
    'X-Amz-SignedHeaders': signedHeaders,
    ...(bucket.sessionToken && { 'X-Amz-Security-Token': bucket.sessionToken }),
  })
    .map(([name, value]): [string, string] => [encode(name), encode(value)])
    .sort(byName)
    .map(pair => pair.join('='))
    .join('&')
  const canonical = [
    method,
    path,
    query,
    ...headers.map(([name, value]) => `${name}:${value.trim().replace(/ +/g, ' ')}`),
    '',
    signedHeaders,
    'UNSIGNED-PAYLOAD',
  ].join('\n')
  const text = [ALGORITHM, time, scope, createHash('sha256').update(canonical).digest('hex')].join('\n')
  const signature = hmac(signingKey(bucket, day), text).toString('hex')
  return `${origin}${path}?${query}&X-Amz-Signature=${signature}`
}

function locate({ endpoint, bucket, isPathStyle }: S3Bucket, key: string | null) {
  const { protocol, host: server } = new URL(endpoint)
  const host = isPathStyle ? server : `${bucket}.${server}`
  const inPath = isPathStyle ? `/${encode(bucket)}` : ''
  const path = key === null ? inPath || '/' : `${inPath}/${key.split('/').map(encode).join('/')}`
  return { host, origin: `${protocol}//${host}`, path }
}

function signingKey({ secretKey, region }: S3Bucket, day: string): Buffer {
  return [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${secretKey}`) as Buffer
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** As S3 wants it: all but unreserved characters (RFC 3986 §2.3). */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function byName([a]: [string, string], [b]: [string, string]): number {
  return a < b ? -1 : a > b ? 1 : 0
}
