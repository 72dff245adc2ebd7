import DataLoader from 'dataloader'
import { z } from 'zod'
import { redisKeys } from '../../schema/redis-keys.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { parsePresenceValue } from '../shared/presence-value.ts'
import type { LiveValues } from './live-values.ts'
import type { DeviceConnectivityParent, DeviceStateParent } from './model.ts'
import {
  listStateHistories,
  type StateHistoryRequest,
  type StateHistoryRow,
} from './state-history-repository.ts'
import { type DeviceStatusRow, findDeviceStatuses } from './status-repository.ts'

/** Whether a device has a live session, and when it last gave a sign. */
export interface Presence {
  readonly online: boolean
  /** Null when it has never connected. */
  readonly lastSeenAt: Date | null
}

/** What devices report, by device id. */
export interface Readings {
  readonly presence: DataLoader<string, Presence>
  readonly state: DataLoader<string, DeviceStateParent | null>
  readonly connectivity: DataLoader<string, DeviceConnectivityParent | null>
  /** Whether the device's video is live, by what is kept on disk. */
  readonly broadcasting: { load(deviceId: string): Promise<boolean> }
  /** Pieces of what devices were before, by request. */
  readonly stateHistory: DataLoader<StateHistoryRequest, StateHistoryRow[]>
}

/** Keys of one MGET at most: Redis answers nobody else meanwhile. */
const MAX_KEYS = 10_000

/** Devices of one statement at most. */
const MAX_DEVICES = 1_000

/** Histories of one statement at most; each is three selections. */
const MAX_HISTORIES = 100

const stateReport = z.object({
  status: z.enum(['RUNNING', 'IDLE', 'STOPPED', 'ERROR', 'UNKNOWN']),
  metrics: z.record(z.string(), z.unknown()).nullish(),
})

const connectivityReport = z.object({
  network: z.string(),
  signal: z.int().nullish(),
  latencyMs: z.number().nullish(),
})

/**
 * Creates the readings of one request. What is asked for in one tick, of whatever kind, is one MGET; what Redis does
 * not have comes from device_status in one statement.
 */
export function createReadings({ db, liveValues }: { db: Db; liveValues: LiveValues }): Readings {
  const values = new DataLoader<string, string | null>(keys => liveValues.read(keys), {
    maxBatchSize: MAX_KEYS,
  })
  const statuses = new DataLoader<string, DeviceStatusRow | null>(
    async ids => {
      const rows = new Map((await findDeviceStatuses(db, ids)).map(row => [row.deviceId, row]))
      return ids.map(id => rows.get(id) ?? null)
    },
    { maxBatchSize: MAX_DEVICES },
  )

  /** A reading of one kind: out of Redis, or else out of what is kept on disk. */
  function createLoader<T>(
    keyOf: (deviceId: string) => string,
    parse: (value: string) => T | null,
    fromRow: (row: DeviceStatusRow | null) => T,
  ): DataLoader<string, T> {
    return new DataLoader(ids =>
      Promise.all(
        ids.map(async id => {
          const value = await values.load(keyOf(id))
          return (value === null ? null : parse(value)) ?? fromRow(await statuses.load(id))
        }),
      ),
    )
  }

  return {
    broadcasting: { load: async id => (await statuses.load(id))?.broadcasting ?? false },
    presence: createLoader<Presence>(redisKeys.devicePresence, toPresence, row => ({
      online: row?.online ?? false,
      lastSeenAt: row?.lastSeenAt == null ? null : new Date(row.lastSeenAt),
    })),
    state: createLoader<DeviceStateParent | null>(redisKeys.deviceState, parseStamped(toState), row =>
      row === null ? null : toState(row.state, row.stateAt),
    ),
    connectivity: createLoader<DeviceConnectivityParent | null>(
      redisKeys.deviceConnectivity,
      parseStamped(toConnectivity),
      row => (row === null ? null : toConnectivity(row.connectivity, row.connectivityAt)),
    ),
    stateHistory: new DataLoader(requests => listStateHistories(db, requests), {
      maxBatchSize: MAX_HISTORIES,
      cacheKeyFn: request => JSON.stringify(request),
    }),
  }
}

function toPresence(value: string): Presence | null {
  const presence = parsePresenceValue(value)
  return presence && { online: presence.online, lastSeenAt: new Date(presence.lastSeenAt) }
}

function toState(report: unknown, at: number): DeviceStateParent | null {
  const parsed = stateReport.safeParse(report)
  if (!parsed.success) return null
  const { status, metrics = null } = parsed.data
  return { status, metrics, reportedAt: new Date(at) }
}

function toConnectivity(report: unknown, at: number): DeviceConnectivityParent | null {
  const parsed = connectivityReport.safeParse(report)
  if (!parsed.success) return null
  const { network, signal = null, latencyMs = null } = parsed.data
  return { network, signal, latencyMs, reportedAt: new Date(at) }
}

/** Reads `<epochMs>|<json>`; null for anything else. */
function parseStamped<T>(convert: (report: unknown, at: number) => T | null): (value: string) => T | null {
  return value => {
    const [, at, json] = /^(\d{1,15})\|(.*)$/s.exec(value) ?? []
    if (at === undefined || json === undefined) return null
    try {
      return convert(JSON.parse(json), Number(at))
    } catch {
      return null
    }
  }
}
