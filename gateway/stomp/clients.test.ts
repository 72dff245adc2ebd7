import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { Client, type IFrame, type IStompSocket, Versions } from '@stomp/stompjs'
import SockJS from 'sockjs-client'
import { Client as StompitClient } from 'stompit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { client as createWebstomp } from 'webstomp-client'
import { createWebSocketStream, WebSocket as NodeWebSocket } from 'ws'
import { type DoorFixture, type FixtureDevice, startDoor } from './door-fixture.ts'

const log = (message: string) => JSON.stringify({ level: 'INFO', message })
const bad = JSON.stringify([{ level: 'INFO' }])
let door: DoorFixture

beforeAll(async () => {
  door = await startDoor()
})
afterAll(() => door[Symbol.asyncDispose]())

const messagesOf = (device: FixtureDevice) =>
  door.items.flatMap(item => (item.kind === 'log' && item.deviceId === device.deviceId ? [item.message] : []))

function disconnectsOf(device: FixtureDevice) {
  return door.notes.filter(note => note.kind === 'disconnect' && note.deviceId === device.deviceId).length
}

/** Connects a stompjs client and resolves once it is. */
async function connectStompJs(
  device: FixtureDevice,
  options: { version?: string; socket?: () => IStompSocket; heartBeatMs?: number },
) {
  const client = new Client({
    ...(options.socket === undefined ? { brokerURL: door.wsUrl } : { webSocketFactory: options.socket }),
    stompVersions: new Versions(options.version === undefined ? ['1.2', '1.1', '1.0'] : [options.version]),
    connectHeaders: { login: device.deviceId, passcode: device.credential },
    reconnectDelay: 0,
    heartbeatIncoming: options.heartBeatMs ?? 10_000,
    heartbeatOutgoing: options.heartBeatMs ?? 10_000,
  })
  const connected = await new Promise<IFrame>((resolve, reject) => {
    client.onConnect = resolve
    client.onStompError = frame => reject(new Error(frame.body))
    client.onWebSocketClose = () => reject(new Error('closed before CONNECTED'))
    client.activate()
  })
  return { client, connected }
}

function publish(client: Client, receipt: string, body: string): Promise<IFrame> {
  return new Promise(resolve => {
    client.watchForReceipt(receipt, resolve)
    client.publish({ destination: '/app/log', body, headers: { receipt } })
  })
}

async function exerciseStompJs(device: FixtureDevice, client: Client): Promise<void> {
  const error = new Promise<IFrame>(resolve => {
    client.subscribe('/user/queue/errors', resolve)
  })
  const sent = Array.from({ length: 20 }, (_, i) => `é${i} \0 % <script>`)
  await Promise.all(sent.map((message, i) => publish(client, `r:${i}`, log(message))))
  expect(messagesOf(device)).toEqual(sent)
  await publish(client, 'bad:1', bad)
  const { headers, body } = await error
  expect(headers['correlation-id']).toBe('bad:1')
  expect(JSON.parse(body).errors).toMatchObject([{ index: 0, field: 'message' }])
  await client.deactivate()
  await door.until(() => disconnectsOf(device) === 1)
}

describe('@stomp/stompjs over a WebSocket', () => {
  it.each(['1.0', '1.1', '1.2'])('works unmodified in %s', async version => {
    const device = door.addDevice()
    const { client } = await connectStompJs(device, { version })
    expect(client.connectedVersion).toBe(version)
    await exerciseStompJs(device, client)
  })

  it('reads the ERROR of a wrong credential', async () => {
    const device = { ...door.addDevice(), credential: 'wrong' }
    await expect(connectStompJs(device, {})).rejects.toThrow(/are not those of a device/)
  })

  it('keeps its session by heart-beats alone, and they come from the door too', async () => {
    await using quick = await startDoor({
      limits: { heartBeat: { sendMs: 50, receiveMs: 50, silenceMs: 60_000 } },
    })
    const { deviceId, credential } = quick.addDevice()
    const client = new Client({
      brokerURL: quick.wsUrl,
      connectHeaders: { login: deviceId, passcode: credential },
      reconnectDelay: 0,
      heartbeatIncoming: 100,
      heartbeatOutgoing: 100,
    })
    let pongs = 0
    let isLost = false
    client.debug = line => {
      if (line.includes('<<< PONG')) pongs++
    }
    client.onHeartbeatLost = () => {
      isLost = true
    }
    await new Promise<void>(resolve => {
      client.onConnect = () => resolve()
      client.activate()
    })
    await expect.poll(() => pongs, { timeout: 8_000, interval: 20 }).toBeGreaterThan(10)
    expect(client.connected).toBe(true)
    expect(isLost).toBe(false)
    expect(quick.notes.filter(note => note.kind === 'disconnect')).toEqual([])
    await client.deactivate()
  })
})

describe('sockjs-client with @stomp/stompjs', () => {
  it.each(['websocket', 'xhr-streaming', 'xhr-polling', 'eventsource'])(
    'works unmodified over %s',
    async name => {
      const device = door.addDevice()
      const socket = new SockJS(door.url, null, { transports: [name] })
      const { client } = await connectStompJs(device, { socket: () => socket as IStompSocket })
      expect(Reflect.get(socket, 'transport')).toBe(name)
      await exerciseStompJs(device, client)
    },
  )

  it('reads the ERROR of a wrong credential over polling too', async () => {
    const device = { ...door.addDevice(), credential: 'wrong' }
    const socket = () => new SockJS(door.url, null, { transports: ['xhr-polling'] }) as IStompSocket
    await expect(connectStompJs(device, { socket })).rejects.toThrow(/are not those of a device/)
  })
})

describe('stompit, which writes a frame in pieces', () => {
  it('works unmodified over a stream of WebSocket messages', async () => {
    const device = door.addDevice()
    const socket = new NodeWebSocket(door.wsUrl, ['v12.stomp'])
    await once(socket, 'open')
    const client = new StompitClient(createWebSocketStream(socket), { heartbeat: [5_000, 5_000] })
    const connectHeaders = {
      'accept-version': '1.1,1.2',
      login: device.deviceId,
      passcode: device.credential,
    }
    await new Promise<void>((resolve, reject) => {
      client.connect(connectHeaders, error => (error === null ? resolve() : reject(error)))
    })
    const message = new Promise<string>((resolve, reject) => {
      client.subscribe({ destination: '/user/queue/errors', ack: 'auto' }, (error, stream) => {
        if (error === null) text(stream).then(resolve, reject)
        else reject(error)
      })
    })
    const send = (body: string) =>
      new Promise<void>((resolve, reject) => {
        const frame = client.send({ destination: '/app/log' }, { onReceipt: resolve, onError: reject })
        frame.end(body)
      })
    await send(log('from stompit'))
    await send(bad)
    expect(messagesOf(device)).toEqual(['from stompit'])
    expect(JSON.parse(await message).errors).toMatchObject([{ index: 0, field: 'message' }])
    await new Promise<void>((resolve, reject) => {
      client.disconnect(error => (error === null ? resolve() : reject(error)))
    })
    await door.until(() => disconnectsOf(device) === 1)
  })
})

describe('webstomp-client', () => {
  it('works unmodified, also when many receipts come in one message', async () => {
    const device = door.addDevice()
    const client = createWebstomp(door.wsUrl, { debug: false })
    await new Promise<void>((resolve, reject) => {
      client.connect({ login: device.deviceId, passcode: device.credential }, () => resolve(), reject)
    })
    const receipts: string[] = []
    const all = new Promise<void>(resolve => {
      client.onreceipt = frame => {
        receipts.push(String(Reflect.get(frame.headers, 'receipt-id')))
        if (receipts.length === 50) resolve()
      }
    })
    for (let i = 0; i < 50; i++) client.send('/app/log', log(`w${i}`), { receipt: `r${i}` })
    await all
    expect(receipts).toEqual(Array.from({ length: 50 }, (_, i) => `r${i}`))
    expect(messagesOf(device)).toHaveLength(50)
    await new Promise<void>(resolve => client.disconnect(() => resolve()))
    await door.until(() => disconnectsOf(device) === 1)
  })
})
