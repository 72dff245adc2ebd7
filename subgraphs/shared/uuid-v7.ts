import { v7 } from 'uuid'

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Makes a UUIDv7 (RFC 9562 §5.7) of now; ids made by one process in one millisecond rise too. */
export function newId(): string {
  return v7()
}

/** Makes a UUIDv7 whose time is `epochMs`; the rest is random, so ids of the same millisecond have no order. */
export function newIdAt(epochMs: number): string {
  return v7({ msecs: epochMs })
}

/** Whether a text is a UUIDv7 in its canonical lower-case form. */
export function isUuidV7(text: string): boolean {
  return UUID_V7.test(text)
}

/** Epoch milliseconds of a UUIDv7. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

/**
 * The smallest text that sorts at or before every UUIDv7 of `epochMs` and after every older one: `xxxxxxxx-xxxx`.
 * For range conditions and partition bounds on ids.
 */
export function idLowerBound(epochMs: number): string {
  const hex = Math.max(0, Math.floor(epochMs)).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}
