/** Bytes `start` to `end`, both included, counted from 0. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * Reads the header Range (RFC 9110 §14.2) for a representation of `sizeBytes`.
 *
 * Null is the whole: no header, another unit, or one that is malformed. 'unsatisfiable' is to be answered with 416: a range
 * that begins behind the end, and any set of more than one range (§14.2 lets servers refuse those).
 */
export function parseByteRange(
  header: string | undefined,
  sizeBytes: number,
): ByteRange | 'unsatisfiable' | null {
  const set = /^bytes=(.*)$/i.exec(header ?? '')?.[1]
  if (set === undefined) return null
  if (set.includes(',')) return 'unsatisfiable'
  const [, first, last] = /^\s*(\d*)-(\d*)\s*$/.exec(set) ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return null
  // Too many digits for a number are Infinity, and compare as they should.
  if (first === '') {
    const length = Math.min(Number(last), sizeBytes)
    return length === 0 ? 'unsatisfiable' : { start: sizeBytes - length, end: sizeBytes - 1 }
  }
  const [start, end] = [Number(first), last === '' ? Number.POSITIVE_INFINITY : Number(last)]
  if (end < start) return null
  return start >= sizeBytes ? 'unsatisfiable' : { start, end: Math.min(end, sizeBytes - 1) }
}
