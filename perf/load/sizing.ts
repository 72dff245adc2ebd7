/** What a business expects of its site. */
export interface Expectation {
  /** People on a day. */
  readonly dau: number
  /** Visits of each of them on a day, a request each. */
  readonly visits: number
  /** The busiest moment ÷ the mean. */
  readonly peak: number
  /** Pauses within a visit, and how long each is, in seconds. */
  readonly pauses: number
  readonly thinkSeconds: number
  /** How long answers take, in seconds. */
  readonly latencySeconds: number
}

/** What that means for a load test. */
export interface Sizing {
  /** Requests a second over the day. */
  readonly meanRate: number
  /** Requests a second at the busiest moment. */
  readonly peakRate: number
  /** People who are there at once then. */
  readonly virtualUsers: number
}

const SECONDS_A_DAY = 86_400

/**
 * Turns business figures into rates: mean = people × visits ÷ day, the peak is a multiple of it, and by Little's law
 * there are as many people as rate × the time that each of them stays.
 */
export function planSize(expectation: Expectation): Sizing {
  const { dau, visits, peak, pauses, thinkSeconds, latencySeconds } = expectation
  for (const [name, value] of Object.entries(expectation))
    if (!(value >= 0)) throw new TypeError(`Expected ${name} of 0 or more, got ${value}.`)
  const meanRate = (dau * visits) / SECONDS_A_DAY
  const peakRate = meanRate * peak
  return { meanRate, peakRate, virtualUsers: peakRate * (pauses * thinkSeconds + latencySeconds) }
}
