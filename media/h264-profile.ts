/** Types of NAL units (ITU-T H.264 table 7-1) and of RTP packets that hold several (RFC 6184 §5.2). */
const SPS = 7
const STAP_A = 24

/** A profile as WebRTC tells them apart. */
export type H264Profile = 'constrained baseline' | 'baseline' | 'main' | 'constrained high' | 'high' | 'other'

/** The profile that a `profile-level-id` or the first bytes of a sequence parameter set name (RFC 6184 §8.1). */
export function parseH264Profile(profileIdc: number, constraints: number): H264Profile {
  const isConstrained = (constraints & 0x40) !== 0
  switch (profileIdc) {
    case 66:
      return isConstrained ? 'constrained baseline' : 'baseline'
    case 77:
      // Main that heeds the baseline's constraints is constrained baseline.
      return (constraints & 0x80) !== 0 ? 'constrained baseline' : 'main'
    case 88:
      return (constraints & 0xc0) === 0xc0 ? 'constrained baseline' : 'other'
    case 100:
      return (constraints & 0x0c) === 0x0c ? 'constrained high' : 'high'
    default:
      return 'other'
  }
}

/** The profile of a `profile-level-id`: six hexadecimal digits. */
export function profileOf(profileLevelId: string): H264Profile {
  const bytes = Buffer.from(profileLevelId, 'hex')
  return parseH264Profile(bytes[0] ?? 0, bytes[1] ?? 0)
}

/** The `profile-level-id` of the sequence parameter set in an RTP payload; null when it holds none. */
export function findProfileLevelId(payload: Buffer): string | null {
  const type = (payload[0] ?? 0) & 0x1f
  if (type === SPS) return payload.length >= 4 ? payload.toString('hex', 1, 4) : null
  if (type !== STAP_A) return null
  for (let at = 1; at + 2 < payload.length; ) {
    const size = payload.readUInt16BE(at)
    const unit = payload.subarray(at + 2, at + 2 + size)
    if (((unit[0] ?? 0) & 0x1f) === SPS && unit.length >= 4) return unit.toString('hex', 1, 4)
    at += 2 + size
  }
  return null
}

/** Whether a decoder that was promised `expected` can play `actual`: every profile includes the simpler ones. */
export function isProfileWithin(actual: H264Profile, expected: H264Profile): boolean {
  return actual === expected || (SIMPLER[expected] ?? []).includes(actual)
}

const SIMPLER: Partial<Record<H264Profile, readonly H264Profile[]>> = {
  baseline: ['constrained baseline'],
  main: ['constrained baseline'],
  'constrained high': ['constrained baseline', 'main'],
  high: ['constrained baseline', 'main', 'constrained high'],
}
