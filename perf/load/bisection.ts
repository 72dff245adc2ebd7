/** A search for the largest level that holds. */
export interface Bisection {
  /** The first level that is tried. */
  readonly from: number
  /** Nothing above this is tried. */
  readonly max: number
  /** Ends when the smallest level that failed is at most this many times the largest that held. */
  readonly ratio: number
  /** Levels are multiples of this. */
  readonly step: number
  /** Whether a level holds. A level is tried once. */
  readonly holds: (level: number) => Promise<boolean>
}

/** What a search found. */
export interface BisectionResult {
  /** The largest level that held; 0 when none did. */
  readonly largest: number
  /** The smallest that failed; null when none did, up to `max`. */
  readonly failed: number | null
  readonly tried: readonly { readonly level: number; readonly held: boolean }[]
}

/**
 * Doubles the level until one fails (or halves it until one holds), then halves the distance. It takes for granted that
 * what fails at a level fails above it.
 */
export async function bisect({ from, max, ratio, step, holds }: Bisection): Promise<BisectionResult> {
  if (!(from > 0 && max >= from && ratio > 1 && step > 0))
    throw new TypeError(
      `Expected 0 < from ≤ max, ratio > 1 and step > 0, got ${from}, ${max}, ${ratio}, ${step}.`,
    )
  const tried: { level: number; held: boolean }[] = []
  const round = (level: number) => Math.round(level / step) * step
  let largest = 0
  let failed: number | null = null
  let level = round(from)
  while (true) {
    const held = await holds(level)
    tried.push({ level, held })
    if (held) largest = Math.max(largest, level)
    else failed = Math.min(failed ?? level, level)
    const next = round(chooseNext(largest, failed, max))
    const isClose = failed !== null && largest > 0 && failed <= largest * ratio
    if (isClose || next < step || tried.some(({ level }) => level === next)) return { largest, failed, tried }
    level = next
  }
}

function chooseNext(largest: number, failed: number | null, max: number): number {
  if (failed === null) return Math.min(largest * 2, max)
  if (largest === 0) return failed / 2
  return (largest + failed) / 2
}
