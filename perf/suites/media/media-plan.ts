/** How long and how often. */
export interface MediaPlan {
  /** Viewers that join one after another: of a browser, under load, and of an RTP source. */
  readonly joins: number
  readonly rtpJoins: number
  /** Crowds whose CPU is compared, and for how long each is measured. */
  readonly crowds: readonly [few: number, many: number]
  readonly crowdMs: number
  /** Most viewers that the search for a worker's limit tries, its steps, and for how long each. */
  readonly fan: { readonly from: number; readonly most: number; readonly steps: number; readonly ms: number }
  readonly load: { readonly warmUpMs: number; readonly durationMs: number }
}

/** What figures are claimed from: about five minutes. */
export const FULL_PLAN: MediaPlan = {
  joins: 50,
  rtpJoins: 20,
  crowds: [5, 40],
  crowdMs: 15_000,
  fan: { from: 100, most: 600, steps: 6, ms: 4_000 },
  load: { warmUpMs: 3_000, durationMs: 45_000 },
}

/** Shows that it works. */
export const QUICK_PLAN: MediaPlan = {
  joins: 8,
  rtpJoins: 3,
  crowds: [2, 8],
  crowdMs: 4_000,
  fan: { from: 50, most: 200, steps: 3, ms: 2_000 },
  load: { warmUpMs: 1_000, durationMs: 8_000 },
}

export const LIMITS = { joinToFrameMs: 500, signalingMs: 100, rtpJoinToFrameMs: 1_000 + 300 }

/** Requests a second of people while devices send at the seed's rates. */
export const QUERIES_PER_SECOND = 20

/** The pages that the seed's people open, in turns. */
export const QUERIES = [
  'query ($spaceId: ID!) { logs(spaceId: $spaceId, first: 50) { nodes { id level message device { id name } } } }',
  'query ($spaceId: ID!) { space(id: $spaceId) { devices(first: 50) { nodes { id name broadcasting } } } }',
] as const

/** A packet of a thousand is loss that a viewer sees. */
export const MAX_LOSS = 0.001
