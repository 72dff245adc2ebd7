import type { LogEvent } from '../../../schema/live-event.ts'
import { newId } from '../../../subgraphs/shared/uuid-v7.ts'

/** A line of the fixture. */
export interface FanoutLine {
  readonly id: string
  readonly name: string
}

/** A device of the fixture, the same in every process. */
export interface FanoutDevice {
  readonly id: string
  readonly name: string
  readonly online: boolean
  readonly line: FanoutLine
}

/** As many as the demo space has. */
const DEVICES = 12
const LINES = 4

const lines = Array.from({ length: LINES }, (_, i) => ({ id: idOf(1, i), name: `Line ${i + 1}, north hall` }))

/** The devices that log, in turns. */
export const devices: readonly FanoutDevice[] = Array.from({ length: DEVICES }, (_, i) => ({
  id: idOf(2, i),
  name: `Press brake ${i + 1}`,
  online: true,
  line: lines[i % LINES] as FanoutLine,
}))

/** Finds the device that logs the event of a number. */
export function deviceOf(number: number): FanoutDevice {
  return devices[number % DEVICES] as FanoutDevice
}

/** Makes a space's event of a number; the message ends with the number, by which followers know what they have missed. */
export function makeLog(spaceId: string, number: number): LogEvent {
  return {
    id: newId(),
    spaceId,
    deviceId: deviceOf(number).id,
    lineId: null,
    processId: null,
    level: 'INFO',
    message: `Cycle completed in 4182 ms, part accepted, ${number}`,
    attributes: null,
    clockReplaced: false,
    receivedAt: Date.now(),
  }
}

function idOf(kind: number, number: number): string {
  return `019a0000-0000-700${kind}-8000-${number.toString(16).padStart(12, '0')}`
}
