/** What is known of an object without reading it. */
export interface ObjectStat {
  readonly sizeBytes: number
  /** Opaque; another one when the bytes are others. */
  readonly etag: string
}

/** An object in a list. `modifiedAt` is epoch milliseconds. */
export interface ListedObject {
  readonly key: string
  readonly modifiedAt: number
}

/** What the holder of the link may store with PUT: these bytes' type and length, and no other. Lengths in bytes. */
export interface UploadGrant {
  readonly key: string
  readonly contentType: string
  readonly sizeBytes: number
  readonly expiresInMs: number
}

/** A link for an upload, and the headers that the request must carry. */
export interface UploadLink {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** What the holder of the link may read, and the type that it is answered with. */
export interface DownloadGrant {
  readonly key: string
  readonly contentType: string
  readonly expiresInMs: number
}

/** Where a program of this machine can read an object, and the protocols of ffmpeg that it takes. */
export interface ReadableSource {
  readonly url: string
  readonly protocols: readonly string[]
}

/**
 * Objects by key: in an S3 bucket, or in files. Keys are made of ids alone (`isObjectKey`); another one is a TypeError.
 *
 * Signing reaches nothing. All else rejects with UNAVAILABLE when the storage cannot be reached, or is late.
 */
export interface ObjectStorage {
  /** Signs a link; the upload must begin before it expires. A second upload replaces the first. */
  presignPut(grant: UploadGrant): UploadLink
  /** Signs a link for GET, ranges included. */
  presignGet(grant: DownloadGrant): string
  /** Finds an object; null when there is none. */
  stat(key: string): Promise<ObjectStat | null>
  /** Reads the first bytes, `maxBytes` at most; null when the object is gone or is not the one of `etag` any more. */
  readStart(key: string, etag: string, maxBytes: number): Promise<Buffer | null>
  /** Puts the object of `etag` under another key, in place of what is there; false when it is gone or another by then. */
  move(from: string, to: string, etag: string): Promise<boolean>
  /** Stores a small object, whole or not at all. */
  put(key: string, contentType: string, body: Buffer): Promise<void>
  /** Deletes objects; those that are not there are no mistake. */
  delete(keys: readonly string[]): Promise<void>
  /** Lists objects whose first part of the key is `prefix`, in the order of their keys, after `after`. */
  list(prefix: string, after: string | null, limit: number): Promise<ListedObject[]>
  /** Tells where ffmpeg can read an object. */
  sourceOf(key: string, expiresInMs: number): ReadableSource
}

const OBJECT_KEY = /^[a-z]{1,16}(?:\/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}){2}$/

/** Whether a text is a key: a word and two ids, such as `media/<space>/<clip>`. Nothing in it needs escaping anywhere. */
export function isObjectKey(text: string): boolean {
  return OBJECT_KEY.test(text)
}

/** Returns the key. Throws a TypeError when it is none. */
export function checkObjectKey(key: string): string {
  if (isObjectKey(key)) return key
  throw new TypeError(`Expected a word and two ids as the key of an object, got ${JSON.stringify(key)}`)
}
