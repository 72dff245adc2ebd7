import { Client } from '@stomp/stompjs'
import { WebSocket } from 'ws'
import type { DeviceCall, DeviceDestination } from '../../../schema/device-message.ts'

/** What a device of a test has to show at the door. */
export interface DeviceLogin {
  readonly deviceId: string
  readonly credential: string
}

/** What it may show instead. */
export interface DeviceTokenLogin {
  readonly token: string
}

/** A device over STOMP whose sends resolve with their RECEIPT. */
export interface StompDevice extends AsyncDisposable {
  /** Sends a body; resolves once receipted, rejects when the connection ends before. */
  send(destination: DeviceDestination, body: unknown): Promise<void>
  /** Asks for an answer; resolves with its body, from the queue of its kind or `/user/queue/errors`. */
  // biome-ignore lint/suspicious/noExplicitAny: answers have the shape that the test asked for
  ask(destination: DeviceCall, body: unknown): Promise<any>
  /** Bodies of /user/queue/errors so far. */
  readonly errors: unknown[]
}

/** Connects a device to the door of a product at `url`. Rejects when the door refuses it. */
export async function connectStompDevice(
  url: string,
  login: DeviceLogin | DeviceTokenLogin,
): Promise<StompDevice> {
  const errors: unknown[] = []
  const waiting = new Map<string, PromiseWithResolvers<void>>()
  const connected = Promise.withResolvers<void>()
  const asked = new Map<string | undefined, (body: unknown) => void>()
  let sent = 0
  const client = new Client({
    webSocketFactory: () =>
      new WebSocket(`${url.replace(/^http/, 'ws')}/stomp/websocket`, ['v12.stomp', 'v11.stomp', 'v10.stomp']),
    connectHeaders:
      'token' in login
        ? { Authorization: `Bearer ${login.token}` }
        : { login: login.deviceId, passcode: login.credential },
    reconnectDelay: 0,
    onConnect() {
      for (const queue of ['/user/queue/clip', '/user/queue/broadcast'])
        client.subscribe(queue, ({ headers, body }) =>
          asked.get(headers['correlation-id'])?.(JSON.parse(body)),
        )
      const onError = ({ headers, body }: { headers: Record<string, string>; body: string }) => {
        errors.push(JSON.parse(body))
        asked.get(headers['correlation-id'])?.(JSON.parse(body))
      }
      client.subscribe('/user/queue/errors', onError, { receipt: 'ready' })
    },
    onStompError: frame => end(new Error(`${frame.headers.message}: ${frame.body}`)),
    onWebSocketClose: event => end(new Error(`The connection closed with ${event.code}.`)),
    onUnhandledReceipt(frame) {
      const id = frame.headers['receipt-id'] ?? ''
      if (id === 'ready') connected.resolve()
      waiting.get(id)?.resolve()
      waiting.delete(id)
    },
  })
  function end(error: Error): void {
    connected.reject(error)
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  client.activate()
  await connected.promise

  async function publish(destination: string, body: unknown, onAnswer?: (body: unknown) => void) {
    if (!client.connected) throw new Error('The connection has closed.')
    const receipt = `r${++sent}`
    const receipted = Promise.withResolvers<void>()
    waiting.set(receipt, receipted)
    if (onAnswer !== undefined) asked.set(receipt, onAnswer)
    client.publish({ destination, body: JSON.stringify(body), headers: { receipt } })
    await receipted.promise
    asked.delete(receipt)
  }

  return {
    errors,
    send: (destination, body) => publish(destination, body),
    async ask(destination, body) {
      let answer: unknown
      await publish(destination, body, come => {
        answer = come
      })
      return answer
    },
    async [Symbol.asyncDispose]() {
      await client.deactivate()
    },
  }
}
