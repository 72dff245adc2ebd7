/** How long a deleted space can be restored. */
export const RESTORABLE_MS = 7 * 24 * 60 * 60_000

/** How long an invitation can be accepted. */
export const INVITATION_LIFETIME_MS = 7 * 24 * 60 * 60_000

/** How many there may be. */
export interface SpaceLimits {
  /** Spaces that a person owns, those among them that are deleted and can be restored. */
  readonly maxOwnedSpaces: number
  readonly maxMembers: number
  /** Of a space, at once. */
  readonly maxOpenInvitations: number
  /** Longest retention of a space, in days: the site's. */
  readonly maxRetentionDays: number
}

/** Limits unless said otherwise. */
export const DEFAULT_SPACE_LIMITS: SpaceLimits = {
  maxOwnedSpaces: 50,
  maxMembers: 1_000,
  maxOpenInvitations: 200,
  maxRetentionDays: 90,
}
