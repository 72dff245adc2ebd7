/** A repeatable source of chance for tests (mulberry32): answers whole numbers from 0 up to, not including, `below`. */
export function createChance(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

/** Cuts bytes into pieces of 1 to `maxPiece` bytes. */
export function cutAtRandom(bytes: Buffer, chance: (below: number) => number, maxPiece: number): Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const length = 1 + chance(maxPiece)
    pieces.push(bytes.subarray(at, at + length))
    at += length
  }
  return pieces
}
