import type { PoolConnection } from 'mysql2/promise'
import type { StateItem } from '../../../schema/ingest-entry.ts'
import type { KnownDevice } from './device-status.ts'
import { insertInParts } from './insert-in-parts.ts'

/** A device had this status at this moment. */
export interface StateSample {
  readonly deviceId: string
  readonly at: number
  readonly status: StateItem['status']
}

/** A state after a silence of this length is kept though it is the same: what is learned late may lie in between. */
export const SILENCE_MS = 60_000

const ROW_BYTES = 80

/**
 * Chooses which states to keep so that each moment has the status of the newest kept sample before it, whatever the
 * order in which states come:
 * - one that differs from the newest known, or comes after a silence;
 * - of late ones (older than the newest known) the first of each run of the same status, and then the newest known,
 *   which ends the last run.
 *
 * A state that comes again changes nothing but adds a sample at most.
 */
export function chooseStateChanges(
  states: readonly StateItem[],
  known: ReadonlyMap<string, KnownDevice>,
): StateSample[] {
  const chosen: StateSample[] = []
  for (const [deviceId, ofDevice] of Map.groupBy(states, state => state.deviceId)) {
    const { status = null, stateAt = 0 } = known.get(deviceId) ?? {}
    let newest = { status, at: stateAt }
    let late: StateItem | undefined
    for (const state of ofDevice) {
      if (newest.status === null || state.at >= newest.at) {
        if (state.status !== newest.status || state.at - newest.at > SILENCE_MS) chosen.push(toSample(state))
        newest = state
      } else {
        const isRunOn = late !== undefined && late.status === state.status && late.at <= state.at
        if (!isRunOn) chosen.push(toSample(state))
        late = state
      }
    }
    if (late !== undefined && newest.status !== null)
      chosen.push({ deviceId, at: newest.at, status: newest.status })
  }
  return chosen
}

/** Keeps samples; of two at the same moment the later one in the list. */
export async function insertStateChanges(
  connection: PoolConnection,
  samples: readonly StateSample[],
): Promise<void> {
  await insertInParts(
    connection,
    'INSERT INTO state_change (device_id, at, status)',
    samples.map(({ deviceId, at, status }) => [deviceId, at, status]),
    () => ROW_BYTES,
    'ON DUPLICATE KEY UPDATE status = VALUES(status)',
  )
}

function toSample({ deviceId, at, status }: StateItem): StateSample {
  return { deviceId, at, status }
}
