import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { ProvenDevice } from '../../subgraphs/shared/device-directory.ts'
import { AppError } from '../../subgraphs/shared/errors.ts'
import { type DoorFixture, type FixtureDevice, startDoor } from './door-fixture.ts'
import { openRawClient } from './raw-client.ts'

/** Between once and twice a second, by chance. */
const RETRY_HINT = expect.stringMatching(/^(1\d{3}|2000)$/)

const log = { level: 'INFO', message: 'hello' }
let door: DoorFixture

afterEach(() => door[Symbol.asyncDispose]())

async function openConnected(device: FixtureDevice = door.addDevice(), headers: Record<string, string> = {}) {
  const client = await openRawClient(door.wsUrl)
  expect((await client.connect(device, headers)).command).toBe('CONNECTED')
  return Object.assign(client, { device })
}

const notesOf = (device: FixtureDevice) =>
  door.notes.flatMap(note => ('deviceId' in note && note.deviceId === device.deviceId ? [note.kind] : []))

/** A turn of the event loop in which the door can act, and does not. */
async function turns(count: number) {
  for (let i = 0; i < count; i++) await new Promise(resolve => setImmediate(resolve))
}

describe('presence', () => {
  it('begins at CONNECT and ends once when the connection is lost, dated at the last life sign', async () => {
    door = await startDoor()
    const client = await openConnected()
    client.send('/app/log', log, { receipt: '1' })
    await client.next()
    const lastSign = door.touches.get(client.device.deviceId)
    client.socket.terminate()
    await door.until(() => notesOf(client.device).includes('disconnect'))
    expect(notesOf(client.device)).toEqual(['connect', 'disconnect'])
    expect(door.notes.at(-1)).toMatchObject({ generation: 1, at: lastSign })
    expect(door.door.stats()).toMatchObject({ devices: 0, connections: 0 })
  })

  it('tolerates twice the heart-beat that was agreed on, or the silence that is configured', async () => {
    door = await startDoor()
    using beating = await openConnected(door.addDevice(), { 'heart-beat': '15000,0' })
    using silent = await openConnected(door.addDevice(), { 'heart-beat': '0,0' })
    expect(beating.socket.readyState + silent.socket.readyState).toBe(2)
    expect(door.notes).toMatchObject([{ toleranceMs: 35_000 }, { toleranceMs: 65_000 }])
  })

  it('ends a device whose heart-beats stop', async () => {
    door = await startDoor({ limits: { heartBeat: { sendMs: 1_000, receiveMs: 50, silenceMs: 60_000 } } })
    const client = await openConnected(door.addDevice(), { 'heart-beat': '50,0' })
    const error = await client.next()
    expect(error).toMatchObject({ command: 'ERROR', body: 'Nothing was heard from the device for 100 ms.' })
    await client.closed
    await door.until(() => notesOf(client.device).includes('disconnect'))
  })

  it('without heart-beats ends a device of which no frame came for the configured silence', async () => {
    door = await startDoor({ limits: { heartBeat: { sendMs: 1_000, receiveMs: 1_000, silenceMs: 100 } } })
    const client = await openConnected()
    expect((await client.next()).command).toBe('ERROR')
    await client.closed
  })

  it('that cannot be begun, as Redis is away, is UNAVAILABLE with a hint when to come again', async () => {
    door = await startDoor({
      presence: {
        connect: () => Promise.reject(new AppError('UNAVAILABLE', 'Redis is away.')),
        touch() {},
        disconnect: async () => {},
        suspend() {},
        resume() {},
      },
    })
    using client = await openRawClient(door.wsUrl)
    const error = await client.connect(door.addDevice())
    expect(error).toMatchObject({
      command: 'ERROR',
      headers: { code: 'UNAVAILABLE', 'retry-after-ms': RETRY_HINT },
    })
    expect((await client.closed).code).toBe(1013)
  })
})

describe('a newer session of a device', () => {
  it('here takes over: the older gets ERROR and is closed, and nothing goes offline', async () => {
    door = await startDoor()
    const older = await openConnected()
    using newer = await openConnected(older.device)
    expect(await older.next()).toMatchObject({
      command: 'ERROR',
      headers: { message: 'Taken over by a newer session', code: 'CONFLICT' },
    })
    expect((await older.closed).code).toBe(4409)
    expect(notesOf(older.device)).toEqual(['connect', 'connect'])
    door.sendTo(older.device.deviceId, '/user/queue/errors', {})
    newer.send('/app/log', log, { receipt: '1' })
    expect((await newer.next()).command).toBe('RECEIPT')
    expect(door.door.stats().devices).toBe(1)
  })

  it('at another door takes over, an older one elsewhere does not', async () => {
    door = await startDoor()
    using client = await openConnected()
    const { deviceId } = client.device
    door.deliver({ kind: 'take-over', deviceId, generation: 1 })
    client.send('/app/log', log, { receipt: '1' })
    expect((await client.next()).command).toBe('RECEIPT')
    door.deliver({ kind: 'take-over', deviceId, generation: 2 })
    expect(await client.next()).toMatchObject({ command: 'ERROR', headers: { code: 'CONFLICT' } })
    await client.closed
    expect(notesOf(client.device)).toEqual(['connect'])
  })

  it('at another door wins also while this one is still connecting', async () => {
    let answer: (value: { generation: number }) => void = () => {}
    let asked: () => void = () => {}
    const isAsked = new Promise<void>(resolve => {
      asked = resolve
    })
    door = await startDoor({
      presence: {
        connect: () =>
          new Promise(resolve => {
            answer = resolve
            asked()
          }),
        touch() {},
        disconnect: async () => {},
        suspend() {},
        resume() {},
      },
    })
    const device = door.addDevice()
    using client = await openRawClient(door.wsUrl)
    const first = client.connect(device)
    await isAsked
    door.deliver({ kind: 'take-over', deviceId: device.deviceId, generation: 6 })
    answer({ generation: 5 })
    expect(await first).toMatchObject({ command: 'ERROR', headers: { code: 'CONFLICT' } })
    expect(door.door.stats().devices).toBe(0)
  })
})

describe('while the ingest log is near its bound', () => {
  it('the door does not read, no deadline runs, and everything goes on afterwards', async () => {
    door = await startDoor({
      limits: { heartBeat: { sendMs: 1_000, receiveMs: 50, silenceMs: 60_000 }, connectDeadlineMs: 1_000 },
    })
    // Twice 500 ms without a sign of life, and 1 s without CONNECT, would end these sessions.
    using client = await openConnected(door.addDevice(), { 'heart-beat': '500,0' })
    door.setPressure(true)
    expect(door.door.stats().isPaused).toBe(true)
    using late = await openRawClient(door.wsUrl)
    client.send('/app/log', log, { receipt: '1' })
    const receipt = client.next()
    const waited = new Promise(resolve => setTimeout(resolve, 1_500, 'nothing'))
    expect(await Promise.race([receipt, waited])).toBe('nothing')
    expect(door.items).toEqual([])
    door.setPressure(false)
    expect((await receipt).command).toBe('RECEIPT')
    expect((await late.connect(door.addDevice())).command).toBe('CONNECTED')
    expect(door.notes.map(note => note.kind)).toEqual(['connect', 'suspend', 'resume', 'connect'])
  })
})

describe('bounds', () => {
  it('more unreceipted frames than allowed get ERROR with a hint when to come again', async () => {
    door = await startDoor({ limits: { maxUnreceipted: 10 } })
    using client = await openConnected()
    door.holdAppends()
    for (let i = 0; i < 11; i++) client.send('/app/log', log, { receipt: `${i}` })
    expect(await client.next()).toMatchObject({
      command: 'ERROR',
      headers: { message: 'Too many messages', 'receipt-id': '10', 'retry-after-ms': RETRY_HINT },
    })
    expect((await client.closed).code).toBe(4429)
    door.releaseAppends()
    await door.until(() => door.items.length === 10)
    await turns(3)
    expect(await door.metric('nuvion_stomp_unreceipted_frames')).toBe(0)
    expect(await door.metric('nuvion_stomp_in_flight_bytes')).toBe(0)
  })

  it('more bytes in flight than allowed stop the reading until half of them are durable', async () => {
    door = await startDoor({ limits: { maxInFlightBytes: 100 } })
    using client = await openConnected()
    door.holdAppends()
    for (let i = 0; i < 4; i++)
      client.send('/app/log', { ...log, message: 'x'.repeat(60) }, { receipt: `${i}` })
    await door.until(() => door.notes.some(note => note.kind === 'suspend'))
    expect(door.door.stats().isPaused).toBe(true)
    door.releaseAppends()
    for (let i = 0; i < 4; i++) expect((await client.next()).headers['receipt-id']).toBe(`${i}`)
    await door.until(() => door.notes.at(-1)?.kind === 'resume')
  })

  it('a device that does not read is dropped', async () => {
    door = await startDoor({ limits: { maxUnsentBytes: 100_000 } })
    const client = await openConnected()
    client.frame('SUBSCRIBE', { id: '1', destination: '/user/queue/commands', receipt: 'r' })
    await client.next()
    client.socket.pause()
    const body = { text: 'x'.repeat(50_000) }
    while (door.door.stats().devices > 0) {
      door.sendTo(client.device.deviceId, '/user/queue/commands', body)
      await turns(1)
    }
    expect(await door.metric('nuvion_stomp_slow_readers_total')).toBe(1)
    client.socket.terminate()
  })

  it('a connection that never says CONNECT is closed', async () => {
    door = await startDoor({ limits: { connectDeadlineMs: 100 } })
    using client = await openRawClient(door.wsUrl)
    const dribble = setInterval(() => client.write('\n'), 20)
    expect(await client.next()).toMatchObject({ command: 'ERROR', body: 'No session within 100 ms.' })
    clearInterval(dribble)
    await client.closed
  })

  it('a full door answers 503 to a WebSocket and to SockJS', async () => {
    door = await startDoor({ limits: { maxSessions: 1 } })
    using client = await openConnected()
    const status = await new Promise(resolve => {
      new WebSocket(door.wsUrl).on('unexpected-response', (_, response) => resolve(response.statusCode))
    })
    expect(status).toBe(503)
    expect((await fetch(`${door.url}/0/abc/xhr`, { method: 'POST' })).status).toBe(503)
    client.frame('DISCONNECT', {})
    await client.closed
    using next = await openConnected()
    expect(next.socket.readyState).toBe(WebSocket.OPEN)
  })

  it('an authenticator that never answers ends the CONNECT', async () => {
    door = await startDoor({
      authenticator: {
        byCredential: () => new Promise(() => {}),
        byToken: () => new Promise(() => {}),
        findEnded: async () => [],
      },
      limits: { connectDeadlineMs: 100 },
    })
    using client = await openRawClient(door.wsUrl)
    expect((await client.connect(door.addDevice())).command).toBe('ERROR')
    await client.closed
  })
})

describe('a device token', () => {
  it('that expires ends its session', async () => {
    let deviceId = ''
    door = await startDoor({
      authenticator: {
        byCredential: async () => null,
        byToken: async () => ({
          ...{ deviceId, spaceId: door.spaceId, expiresAt: Date.now() + 300 },
          proof: { kind: 'token', issuedAt: 0 },
        }),
        findEnded: async () => [],
      },
    })
    const device = door.addDevice()
    deviceId = device.deviceId
    using client = await openRawClient(door.wsUrl)
    client.frame('CONNECT', { 'accept-version': '1.2', Authorization: `Bearer ${device.token}` })
    expect((await client.next()).command).toBe('CONNECTED')
    expect(await client.next()).toMatchObject({ command: 'ERROR', body: 'The token has expired.' })
    expect((await client.closed).code).toBe(4401)
  })
})

describe('a device that may be here no more', () => {
  const revoked = { command: 'ERROR', headers: { code: 'UNAUTHENTICATED' } }

  it('gets ERROR and is closed when its credential is revoked, and goes offline; others stay', async () => {
    door = await startDoor()
    const [client, other] = [await openConnected(), await openConnected()]
    const { device } = client
    door.tell({ kind: 'credential-revoked', deviceId: device.deviceId, spaceId: door.spaceId })
    expect(await client.next()).toMatchObject(revoked)
    expect((await client.closed).code).toBe(4401)
    await door.until(() => notesOf(device).includes('disconnect'))
    other.send('/app/log', log, { receipt: '1' })
    expect((await other.next()).command).toBe('RECEIPT')
    expect(door.door.stats().devices).toBe(1)
  })

  it.each(['space-changed', 'unknown'] as const)('is found after %s by one lookup', async kind => {
    door = await startDoor()
    const clients = [await openConnected(), await openConnected(), await openConnected()]
    const [gone, ...stay] = clients
    if (gone === undefined) throw new Error('no client')
    door.removeDevice(gone.device)
    door.tell({ kind: 'space-changed', spaceId: 'another' })
    door.tell(kind === 'unknown' ? { kind } : { kind, spaceId: door.spaceId })
    expect(await gone.next()).toMatchObject(revoked)
    for (const client of stay) {
      client.send('/app/log', log, { receipt: '1' })
      expect((await client.next()).command).toBe('RECEIPT')
    }
  })

  it('is found without any news within the interval, also when lookups have failed before', async () => {
    let failures = 2
    let deviceId = ''
    door = await startDoor({
      limits: { recheckIntervalMs: 20 },
      authenticator: {
        byCredential: async id => ({
          ...{ deviceId: id, spaceId: 'space', expiresAt: null },
          proof: { kind: 'credential', digest: '' },
        }),
        byToken: async () => null,
        async findEnded(devices) {
          if (failures-- > 0) throw new AppError('UNAVAILABLE', 'The database is away.')
          return devices.filter(device => device.deviceId === deviceId)
        },
      },
    })
    const client = await openConnected()
    deviceId = client.device.deviceId
    expect(await client.next()).toMatchObject(revoked)
  })

  it('does not slip in when it is revoked while its CONNECT is under way', async () => {
    const answers: ((good: boolean) => void)[] = []
    const isAsked = Promise.withResolvers<void>()
    const byCredential = (deviceId: string) =>
      new Promise<ProvenDevice | null>(resolve => {
        const proof = { kind: 'credential', digest: '' } as const
        answers.push(good => resolve(good ? { deviceId, spaceId: 'space', expiresAt: null, proof } : null))
        isAsked.resolve()
      })
    door = await startDoor({
      authenticator: { byCredential, byToken: async () => null, findEnded: async () => [] },
    })
    using client = await openRawClient(door.wsUrl)
    const device = door.addDevice()
    const connecting = client.connect(device)
    await isAsked.promise
    door.tell({ kind: 'credential-revoked', deviceId: device.deviceId, spaceId: 'space' })
    answers[0]?.(true)
    await turns(5)
    answers[1]?.(false)
    expect(await connecting).toMatchObject(revoked)
    expect(notesOf(device)).toEqual([])
  })
})

describe('many CONNECTs at once', () => {
  it('are checked a few at a time; those over the bound are told when to come again, the others get in', async () => {
    let checking = 0
    let most = 0
    const hold = Promise.withResolvers<void>()
    door = await startDoor({
      limits: { maxConnecting: 3, maxWaitingConnects: 5 },
      authenticator: {
        async byCredential(deviceId) {
          most = Math.max(most, ++checking)
          await hold.promise
          checking--
          const proof = { kind: 'credential', digest: '' } as const
          return { deviceId, spaceId: 'space', expiresAt: null, proof }
        },
        byToken: async () => null,
        findEnded: async () => [],
      },
    })
    const clients = await Promise.all(Array.from({ length: 12 }, () => openRawClient(door.wsUrl)))
    const answers = clients.map(client => client.connect(door.addDevice()))
    const refused = () => door.metric('nuvion_stomp_refused_connects_total')
    await expect.poll(refused).toBe(4)
    expect(await door.metric('nuvion_stomp_waiting_connects')).toBe(5)
    hold.resolve()
    const frames = await Promise.all(answers)
    expect(most).toBe(3)
    expect(frames.filter(({ command }) => command === 'CONNECTED')).toHaveLength(8)
    const hints = frames
      .filter(({ command }) => command === 'ERROR')
      .map(({ headers }) => Number(headers['retry-after-ms']))
    expect(hints).toHaveLength(4)
    for (const hint of hints) expect(hint).toSatisfy((ms: number) => ms >= 1_000 && ms <= 3_000)
    expect(new Set(hints).size).toBeGreaterThan(1)
    for (const client of clients) client.socket.terminate()
  })
})

describe('closing the door', () => {
  it('receipts what was read, closes with 1001, and lets every device go offline at its last life sign', async () => {
    door = await startDoor()
    const client = await openConnected()
    door.holdAppends()
    client.send('/app/log', log, { receipt: '1' })
    await expect.poll(() => door.metric('nuvion_stomp_unreceipted_frames')).toBe(1)
    const closing = door.door[Symbol.asyncDispose]()
    await turns(5)
    door.releaseAppends()
    expect((await client.next()).headers['receipt-id']).toBe('1')
    expect((await client.closed).code).toBe(1001)
    await closing
    expect(notesOf(client.device)).toEqual(['connect', 'disconnect'])
    expect(door.items).toHaveLength(1)
    await expect(openRawClient(door.wsUrl)).rejects.toThrow('503')
  })

  it('does not wait for ever for an append that hangs or a socket that does not close', async () => {
    door = await startDoor({ limits: { closeDeadlineMs: 200 } })
    const client = await openConnected()
    door.holdAppends()
    client.send('/app/log', log)
    await expect.poll(() => door.metric('nuvion_stomp_unreceipted_frames')).toBe(1)
    client.socket.pause()
    await door.door[Symbol.asyncDispose]()
    expect(notesOf(client.device)).toEqual(['connect', 'disconnect'])
    client.socket.terminate()
    door.releaseAppends()
  })
})
