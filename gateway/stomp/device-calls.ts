import type { z } from 'zod'
import {
  DEVICE_CALLS,
  type DeviceCall,
  type DeviceErrors,
  type DeviceItemError,
  type DeviceQueue,
} from '../../schema/device-message.ts'
import { withDeadline } from '../../subgraphs/shared/deadline.ts'
import type { DeviceIdentity } from '../../subgraphs/shared/device-directory.ts'
import { toAppError } from '../../subgraphs/shared/errors.ts'
import { Refusal } from '../../subgraphs/shared/graphql/refusal.ts'
import type { DoorLimits } from './door-limits.ts'
import type { DoorMetrics } from './door-metrics.ts'
import type { BoundedLog } from './log-bound.ts'
import { parseBody, toItemError } from './message-intake.ts'

/** Who answers what devices ask for, by destination. Each rejects with a Refusal for what the device can mend. */
export type DeviceCallHandlers = {
  readonly [K in DeviceCall]?: (
    device: DeviceIdentity,
    body: z.infer<(typeof DEVICE_CALLS)[K]['body']>,
  ) => Promise<object>
}

/** A message to the device that has asked. */
export interface CallAnswer {
  readonly queue: DeviceQueue
  readonly body: object
}

/** Answers what devices ask for. */
export interface DeviceCalls {
  /** Resolves with the answer, or with what is wrong; never rejects. Reads the body at once. */
  answer(destination: DeviceCall, device: DeviceIdentity, body: Buffer): Promise<CallAnswer>
}

/** Whether the text is a destination that is answered. */
export function isDeviceCall(text: string): text is DeviceCall {
  return Object.hasOwn(DEVICE_CALLS, text)
}

/** Creates what answers devices, a few questions of each at a time, and of all, and under a deadline. */
export function createDeviceCalls({
  handlers,
  limits,
  metrics,
  log,
}: {
  handlers: DeviceCallHandlers
  limits: Pick<DoorLimits, 'maxCallsOfDevice' | 'maxCalls' | 'callDeadlineMs'>
  metrics: Pick<DoorMetrics, 'calls'>
  log: BoundedLog
}): DeviceCalls {
  const runningOf = new Map<string, number>()
  let running = 0

  async function ask(destination: DeviceCall, device: DeviceIdentity, body: unknown): Promise<object> {
    const { deviceId } = device
    const handle = handlers[destination] as
      | ((device: DeviceIdentity, body: unknown) => Promise<object>)
      | undefined
    const ofDevice = runningOf.get(deviceId) ?? 0
    if (handle === undefined) throw refusal('This is not offered here.')
    if (ofDevice >= limits.maxCallsOfDevice || running >= limits.maxCalls)
      throw refusal('Too many questions wait for their answer. Try again.')
    runningOf.set(deviceId, ofDevice + 1)
    running++
    const work = handle(device, body).finally(() => {
      const left = (runningOf.get(deviceId) ?? 1) - 1
      if (left === 0) runningOf.delete(deviceId)
      else runningOf.set(deviceId, left)
      running--
    })
    return await withDeadline('The answer', limits.callDeadlineMs, () => work)
  }

  return {
    async answer(destination, device, bytes) {
      const { queue, body: shape } = DEVICE_CALLS[destination]
      const wrong = (errors: readonly DeviceItemError[], outcome = 'refused'): CallAnswer => {
        metrics.calls.inc({ destination, outcome })
        const body: DeviceErrors = { destination, errors }
        return { queue: '/user/queue/errors', body }
      }
      const parsed = parseBody(bytes)
      if ('reason' in parsed) return wrong([{ index: null, field: null, reason: parsed.text }])
      if (parsed.values.length !== 1)
        return wrong([{ index: null, field: null, reason: 'The body must be one object.' }])
      const read = shape.safeParse(parsed.values[0])
      if (!read.success) return wrong([toItemError(0, read.error.issues[0])])
      try {
        const answer = await ask(destination, device, read.data)
        metrics.calls.inc({ destination, outcome: 'answered' })
        return { queue, body: { destination, ...answer } }
      } catch (error) {
        if (error instanceof Refusal)
          return wrong(error.userErrors.map(({ field, message }) => ({ index: 0, field, reason: message })))
        const { deviceId } = device
        log.warn({ deviceId, destination, err: error }, 'stomp.call_failed')
        return wrong([{ index: 0, field: null, reason: toAppError(error).message }], 'failed')
      }
    },
  }
}

function refusal(message: string): Refusal {
  return new Refusal([{ code: 'LIMIT_REACHED', field: null, message }])
}
