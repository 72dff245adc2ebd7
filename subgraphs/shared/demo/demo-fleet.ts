import type { Closable } from '../lifecycle.ts'
import type { Logger } from '../logger.ts'
import { newId } from '../uuid-v7.ts'
import { createMachine, machineKindOf } from './machine-model.ts'
import { startSimulatedDevice } from './simulated-device.ts'

/** A device of the demo, with what it needs to connect. */
export interface DemoDevice {
  readonly deviceId: string
  readonly code: string
  readonly credential: string
  readonly model: string | null
}

/** How often a device of the seed workload reports, in milliseconds; a simulated one seldom has an anomaly to report. */
export const SEED_INTERVALS_MS = { state: 5_000, log: 1_000, connectivity: 10_000, anomaly: 30_000 } as const

/** Starts one simulated device for each given one; they report at the seed rates, out of step, until disposed. */
export function startDemoFleet({
  url,
  devices,
  logger,
}: {
  url: string
  devices: readonly DemoDevice[]
  logger: Logger
}): Closable {
  const timers = new Set<NodeJS.Timeout>()
  const fleet = devices.map(({ deviceId, credential, model, code }, index) => {
    const device = startSimulatedDevice({
      url,
      deviceId,
      credential,
      onError: text => logger.warn({ code, text }, 'demo.device_refused'),
    })
    const machine = createMachine(machineKindOf(model))
    const report = {
      state: () =>
        device.send('/app/state', { ...machine.nextState(), occurredAt: new Date().toISOString() }),
      log: () => device.send('/app/log', { id: newId(), ...machine.nextLog() }),
      connectivity: () => device.send('/app/connectivity', machine.nextConnectivity()),
      anomaly() {
        const anomaly = machine.nextAnomaly()
        if (anomaly !== undefined) device.send('/app/anomaly', { id: newId(), ...anomaly })
      },
    }
    report.state()
    report.log()
    report.connectivity()
    for (const kind of ['state', 'log', 'connectivity', 'anomaly'] as const) {
      const intervalMs = SEED_INTERVALS_MS[kind]
      const begin = setTimeout(
        () => {
          timers.delete(begin)
          timers.add(setInterval(report[kind], intervalMs))
        },
        (intervalMs * index) / devices.length,
      )
      timers.add(begin)
    }
    return device
  })

  return {
    async [Symbol.asyncDispose]() {
      for (const timer of timers) clearTimeout(timer)
      await Promise.allSettled(fleet.map(device => device[Symbol.asyncDispose]()))
    },
  }
}
