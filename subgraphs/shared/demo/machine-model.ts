import type {
  AnomalyMessage,
  ConnectivityMessage,
  LogMessage,
  StateMessage,
} from '../../../schema/device-message.ts'

/** What a simulated machine has to say, one message a call. */
export interface MachineModel {
  nextState(): StateMessage
  nextLog(): Pick<LogMessage, 'level' | 'message' | 'attributes'>
  nextConnectivity(): ConnectivityMessage
  /** Something is wrong, again or no more; mostly there is nothing to say. */
  nextAnomaly(): AnomalyMessage | undefined
}

/** A reading that wanders around its usual value. */
interface Reading {
  readonly name: string
  readonly usual: number
  readonly spread: number
  readonly digits: number
}

type Severity = AnomalyMessage['severity']

interface Profile {
  readonly readings: readonly Reading[]
  readonly network: { name: string; signal?: number; latencyMs: number }
  readonly chatter: readonly string[]
  readonly trouble: readonly string[]
  /** What may go wrong, by type; the worse of two severities is the rarer one. */
  readonly faults: Readonly<Record<string, { message: string; usual: Severity; worse: Severity }>>
}

const PROFILES = {
  camera: {
    readings: [
      { name: 'framesPerSecond', usual: 29.8, spread: 0.4, digits: 1 },
      { name: 'sensorTemperatureC', usual: 47, spread: 3, digits: 1 },
      { name: 'exposureMs', usual: 8, spread: 1.5, digits: 2 },
    ],
    network: { name: 'ETHERNET', latencyMs: 2 },
    chatter: ['Part inspected: pass', 'Focus confirmed', 'Illumination adjusted', 'Reference frame updated'],
    trouble: ['Glare above threshold', 'Frame dropped by the sensor', 'Part inspected: label skewed'],
    faults: {
      FOCUS_LOST: { message: 'Sharpness below the limit', usual: 'MAJOR', worse: 'CRITICAL' },
      GLARE: { message: 'Part of the image is overexposed', usual: 'MINOR', worse: 'MAJOR' },
      REJECT_RATE: { message: 'More rejects than usual', usual: 'MINOR', worse: 'MAJOR' },
    },
  },
  sensor: {
    readings: [
      { name: 'vibrationMmS', usual: 2.4, spread: 0.8, digits: 2 },
      { name: 'temperatureC', usual: 61, spread: 4, digits: 1 },
      { name: 'humidityPercent', usual: 38, spread: 5, digits: 0 },
    ],
    network: { name: 'WIFI', signal: -58, latencyMs: 9 },
    chatter: ['Sample window closed', 'Calibration within tolerance', 'Battery at 87 %', 'Spectrum sent'],
    trouble: ['Vibration above warning level', 'Temperature rising', 'Sample window incomplete'],
    faults: {
      VIBRATION_HIGH: { message: 'Vibration above the alarm level', usual: 'MAJOR', worse: 'CRITICAL' },
      TEMPERATURE_HIGH: { message: 'Temperature above the alarm level', usual: 'MAJOR', worse: 'CRITICAL' },
      BATTERY_LOW: { message: 'Battery below 20 %', usual: 'INFO', worse: 'MINOR' },
    },
  },
  controller: {
    readings: [
      { name: 'cycleTimeMs', usual: 1180, spread: 60, digits: 0 },
      { name: 'partsPerMinute', usual: 50, spread: 3, digits: 1 },
      { name: 'motorCurrentA', usual: 6.2, spread: 0.7, digits: 2 },
    ],
    network: { name: 'ETHERNET', latencyMs: 1 },
    chatter: ['Cycle completed', 'Recipe step acknowledged', 'Gripper closed', 'Axis homed'],
    trouble: ['Cycle longer than planned', 'Following error corrected', 'Gripper pressure low'],
    faults: {
      CYCLE_SLOW: { message: 'Cycle longer than planned for 10 parts', usual: 'MINOR', worse: 'MAJOR' },
      MOTOR_CURRENT: { message: 'Motor current above the limit', usual: 'MAJOR', worse: 'CRITICAL' },
      GRIPPER_PRESSURE: { message: 'Gripper pressure below the limit', usual: 'MINOR', worse: 'MAJOR' },
    },
  },
} as const satisfies Record<string, Profile>

/** Kind of machine that can be simulated. */
export type MachineKind = keyof typeof PROFILES

/**
 * Creates a machine that runs most of the time, idles and stops now and then, and whose readings wander without
 * jumping. `random` answers numbers in [0, 1).
 */
export function createMachine(kind: MachineKind, random: () => number = Math.random): MachineModel {
  const profile: Profile = PROFILES[kind]
  const drift = new Map<string, number>()
  let status: StateMessage['status'] = 'RUNNING'
  /** Type of the anomaly that is not over. */
  let fault: string | undefined

  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? ''
  const round = (value: number, digits: number) => Number(value.toFixed(digits))

  function read({ name, usual, spread, digits }: Reading): number {
    const next = (drift.get(name) ?? 0) * 0.9 + (random() - 0.5) * spread * 0.6
    drift.set(name, next)
    return round(usual + next, digits)
  }

  function nextStatus(): StateMessage['status'] {
    const chance = random()
    if (status !== 'RUNNING') return chance < 0.35 ? 'RUNNING' : status
    if (chance < 0.03) return 'IDLE'
    if (chance < 0.035) return 'STOPPED'
    return chance < 0.038 ? 'ERROR' : 'RUNNING'
  }

  return {
    nextState() {
      status = nextStatus()
      return { status, metrics: Object.fromEntries(profile.readings.map(r => [r.name, read(r)])) }
    },
    nextLog() {
      const chance = random()
      if (chance < 0.01) return { level: 'ERROR', message: `${pick(profile.trouble)}, stopped for a check` }
      if (chance < 0.08) return { level: 'WARN', message: pick(profile.trouble) }
      const level = chance < 0.3 ? 'DEBUG' : 'INFO'
      return { level, message: pick(profile.chatter), attributes: { sequence: Math.floor(random() * 1e6) } }
    },
    nextAnomaly() {
      const chance = random()
      if (fault === undefined) {
        if (chance >= 0.1) return undefined
        fault = pick(Object.keys(profile.faults))
      } else if (chance < 0.5) return undefined
      const type = fault
      const { message = '', usual = 'MINOR', worse = 'MAJOR' } = profile.faults[type] ?? {}
      if (chance >= 0.75) {
        fault = undefined
        return { type, severity: usual, cleared: true }
      }
      const score = round(0.7 + random() * 0.3, 2)
      return { type, severity: score > 0.95 ? worse : usual, message, score }
    },
    nextConnectivity() {
      const { name, signal, latencyMs } = profile.network
      return {
        network: name,
        latencyMs: round(latencyMs * (0.8 + random() * 0.6), 1),
        ...(signal === undefined ? {} : { signal: Math.round(signal + (random() - 0.5) * 8) }),
      }
    },
  }
}

/** Kind of a machine by its model name: cameras see, sensors feel, all else controls. */
export function machineKindOf(model: string | null): MachineKind {
  if (/cam|vision/i.test(model ?? '')) return 'camera'
  return /sens|vib|therm/i.test(model ?? '') ? 'sensor' : 'controller'
}
