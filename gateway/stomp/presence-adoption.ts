import { withDeadline } from '../../subgraphs/shared/deadline.ts'
import type { KeptPresence, PresenceScripts } from './presence-scripts.ts'

/** Devices that one statement lists and one call writes. */
const PAGE_DEVICES = 500

const PAGE_DEADLINE_MS = 5_000

/** Presence as the tables have it. */
export interface KeptPresences {
  /** Devices after `afterDeviceId` in the order of their ids, `limit` at most. */
  list(afterDeviceId: string, limit: number): Promise<KeptPresence[]>
}

/**
 * Writes what the tables know of presence to a Redis that has lost it, so that generations go on from there. Devices
 * online whose session lives write themselves again; those of a door that died as well go offline after `deadlineMs`,
 * dated at the last life sign in the tables, instead of staying online for ever. Resolves to how many online ones Redis
 * did not know.
 */
export async function adoptPresences(
  kept: KeptPresences,
  scripts: Pick<PresenceScripts, 'adopt'>,
  deadlineMs: number,
): Promise<number> {
  let adopted = 0
  let after = ''
  for (;;) {
    const page = await withDeadline('The list of presences', PAGE_DEADLINE_MS, () =>
      kept.list(after, PAGE_DEVICES),
    )
    if (page.length > 0) adopted += await scripts.adopt(page, deadlineMs)
    if (page.length < PAGE_DEVICES) return adopted
    after = page.at(-1)?.deviceId ?? ''
  }
}
