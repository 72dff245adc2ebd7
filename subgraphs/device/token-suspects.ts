import { DEVICE_TOKEN_LIFETIME_MS } from '../shared/auth/access-token.ts'
import { withDeadline } from '../shared/deadline.ts'
import type { Closable } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import type { RightsWatch } from '../shared/permissions/rights-watch.ts'
import { startRepeatedLoad } from '../shared/repeated-load.ts'
import { listDeletedSpaces, listRevokedDevices } from './credential-repository.ts'

/** For clocks that differ, and for a token that is signed a moment after its credential was revoked. */
const MARGIN_MS = 60_000

const LOAD_DEADLINE_MS = 5_000

/** Knows whose device tokens may have been taken back before they expire. */
export interface TokenSuspects extends Closable {
  /** Whether a token of this device must be looked up; false: its signature and its age are enough. */
  isSuspect(device: { readonly deviceId: string; readonly spaceId: string }): boolean
}

/**
 * Starts to keep the devices that were removed or of which a credential was revoked within the life of a device token,
 * and the spaces that are deleted: those of the database at the start, from then on what the watch tells as well. So
 * nearly every CONNECT with a token needs no lookup.
 *
 * Everything is suspect until the first load, after a gap of the watch until it is loaded again, and while there are
 * more than `maxEntries` (default 50,000). What the watch never tells of is known after `refreshIntervalMs`
 * (default 1 min) at the latest.
 */
export function startTokenSuspects({
  db,
  watch,
  logger,
  refreshIntervalMs = 60_000,
  maxEntries = 50_000,
}: {
  db: Db
  watch: Pick<RightsWatch, 'onChange'>
  logger: Logger
  refreshIntervalMs?: number
  maxEntries?: number
}): TokenSuspects {
  let known: Set<string> | undefined
  /** Told while a load runs: it may have read before. */
  let told = new Set<string>()

  async function load(): Promise<void> {
    told = new Set()
    const since = new Date(Date.now() - DEVICE_TOKEN_LIFETIME_MS - MARGIN_MS)
    const [devices, spaces] = await withDeadline('The lookup of revoked devices', LOAD_DEADLINE_MS, () =>
      Promise.all([listRevokedDevices(db, { since, limit: maxEntries }), listDeletedSpaces(db, maxEntries)]),
    )
    const found = new Set(told)
    for (const { deviceId } of devices) found.add(deviceId)
    for (const { spaceId } of spaces) found.add(spaceId)
    if (!reload.isStale) known = found.size < maxEntries ? found : undefined
  }

  const reload = startRepeatedLoad({
    load,
    intervalMs: refreshIntervalMs,
    onError: error => logger.warn({ err: error }, 'token_suspects.not_loaded'),
  })
  const stopListening = watch.onChange(change => {
    if (change.kind === 'unknown') {
      known = undefined
      reload.refresh()
      return
    }
    const suspect =
      change.kind === 'credential-revoked'
        ? change.deviceId
        : change.kind === 'space-changed'
          ? change.spaceId
          : undefined
    if (suspect === undefined) return
    told.add(suspect)
    known?.add(suspect)
    if (known !== undefined && known.size >= maxEntries) known = undefined
  })
  reload.refresh()

  return {
    isSuspect: ({ deviceId, spaceId }) => known === undefined || known.has(deviceId) || known.has(spaceId),
    async [Symbol.asyncDispose]() {
      stopListening()
      await reload[Symbol.asyncDispose]()
    },
  }
}
