import { randomFillSync } from 'node:crypto'

/** Makes UUIDv7 ids at chosen times. */
export interface RisingIds {
  /** An id of `epochMs`; sorts after every id that this factory made for the same millisecond. */
  idAt(epochMs: number): string
}

const POOL_BYTES = 4096

/**
 * Creates a factory of UUIDv7 ids (RFC 9562 §5.7): 48 bits of time, then a counter of 32 bits from a random start
 * (§6.2, method 1), then 42 random bits. The counter rises with every id, so the ids of a millisecond rise in the
 * order in which they were asked for, whatever was asked for in between.
 */
export function createRisingIds(): RisingIds {
  const pool = Buffer.alloc(POOL_BYTES)
  let used = POOL_BYTES
  // The upper half of the range stays free: two thousand million ids before the counter begins anew.
  let counter = randomFillSync(Buffer.alloc(4)).readUInt32BE() >>> 1

  function randomBytes(count: number): number {
    if (used + count > POOL_BYTES) {
      randomFillSync(pool)
      used = 0
    }
    const at = used
    used += count
    return pool.readUIntBE(at, count)
  }

  return {
    idAt(epochMs) {
      counter = (counter + 1) >>> 0
      const time = Math.max(0, Math.floor(epochMs)).toString(16).padStart(12, '0')
      // ver(4)=7 | 12 bits of the counter | var(2)=10 | 14 bits of the counter | 6 bits of it and 42 random ones
      const high = (0x7000 | (counter >>> 20)).toString(16)
      const middle = (0x8000 | ((counter >>> 6) & 0x3fff)).toString(16)
      const low = ((counter & 0x3f) * 4 + (randomBytes(1) & 0x3)).toString(16).padStart(2, '0')
      const rest = randomBytes(5).toString(16).padStart(10, '0')
      return `${time.slice(0, 8)}-${time.slice(8)}-${high}-${middle}-${low}${rest}`
    },
  }
}
