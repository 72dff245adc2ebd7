import { v7 as newId } from 'uuid'
import type { MessageKind } from '../load/workload.ts'

/** A message as a device sends it, and the id of its event where it has one. */
export interface DeviceMessage {
  readonly destination: string
  readonly body: string
  readonly id: string | null
}

const STATUSES = [
  'RUNNING',
  'RUNNING',
  'RUNNING',
  'RUNNING',
  'IDLE',
  'RUNNING',
  'STOPPED',
  'RUNNING',
] as const
const TROUBLES = ['OVERHEAT', 'VIBRATION', 'PRESSURE_DROP', 'TOOL_WEAR'] as const

/** Makes the nth message of a kind of a device. Anomalies are of a type each, so that every one is raised by itself. */
export function makeMessage(kind: MessageKind, device: number, nth: number, runTag: string): DeviceMessage {
  const wave = Math.sin(device + nth / 7)
  const temperatureC = Math.round(450 + 60 * wave) / 10
  const id = kind === 'log' || kind === 'anomaly' ? newId() : null
  return {
    destination: `/app/${kind}`,
    id,
    body: JSON.stringify(makeBody(kind, device, nth, runTag, temperatureC, id)),
  }
}

function makeBody(
  kind: MessageKind,
  device: number,
  nth: number,
  runTag: string,
  temperatureC: number,
  id: string | null,
) {
  if (kind === 'state')
    return {
      status: STATUSES[nth % STATUSES.length],
      metrics: { temperatureC, cycle: nth, load: (nth * 7) % 100 },
    }
  if (kind === 'connectivity')
    return { network: 'ETHERNET', signal: -40 - (nth % 20), latencyMs: 1 + (nth % 5) }
  if (kind === 'log')
    return {
      id,
      level: nth % 100 === 99 ? 'ERROR' : nth % 20 === 19 ? 'WARN' : 'INFO',
      message: `Cycle ${nth} of cell ${device + 1} finished within tolerance`,
      attributes: { cycle: nth, temperatureC },
    }
  const trouble = TROUBLES[nth % TROUBLES.length]
  return {
    id,
    type: `${trouble}_${runTag}_${nth}`,
    severity: nth % 100 === 50 ? 'CRITICAL' : nth % 10 === 5 ? 'MAJOR' : nth % 10 < 6 ? 'MINOR' : 'INFO',
    message: `${trouble} at cell ${device + 1}`,
    score: Math.abs(Math.round(100 * Math.sin(nth))) / 100,
    attributes: { temperatureC },
  }
}
