/** How long and how often. */
export interface IngestPlan {
  readonly flood: {
    readonly rounds: number
    readonly warmUpMs: number
    readonly roundMs: number
    /** Receipts of a contestant in a round; with fewer, chance shows. */
    readonly minReceipts: number
  }
  readonly writer: { readonly rounds: number; readonly batches: number }
  readonly pace: { readonly warmUpMs: number; readonly durationMs: number }
  /** How uncertain the median of a ratio may be: its 95 % interval, as a share. */
  readonly maxUncertainty: number
}

/** What figures are claimed from. */
export const FULL_PLAN: IngestPlan = {
  flood: { rounds: 16, warmUpMs: 1_000, roundMs: 3_000, minReceipts: 5_000 },
  writer: { rounds: 20, batches: 10 },
  pace: { warmUpMs: 10_000, durationMs: 60_000 },
  maxUncertainty: 0.1,
}

/** Shows that it works. */
export const QUICK_PLAN: IngestPlan = {
  flood: { rounds: 3, warmUpMs: 500, roundMs: 1_500, minReceipts: 1_000 },
  writer: { rounds: 4, batches: 4 },
  pace: { warmUpMs: 2_000, durationMs: 8_000 },
  maxUncertainty: 0.25,
}

/** Sockets of a flood, and messages that each has on their way. */
export const FLOOD_SOCKETS = 200
export const FLOOD_WINDOW = 8

/** A log as a device sends it: 195 bytes. */
export const LOG_BODY = JSON.stringify({
  level: 'INFO',
  message: 'Spindle temperature 61.4 °C, cycle 4182 completed in tolerance',
  attributes: { sequence: 41_822, recipe: 'A-17', operator: 'line 3', spindleRpm: 11_850, feedMmMin: 124 },
})

/** Devices and people of the seed: 67 messages a second, 50 of them logs that go to each of the people. */
export const SEED_DEVICES = 50
export const SEED_VIEWERS = 10

/** What each of them sends. */
export const SEED_MESSAGES = [
  {
    destination: '/app/state',
    intervalMs: 5_000,
    body: '{"status":"RUNNING","metrics":{"vibrationMmS":1.2,"temperatureC":61.4,"humidityPercent":38}}',
  },
  {
    destination: '/app/log',
    intervalMs: 1_000,
    body: '{"level":"INFO","message":"Spindle temperature within limits #N#","attributes":{"recipe":"A-17"}}',
  },
  {
    destination: '/app/connectivity',
    intervalMs: 10_000,
    body: '{"network":"wifi","signal":-52,"latencyMs":12}',
  },
  {
    destination: '/app/anomaly',
    intervalMs: 30_000,
    body: '{"type":"VIBRATION_HIGH","severity":"MAJOR","message":"Vibration above the limit","score":0.9}',
  },
] as const

/** What the seed's people follow. */
export const LIVE_QUERY =
  'subscription Logs($spaceId: ID!) { logAdded(spaceId: $spaceId) { id level message device { id name } } }'
