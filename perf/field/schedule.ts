import { type DueMessage, scheduleMessages } from '../load/workload.ts'
import type { FieldLink } from './field-link.ts'
import type { FieldPlan } from './field-protocol.ts'

type Listener = (message: DueMessage) => void

const listeners = new Map<number, Listener>()
let isRunning = false

/**
 * Calls `onDue` for each message of this device when it is due: open loop, from one schedule for all devices of the worker
 * that was made beforehand. What could not be called in time is called as soon as it can be, never left out.
 */
export function followSchedule(link: FieldLink, plan: FieldPlan, device: number, onDue: Listener): void {
  listeners.set(device, onDue)
  if (isRunning) return
  isRunning = true
  void link.started.then(() => runSchedule(link, plan))
}

function runSchedule(link: FieldLink, plan: FieldPlan): void {
  const messages = scheduleMessages(plan.workload)
  let next = messages.next()
  const step = (): void => {
    while (!next.done && next.value.atMs <= link.now()) {
      listeners.get(next.value.device)?.(next.value)
      next = messages.next()
    }
    if (next.done || link.stopping.aborted) return
    // Timers are up to a millisecond early or late; early ones would only come again.
    setTimeout(step, Math.max(1, Math.ceil(next.value.atMs - link.now())))
  }
  step()
}
