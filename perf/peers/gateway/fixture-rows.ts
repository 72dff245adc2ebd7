import type { LogEvent } from '../../../schema/live-event.ts'

/** A device of the fixture. */
export interface FixtureDevice {
  readonly id: string
  readonly code: string
  readonly name: string
}

/** One space as every contestant knows it, in memory or in the database. */
export interface FixtureRows {
  readonly spaceId: string
  /** Members of the space; each connection of the generator belongs to one. */
  readonly userIds: readonly string[]
  readonly devices: readonly FixtureDevice[]
  /** Newest first. */
  readonly logs: readonly LogEvent[]
}

/** As many as the demo space has. */
const DEVICES = 12
const USERS = 16
const LOGS = 5_000
/** Between two logs: 12 devices that log about once a second. */
const LOG_INTERVAL_MS = 83

const MESSAGES = [
  'Cycle completed in 4182 ms, part accepted',
  'Spindle temperature 61.4 °C, within limits',
  'Coolant pressure dropped to 2.1 bar, pump restarted',
  'Tool 7 changed after 312 parts',
  'Camera exposure adapted to 8.3 ms',
]

const LEVELS = ['INFO', 'INFO', 'INFO', 'DEBUG', 'WARN', 'ERROR'] as const

/** Makes the same rows for the same moment: `nowMs` is the time of the newest log. */
export function makeFixtureRows(nowMs: number): FixtureRows {
  const spaceId = idOf(nowMs, 1, 0)
  const devices = Array.from({ length: DEVICES }, (_, i) => ({
    id: idOf(nowMs, 2, i),
    code: `CELL-${i + 1}`,
    name: `Press brake ${i + 1}, north hall`,
  }))
  const logs = Array.from({ length: LOGS }, (_, i): LogEvent => {
    const at = nowMs - i * LOG_INTERVAL_MS
    return {
      id: idOf(at, 3, i),
      spaceId,
      deviceId: devices[(i * 7) % DEVICES]?.id ?? '',
      lineId: null,
      processId: null,
      level: LEVELS[i % LEVELS.length] ?? 'INFO',
      message: MESSAGES[i % MESSAGES.length] ?? '',
      attributes: null,
      clockReplaced: false,
      receivedAt: at,
    }
  })
  return { spaceId, userIds: Array.from({ length: USERS }, (_, i) => idOf(nowMs, 4, i)), devices, logs }
}

/** A UUIDv7 (RFC 9562 §5.7) of a moment with a number for a tail instead of chance. */
function idOf(epochMs: number, kind: number, number: number): string {
  const time = epochMs.toString(16).padStart(12, '0')
  const tail = number.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${kind.toString(16).padStart(3, '0')}-8000-${tail}`
}
