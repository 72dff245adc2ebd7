/** How many there may be in a space. */
export const TOPOLOGY_LIMITS = { maxLines: 200, maxProcesses: 2_000, maxDevices: 20_000 } as const

/** Devices that one registration may have. */
export const MAX_REGISTERED_AT_ONCE = 500

/** How long a former credential may stay good, and how long unless said otherwise. */
export const MAX_OVERLAP_MINUTES = 7 * 24 * 60
export const DEFAULT_OVERLAP_MINUTES = 60
