import { SEVERITIES } from '../../../schema/severity.ts'
import type { DeviceSend } from '../../../subgraphs/shared/testkit/enduring-device.ts'
import { newId } from '../../../subgraphs/shared/uuid-v7.ts'

/** Kind of a message, as in its destination. */
export type MessageKind = 'log' | 'anomaly' | 'state' | 'connectivity'

const LEVELS = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const
const STATUSES = ['RUNNING', 'IDLE', 'STOPPED', 'ERROR'] as const
const TYPES = ['overheat', 'vibration', 'jam'] as const

interface Of {
  readonly deviceId: string
}

/** What devices have sent, as they know it themselves; every message of it is resent until it has its RECEIPT. */
export interface MessageLedger {
  /** Makes a message of a chosen kind, or by chance, alone or as an array; remembers each item. */
  next(deviceId: string, kind?: MessageKind): DeviceSend
  /** Items so far. */
  readonly count: number
  /** By id, in the order in which each device sent them. */
  readonly logs: ReadonlyMap<string, Of & { readonly level: string }>
  readonly anomalies: ReadonlyMap<
    string,
    Of & { readonly type: string; readonly severity: string; readonly cleared: boolean }
  >
  /** Each of another status than the one before it of its device, and later. */
  readonly states: readonly (Of & { readonly at: number; readonly status: string; readonly parts: number })[]
  /** Time of the newest of each device. */
  readonly connectivities: ReadonlyMap<string, number>
}

/** Creates an empty ledger. Half of what it makes by chance are logs, a fifth is in arrays of 2 to 5. */
export function createMessageLedger(random: () => number): MessageLedger {
  const logs = new Map<string, Of & { level: string }>()
  const anomalies = new Map<string, Of & { type: string; severity: string; cleared: boolean }>()
  const states: { deviceId: string; at: number; status: string; parts: number }[] = []
  const connectivities = new Map<string, number>()
  const times = new Map<string, number>()
  const statuses = new Map<string, number>()
  let count = 0
  const pick = <T>(values: readonly [T, ...T[]]): T =>
    values[Math.floor(random() * values.length)] ?? values[0]

  /** Rises for each device, so that it names a report. */
  function nextTime(deviceId: string): number {
    const time = Math.max(Date.now(), (times.get(deviceId) ?? 0) + 1)
    times.set(deviceId, time)
    return time
  }

  const makers: Record<MessageKind, (deviceId: string) => object> = {
    log(deviceId) {
      const id = newId()
      const level = pick(LEVELS)
      logs.set(id, { deviceId, level })
      return { id, level, message: `Part ${count} was made`, attributes: { part: count } }
    },
    anomaly(deviceId) {
      const id = newId()
      const [type, severity, cleared] = [pick(TYPES), pick(SEVERITIES), random() < 0.2]
      anomalies.set(id, { deviceId, type, severity, cleared })
      return { id, type, severity, score: random(), cleared }
    },
    state(deviceId) {
      const at = nextTime(deviceId)
      const turn = (statuses.get(deviceId) ?? -1) + 1
      statuses.set(deviceId, turn)
      const status = STATUSES[turn % STATUSES.length] ?? 'UNKNOWN'
      const parts = Math.floor(random() * 1_000)
      states.push({ deviceId, at, status, parts })
      return { status, metrics: { parts }, occurredAt: new Date(at).toISOString() }
    },
    connectivity(deviceId) {
      const at = nextTime(deviceId)
      connectivities.set(deviceId, at)
      return { network: 'wifi', signal: -60, occurredAt: new Date(at).toISOString() }
    },
  }

  return {
    logs,
    anomalies,
    states,
    connectivities,
    get count() {
      return count
    },
    next(
      deviceId,
      kind = pick([
        'log',
        'log',
        'log',
        'log',
        'log',
        'anomaly',
        'anomaly',
        'state',
        'state',
        'connectivity',
      ]),
    ) {
      const make = () => {
        count++
        return makers[kind](deviceId)
      }
      const isArray = random() < 0.2
      const body = isArray ? Array.from({ length: 2 + Math.floor(random() * 4) }, make) : make()
      return { destination: `/app/${kind}`, body }
    },
  }
}
