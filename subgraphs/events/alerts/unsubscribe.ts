import { createHmac, timingSafeEqual } from 'node:crypto'

/** Bytes of a token's signature. */
const MAC_BYTES = 24

/** Whose mail of which space. */
export interface Unsubscription {
  readonly spaceId: string
  readonly userId: string
}

/** Tokens by which a member ends mail of a space without signing in; good for ever, and for nothing else. */
export interface UnsubscribeTokens {
  make(spaceId: string, userId: string): string
  /** Answers whose it is; null for one that was not made here. */
  read(token: string): Unsubscription | null
}

/** Creates the tokens of a site, by its internal secret: both ids and an HMAC-SHA256 of them, base64url. */
export function createUnsubscribeTokens({ secret }: { secret: string }): UnsubscribeTokens {
  const sign = (ids: Buffer) =>
    createHmac('sha256', secret).update('unsubscribe:').update(ids).digest().subarray(0, MAC_BYTES)
  return {
    make(spaceId, userId) {
      const ids = Buffer.concat([toBytes(spaceId), toBytes(userId)])
      return Buffer.concat([ids, sign(ids)]).toString('base64url')
    },
    read(token) {
      const bytes = /^[\w-]{75}$/.test(token) ? Buffer.from(token, 'base64url') : Buffer.alloc(0)
      if (bytes.length !== 32 + MAC_BYTES) return null
      const ids = bytes.subarray(0, 32)
      if (!timingSafeEqual(sign(ids), bytes.subarray(32))) return null
      return { spaceId: toUuid(ids.subarray(0, 16)), userId: toUuid(ids.subarray(16)) }
    },
  }
}

function toBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex')
}

function toUuid(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
