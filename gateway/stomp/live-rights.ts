import { setTimeout as sleep } from 'node:timers/promises'
import type { DeviceAuthenticator, ProvenDevice } from '../../subgraphs/shared/device-directory.ts'
import type { Closable } from '../../subgraphs/shared/lifecycle.ts'
import type { Logger } from '../../subgraphs/shared/logger.ts'
import type { RightsChange, RightsWatch } from '../../subgraphs/shared/permissions/rights-watch.ts'
import type { DoorMetrics } from './door-metrics.ts'

/** Sessions that one lookup checks again. */
const BATCH = 500

/** Pause after a lookup that failed: doubled from the shortest, less up to half of it by chance. */
const MIN_RETRY_MS = 200
const MAX_RETRY_MS = 10_000

/** What is asked of a session whose rights are watched. */
export interface WatchedSession {
  /** What the device has shown; undefined until it was found good, and once the session is over. */
  readonly device: ProvenDevice | undefined
  /** Ends the session: what the device has shown lets it in no more. */
  revoke(): void
}

/** Ends sessions when the rights they stand on end. */
export interface LiveRights extends Closable {
  /** Rises with each change that may touch a device: what was checked across one is to be checked again. */
  readonly version: number
}

/**
 * Starts to watch over the rights of a door's sessions.
 *
 * A revoked credential ends the sessions of its device at once. When a space has changed its devices are checked again,
 * and all of the door after a gap of the watch and every `recheckIntervalMs` (for news that were never published): one
 * lookup for 500 sessions, one at a time, until it has succeeded. Who cannot be checked stays.
 */
export function startLiveRights({
  watch,
  authenticator,
  sessions,
  logger,
  metrics,
  recheckIntervalMs,
}: {
  watch: Pick<RightsWatch, 'onChange'>
  authenticator: Pick<DeviceAuthenticator, 'findEnded'>
  /** The door's, as they are when looked at. */
  sessions: Iterable<WatchedSession>
  logger: Logger
  metrics: Pick<DoorMetrics, 'revoked'>
  recheckIntervalMs: number
}): LiveRights {
  const closing = new AbortController()
  const toCheck = new Set<WatchedSession>()
  let revokedIds = new Set<string>()
  let checking: Promise<void> | undefined
  let version = 0

  function end(session: WatchedSession): void {
    metrics.revoked.inc()
    session.revoke()
  }

  function endRevoked(): void {
    const ids = revokedIds
    revokedIds = new Set()
    for (const session of [...sessions])
      if (session.device !== undefined && ids.has(session.device.deviceId)) end(session)
  }

  function recheck(isTouched: (device: ProvenDevice) => boolean): void {
    for (const session of sessions)
      if (session.device !== undefined && isTouched(session.device)) toCheck.add(session)
    check()
  }

  function check(): void {
    if (checking !== undefined || toCheck.size === 0 || closing.signal.aborted) return
    checking = checkAll().finally(() => {
      checking = undefined
      // Those that came when the last batch was done.
      check()
    })
  }

  async function checkAll(): Promise<void> {
    let failures = 0
    while (toCheck.size > 0 && !closing.signal.aborted) {
      const batch = [...toCheck].slice(0, BATCH)
      for (const session of batch) toCheck.delete(session)
      const byDevice = new Map(
        batch.flatMap(session => (session.device === undefined ? [] : [[session.device, session]])),
      )
      try {
        const ended = byDevice.size === 0 ? [] : await authenticator.findEnded([...byDevice.keys()])
        if (failures > 0) logger.info('stomp.rights_checked_again')
        failures = 0
        for (const device of ended) {
          const session = byDevice.get(device)
          // Not when the session is another's by now, or over.
          if (session?.device === device) end(session)
        }
      } catch (error) {
        for (const session of batch) toCheck.add(session)
        if (failures === 0) logger.warn({ err: error }, 'stomp.rights_not_checked')
        const longest = Math.min(MIN_RETRY_MS * 2 ** failures++, MAX_RETRY_MS)
        await sleep(longest * (1 - Math.random() / 2), undefined, { signal: closing.signal }).catch(() => {})
      }
    }
  }

  function take(change: RightsChange): void {
    if (change.kind === 'credential-revoked') {
      version++
      // One pass over the sessions for all that are revoked in this turn.
      if (revokedIds.add(change.deviceId).size === 1) setImmediate(endRevoked)
    } else if (change.kind === 'space-changed') {
      version++
      recheck(({ spaceId }) => spaceId === change.spaceId)
    } else if (change.kind === 'unknown') {
      version++
      recheck(() => true)
    }
  }

  const stopListening = watch.onChange(take)
  const timer = setInterval(() => recheck(() => true), recheckIntervalMs).unref()

  return {
    get version() {
      return version
    },
    async [Symbol.asyncDispose]() {
      stopListening()
      clearInterval(timer)
      closing.abort()
      await checking
    },
  }
}
