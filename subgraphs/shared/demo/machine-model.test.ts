import { describe, expect, it } from 'vitest'
import { DEVICE_MESSAGES } from '../../../schema/device-message.ts'
import { createMachine, type MachineKind, machineKindOf } from './machine-model.ts'

/** Numbers in [0, 1) that are the same at every run (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

describe.each<MachineKind>(['camera', 'sensor', 'controller'])('a simulated %s', kind => {
  it('says only what a device may say', () => {
    const machine = createMachine(kind, createRandom(1))
    for (let i = 0; i < 500; i++) {
      DEVICE_MESSAGES['/app/state'].item.parse(machine.nextState())
      DEVICE_MESSAGES['/app/log'].item.parse(machine.nextLog())
      DEVICE_MESSAGES['/app/connectivity'].item.parse(machine.nextConnectivity())
      const anomaly = machine.nextAnomaly()
      if (anomaly !== undefined) DEVICE_MESSAGES['/app/anomaly'].item.parse(anomaly)
    }
  })

  it('finds something wrong now and then, and says when it is over', () => {
    const machine = createMachine(kind, createRandom(4))
    let open: string | undefined
    let raised = 0
    let cleared = 0
    for (let i = 0; i < 2_000; i++) {
      const anomaly = machine.nextAnomaly()
      if (anomaly === undefined) continue
      if (open !== undefined) expect(anomaly.type).toBe(open)
      if (anomaly.cleared) {
        expect(open).toBe(anomaly.type)
        cleared++
        open = undefined
      } else {
        if (open === undefined) raised++
        open = anomaly.type
      }
    }
    expect(raised).toBeGreaterThan(50)
    expect(raised).toBeLessThan(250)
    expect(raised - cleared).toBe(open === undefined ? 0 : 1)
  })

  it('runs most of the time and seldom fails', () => {
    const machine = createMachine(kind, createRandom(2))
    const states = Array.from({ length: 5_000 }, () => machine.nextState().status)
    const running = states.filter(status => status === 'RUNNING').length / states.length
    expect(running).toBeGreaterThan(0.8)
    expect(running).toBeLessThan(1)
    const levels = Array.from({ length: 5_000 }, () => machine.nextLog().level)
    const errors = levels.filter(level => level === 'ERROR').length
    expect(errors).toBeGreaterThan(0)
    expect(errors).toBeLessThan(150)
  })

  it('has readings that wander without jumping', () => {
    const machine = createMachine(kind, createRandom(3))
    const samples = Array.from({ length: 1_000 }, () => machine.nextState().metrics as Record<string, number>)
    for (const name of Object.keys(samples[0] ?? {})) {
      const values = samples.map(sample => sample[name] ?? Number.NaN)
      const range = Math.max(...values) - Math.min(...values)
      const largestStep = Math.max(...values.slice(1).map((value, i) => Math.abs(value - (values[i] ?? 0))))
      expect(range).toBeGreaterThan(0)
      expect(largestStep).toBeLessThan(range)
    }
  })
})

it('tells the kind of a machine by its model', () => {
  expect(machineKindOf('Basler ace 2 camera')).toBe('camera')
  expect(machineKindOf('ifm VVB001 vibration')).toBe('sensor')
  expect(machineKindOf('Siemens S7-1215C')).toBe('controller')
  expect(machineKindOf(null)).toBe('controller')
})
