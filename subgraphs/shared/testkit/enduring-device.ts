import { setTimeout as sleep } from 'node:timers/promises'
import type { DeviceDestination } from '../../../schema/device-message.ts'
import { withDeadline } from '../deadline.ts'
import { connectStompDevice, type DeviceLogin, type StompDevice } from './stomp-device.ts'

/** One SEND: where to, and what. */
export interface DeviceSend {
  readonly destination: DeviceDestination
  readonly body: unknown
}

/** A device as a careful one is built: what has no RECEIPT is sent again, in order, over a new connection. */
export interface EnduringDevice extends AsyncDisposable {
  /** Sends all at once, in order; resolves when each has its RECEIPT, however many connections that takes. */
  sendAll(sends: readonly DeviceSend[]): Promise<void>
  /** Connections so far. */
  readonly connections: number
  /** Bodies of /user/queue/errors so far. */
  readonly errors: readonly unknown[]
}

/** Creates the device; it connects when it sends first. RECEIPTs later than `receiptDeadlineMs` count as lost. */
export function createEnduringDevice(
  url: string,
  login: DeviceLogin,
  { receiptDeadlineMs = 15_000 }: { receiptDeadlineMs?: number } = {},
): EnduringDevice {
  let device: StompDevice | undefined
  const state = { connections: 0, isClosed: false }
  const errors: unknown[] = []

  async function leave(): Promise<void> {
    if (device === undefined) return
    errors.push(...device.errors)
    const left = device
    device = undefined
    await left[Symbol.asyncDispose]()
  }

  /** Sends what has no RECEIPT yet; answers what still has none. */
  async function attempt(sends: readonly DeviceSend[]): Promise<readonly DeviceSend[]> {
    const receipted = new Set<DeviceSend>()
    try {
      if (device === undefined) {
        device = await withDeadline('CONNECT', receiptDeadlineMs, () => connectStompDevice(url, login))
        state.connections++
      }
      const open = device
      await withDeadline('RECEIPTs', receiptDeadlineMs, () =>
        Promise.all(
          sends.map(async send => {
            await open.send(send.destination, send.body)
            receipted.add(send)
          }),
        ),
      )
      return []
    } catch {
      // Not waited for: a door that is dead does not answer.
      leave().catch(() => {})
      return sends.filter(send => !receipted.has(send))
    }
  }

  return {
    get connections() {
      return state.connections
    },
    get errors() {
      return [...errors, ...(device?.errors ?? [])]
    },
    async sendAll(sends) {
      let left = sends
      for (;;) {
        left = await attempt(left)
        if (left.length === 0) return
        if (state.isClosed) throw new Error('The device was closed while it sent.')
        await sleep(50 + Math.random() * 150)
      }
    },
    async [Symbol.asyncDispose]() {
      state.isClosed = true
      await leave()
    },
  }
}
