import { Client, type IMessage } from '@stomp/stompjs'
import { WebSocket } from 'ws'
import type { DeviceDestination } from '../../../schema/device-message.ts'
import type { Closable } from '../lifecycle.ts'

/** What a simulated device needs to connect. */
export interface SimulatedDeviceOptions {
  /** Address of the door's WebSocket, such as ws://127.0.0.1:4000/stomp/websocket. */
  readonly url: string
  readonly deviceId: string
  readonly credential: string
  /** Told what the door says on /user/queue/errors, and of ERROR frames. */
  readonly onError: (text: string) => void
}

/** A STOMP client that keeps what has no receipt yet and sends it again after a reconnect. */
export interface SimulatedDevice extends Closable {
  /** Sends a body, now or once connected. While 1,000 bodies have no receipt the oldest is dropped. */
  send(destination: DeviceDestination, body: unknown): void
}

/** Bodies kept until their receipt. */
const MAX_UNRECEIPTED = 1_000

/** Starts a simulated device: connects, reconnects with growing delay, and stays until disposed. */
export function startSimulatedDevice(options: SimulatedDeviceOptions): SimulatedDevice {
  const unreceipted = new Map<string, { destination: string; body: string }>()
  let sent = 0

  const client = new Client({
    webSocketFactory: () => new WebSocket(options.url, ['v12.stomp', 'v11.stomp', 'v10.stomp']),
    connectHeaders: { login: options.deviceId, passcode: options.credential },
    heartbeatIncoming: 10_000,
    heartbeatOutgoing: 10_000,
    reconnectDelay: 500,
    maxReconnectDelay: 10_000,
    connectionTimeout: 10_000,
    onConnect() {
      client.subscribe('/user/queue/errors', (message: IMessage) => options.onError(message.body))
      for (const [receipt, message] of unreceipted) publish(receipt, message)
    },
    onStompError: frame => options.onError(`${frame.headers.message ?? 'ERROR'} ${frame.body}`),
    onUnhandledReceipt: frame => unreceipted.delete(frame.headers['receipt-id'] ?? ''),
    onWebSocketError: () => {},
  })

  function publish(receipt: string, { destination, body }: { destination: string; body: string }): void {
    client.publish({ destination, body, headers: { receipt, 'content-type': 'application/json' } })
  }

  client.activate()

  return {
    send(destination, body) {
      const receipt = String(++sent)
      const message = { destination, body: JSON.stringify(body) }
      unreceipted.set(receipt, message)
      if (unreceipted.size > MAX_UNRECEIPTED) {
        const [oldest] = unreceipted.keys()
        if (oldest !== undefined) unreceipted.delete(oldest)
      }
      if (client.connected) publish(receipt, message)
    },
    async [Symbol.asyncDispose]() {
      await client.deactivate()
    },
  }
}
