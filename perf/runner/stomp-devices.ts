import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'

/** Devices of one server, a socket each, over raw STOMP. */
export interface DevicesOptions {
  readonly url: string
  readonly logins: readonly { readonly login: string; readonly passcode: string }[]
  /** Headers of every CONNECT, and of every SEND; `destination` goes with each. */
  readonly connectHeaders: Readonly<Record<string, string>>
  readonly sendHeaders: Readonly<Record<string, string>>
}

/** A flood: each device has so many messages on their way, and sends the next when one is receipted. */
export interface Flood {
  readonly destination: string
  readonly body: string
  readonly window: number
  /** Not counted, before the rest. */
  readonly warmUpMs: number
  readonly durationMs: number
}

/** What a flood came to. */
export interface FloodResult {
  /** Receipts within the time that counts. */
  readonly receipts: number
  readonly elapsedMs: number
  /** All that was sent and receipted, the warm-up and the last windows too. */
  readonly taken: number
}

/** Open devices. */
export interface StompDevices {
  /** Floods, and resolves when all that was sent is receipted. Rejects when a socket is refused, or receipts are late. */
  flood(flood: Flood): Promise<FloodResult>
  /** Sends one body of one device; resolves when it is receipted. */
  send(device: number, destination: string, body: string): Promise<void>
  /** Cuts all sockets. */
  close(): void
}

interface Device {
  readonly socket: WebSocket
  sent: number
  receipted: number
  /** Who waits, by receipt; only for single bodies. */
  readonly waiting: Map<string, () => void>
}

const OPENING_AT_ONCE = 20
const OPEN_DEADLINE_MS = 20_000
const RECEIPT_DEADLINE_MS = 20_000
const POLL_INTERVAL_MS = 5

/** Opens a socket and a STOMP session for each login. */
export async function openStompDevices(options: DevicesOptions): Promise<StompDevices> {
  const { url, logins, sendHeaders } = options
  const devices: Device[] = []
  let failure: Error | undefined
  /** What a device's receipts make it send; undefined while nothing floods. */
  let refill: ((device: Device, receipts: number) => void) | undefined

  function take(device: Device, text: string): void {
    let receipts = 0
    for (const frame of text.split('\0')) {
      const start = frame.search(/\S/)
      if (start < 0) continue
      if (!frame.startsWith('RECEIPT', start)) {
        failure ??= new Error(`Not a RECEIPT: ${frame.slice(start, start + 300)}`)
        continue
      }
      receipts++
      if (device.waiting.size > 0) settle(device, frame)
    }
    device.receipted += receipts
    refill?.(device, receipts)
  }

  async function open({ login, passcode }: DevicesOptions['logins'][number]): Promise<void> {
    const socket = new WebSocket(url, 'v12.stomp', { perMessageDeflate: false })
    const device: Device = { socket, sent: 0, receipted: 0, waiting: new Map() }
    const connected = Promise.withResolvers<void>()
    socket.on('error', connected.reject)
    socket.once('close', (code, reason) => {
      failure ??= new Error(`A socket was closed with ${code} ${reason}.`)
      connected.reject(failure)
    })
    socket.once('open', () => {
      const headers = { 'accept-version': '1.2', ...options.connectHeaders, login, passcode }
      socket.send(`CONNECT\n${formatHeaders(headers)}\n\0`)
    })
    socket.once('message', answer => {
      if (!String(answer).startsWith('CONNECTED')) return connected.reject(new Error(String(answer)))
      socket.on('message', data => take(device, String(data)))
      devices.push(device)
      connected.resolve()
    })
    const deadline = setTimeout(
      () => connected.reject(new Error('A device was not connected in time.')),
      OPEN_DEADLINE_MS,
    )
    await connected.promise.finally(() => clearTimeout(deadline))
  }

  for (let i = 0; i < logins.length; i += OPENING_AT_ONCE)
    await Promise.all(logins.slice(i, i + OPENING_AT_ONCE).map(open))

  const sum = (read: (device: Device) => number) => devices.reduce((total, device) => total + read(device), 0)

  async function waitForReceipts(): Promise<void> {
    const deadline = performance.now() + RECEIPT_DEADLINE_MS
    while (devices.some(({ sent, receipted }) => sent !== receipted)) {
      if (failure !== undefined) throw failure
      if (performance.now() > deadline) throw new Error('Some messages were not receipted in time.')
      await sleep(POLL_INTERVAL_MS)
    }
    if (failure !== undefined) throw failure
  }

  return {
    async flood({ destination, body, window, warmUpMs, durationMs }) {
      const head = `SEND\n${formatHeaders({ destination, ...sendHeaders })}content-length:${Buffer.byteLength(body)}\nreceipt:`
      const tail = `\n\n${body}\0`
      const before = sum(({ receipted }) => receipted)
      refill = (device, count) => {
        for (let i = 0; i < count; i++) device.socket.send(head + device.sent++ + tail)
      }
      for (const device of devices) refill(device, window)
      await sleep(warmUpMs)
      const [startedAt, atStart] = [performance.now(), sum(({ receipted }) => receipted)]
      await sleep(durationMs)
      const [elapsedMs, atEnd] = [performance.now() - startedAt, sum(({ receipted }) => receipted)]
      refill = undefined
      await waitForReceipts()
      return { receipts: atEnd - atStart, elapsedMs, taken: sum(({ receipted }) => receipted) - before }
    },
    async send(number, destination, body) {
      const device = devices[number]
      if (device === undefined)
        throw new TypeError(`Expected one of ${devices.length} devices, got ${number}.`)
      const receipt = String(device.sent++)
      const receipted = Promise.withResolvers<void>()
      device.waiting.set(receipt, receipted.resolve)
      const length = Buffer.byteLength(body)
      const headers = { destination, ...sendHeaders, 'content-length': String(length), receipt }
      device.socket.send(`SEND\n${formatHeaders(headers)}\n${body}\0`)
      await receipted.promise
    },
    close() {
      for (const { socket } of devices) {
        socket.removeAllListeners('close')
        socket.terminate()
      }
    },
  }
}

function settle({ waiting }: Device, frame: string): void {
  const id = /\nreceipt-id:(.*)/.exec(frame)?.[1]?.trim() ?? ''
  waiting.get(id)?.()
  waiting.delete(id)
}

function formatHeaders(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}:${value}\n`)
    .join('')
}
