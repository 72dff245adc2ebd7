import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId, newIdAt } from '../../subgraphs/shared/uuid-v7.ts'
import { type DoorFixture, startDoor } from './door-fixture.ts'
import { openRawClient } from './raw-client.ts'

const log = { level: 'INFO', message: 'hello' }
let door: DoorFixture

beforeAll(async () => {
  door = await startDoor()
})
afterAll(() => door[Symbol.asyncDispose]())

async function openConnected(headers: Record<string, string> = {}) {
  const device = door.addDevice()
  const client = await openRawClient(door.wsUrl)
  const connected = await client.connect(device, headers)
  expect(connected.command).toBe('CONNECTED')
  return Object.assign(client, { device, connected })
}

const itemsOf = (deviceId: string) => door.items.filter(item => item.deviceId === deviceId)

describe('CONNECT', () => {
  it.each([
    ['1.2', '1.0,1.1,1.2', '1.2'],
    ['1.1', '1.0,1.1', '1.1'],
    ['1.0', '1.0', '1.0'],
    ['the newest in common', '2.0, 1.2,1.1', '1.2'],
  ])('agrees on %s', async (_, accepted, version) => {
    using client = await openConnected({ 'accept-version': accepted })
    expect(client.connected.headers.version).toBe(version)
  })

  it('without accept-version is 1.0, its values trimmed and without heart-beats', async () => {
    const { deviceId, credential } = door.addDevice()
    using client = await openRawClient(door.wsUrl)
    client.frame('CONNECT', { login: ` ${deviceId}`, passcode: ` ${credential}` })
    const { command, headers } = await client.next()
    expect(command).toBe('CONNECTED')
    expect(headers.version).toBe('1.0')
    expect(headers['heart-beat']).toBeUndefined()
  })

  it('may be called STOMP and show a device token', async () => {
    const { token } = door.addDevice()
    using client = await openRawClient(door.wsUrl)
    client.frame('STOMP', { 'accept-version': '1.2', Authorization: `Bearer ${token}` })
    expect((await client.next()).command).toBe('CONNECTED')
  })

  it('is refused with the versions there are when none is in common', async () => {
    using client = await openRawClient(door.wsUrl)
    client.frame('CONNECT', { 'accept-version': '2.0' })
    const { command, headers } = await client.next()
    expect(command).toBe('ERROR')
    expect(headers).toMatchObject({ message: 'Bad frame', version: '1.0,1.1,1.2' })
    expect((await client.closed).code).toBe(4400)
  })

  it('is answered in the same words whether device, credential or token are wrong, or those of two devices', async () => {
    const [device, other] = [door.addDevice(), door.addDevice()]
    const answers = []
    const attempts: Record<string, string>[] = [
      { login: newId(), passcode: device.credential },
      { login: device.deviceId, passcode: 'wrong' },
      { login: device.deviceId },
      {},
      { Authorization: 'Bearer expired' },
      { Authorization: `Basic ${device.token}` },
      { Authorization: `Bearer ${device.token}`, login: other.deviceId },
    ]
    for (const headers of attempts) {
      using client = await openRawClient(door.wsUrl)
      client.frame('CONNECT', { 'accept-version': '1.2', ...headers })
      answers.push({ ...(await client.next()), closed: await client.closed })
    }
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]).toMatchObject({
      command: 'ERROR',
      headers: { message: 'Not authenticated', code: 'UNAUTHENTICATED' },
      closed: { code: 4401 },
    })
  })

  it('a second time is an error', async () => {
    using client = await openConnected()
    expect(await client.connect(client.device)).toMatchObject({
      command: 'ERROR',
      body: 'CONNECT came twice.',
    })
    await client.closed
  })

  it('must be the first frame', async () => {
    using client = await openRawClient(door.wsUrl)
    client.send('/app/log', log)
    expect(await client.next()).toMatchObject({ command: 'ERROR' })
    await client.closed
  })

  it('may be followed at once by frames, which wait for CONNECTED', async () => {
    const { deviceId, credential } = door.addDevice()
    using client = await openRawClient(door.wsUrl)
    client.write(
      `CONNECT\naccept-version:1.2\nlogin:${deviceId}\npasscode:${credential}\n\n\0\n` +
        `SEND\ndestination:/app/log\nreceipt:1\n\n${JSON.stringify(log)}\0`,
    )
    expect((await client.next()).command).toBe('CONNECTED')
    expect((await client.next()).headers).toEqual({ 'receipt-id': '1' })
  })
})

describe('SEND', () => {
  it('is receipted once everything in it is durable, in the order of the frames', async () => {
    using client = await openConnected()
    door.holdAppends()
    client.send('/app/log', log, { receipt: 'a' })
    client.send('/app/state', { status: 'IDLE' }, { receipt: 'b' })
    client.frame('SUBSCRIBE', { id: '0', destination: '/user/queue/commands', receipt: 'c' })
    client.send('/app/log', [], { receipt: 'd' })
    client.send('/app/connectivity', { network: 'lte' }, { receipt: 'e' })
    const first = client.next()
    await Promise.race([
      first.then(() => expect.unreachable('receipted before it was durable')),
      setImmediatePromise(),
    ])
    door.releaseAppends()
    const receipts = [await first]
    for (let i = 0; i < 4; i++) receipts.push(await client.next())
    expect(receipts.map(frame => frame.headers['receipt-id'])).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(itemsOf(client.device.deviceId).map(item => item.kind)).toEqual(['log', 'state', 'connectivity'])
    expect(itemsOf(client.device.deviceId)[0]).toMatchObject({ spaceId: door.spaceId, clockReplaced: false })
  })

  it('takes frames cut anyhow over messages, text and binary', async () => {
    using client = await openConnected()
    const frame = Buffer.from(`SEND\ndestination:/app/log\nreceipt:ü\n\n{"level":"INFO","message":"é"}\0`)
    for (const byte of frame) client.write(Buffer.of(byte))
    client.write(Buffer.concat([frame, Buffer.from('\n'), frame]))
    for (let i = 0; i < 3; i++) expect((await client.next()).headers['receipt-id']).toBe('ü')
    expect(itemsOf(client.device.deviceId)).toHaveLength(3)
  })

  it('sends the receipts of one moment in one message', async () => {
    using client = await openConnected()
    const before = client.messages
    const frame = `SEND\ndestination:/app/log\nreceipt:1\n\n${JSON.stringify(log)}\0`
    client.write(frame.repeat(20))
    for (let i = 0; i < 20; i++) await client.next()
    expect(client.messages - before).toBe(1)
  })

  it('with some bad items accepts the others and answers each bad one by index, field and reason', async () => {
    using client = await openConnected()
    client.frame('SUBSCRIBE', { id: 'errors', destination: '/user/queue/errors' })
    const id = newIdAt(Date.now())
    const body = [
      { ...log, id },
      { level: 'INFO', message: 7 },
      { ...log, deviceId: newId() },
    ]
    client.send('/app/log', body, { receipt: 'r-1' })
    const message = await client.next()
    expect(message).toMatchObject({
      command: 'MESSAGE',
      headers: {
        subscription: 'errors',
        destination: '/user/queue/errors',
        'correlation-id': 'r-1',
        'content-type': 'application/json',
      },
    })
    expect(JSON.parse(message.body)).toEqual({
      destination: '/app/log',
      errors: [
        { index: 1, field: 'message', reason: 'Invalid input: expected string, received number' },
        { index: 2, field: 'deviceId', reason: 'There is no such field.' },
      ],
    })
    expect((await client.next()).headers['receipt-id']).toBe('r-1')
    expect(itemsOf(client.device.deviceId)).toMatchObject([{ id, deviceId: client.device.deviceId }])
  })

  it('whose body is no JSON is answered whole, receipted, and correlated by message-id where there is no receipt', async () => {
    using client = await openConnected()
    client.frame('SUBSCRIBE', { id: '1', destination: '/user/queue/errors' })
    client.send('/app/log', 'not json', { 'message-id': 'm-9' })
    const message = await client.next()
    expect(message.headers['correlation-id']).toBe('m-9')
    expect(JSON.parse(message.body).errors).toEqual([
      { index: null, field: null, reason: 'The body is not JSON.' },
    ])
    client.send('/app/log', 'not json', { receipt: 'r' })
    expect((await client.next()).headers['correlation-id']).toBe('r')
    expect(await client.next()).toMatchObject({ command: 'RECEIPT', headers: { 'receipt-id': 'r' } })
  })

  it('whose errors nobody subscribed to is counted', async () => {
    using client = await openConnected()
    const before = await door.metric('nuvion_stomp_rejected_items_total', { reason: 'bad_item' })
    client.send('/app/log', [{}, {}], { receipt: 'r' })
    expect((await client.next()).command).toBe('RECEIPT')
    expect(await door.metric('nuvion_stomp_rejected_items_total', { reason: 'bad_item' })).toBe(before + 2)
  })

  it.each([
    ['an unknown destination', '/app/nothing', {}, 'NOT_FOUND', 'A device cannot SEND to "/app/nothing".'],
    ['a prototype property', 'toString', {}, 'NOT_FOUND', 'A device cannot SEND to "toString".'],
    ['a transaction', '/app/log', { transaction: 't' }, 'BAD_USER_INPUT', 'Transactions are not supported.'],
  ])(
    'to %s gets ERROR with the receipt id, and the session ends',
    async (_, destination, headers, code, body) => {
      using client = await openConnected()
      client.send(destination, log, { ...headers, receipt: 'r:1' })
      const error = await client.next()
      expect(error).toMatchObject({ command: 'ERROR', body, headers: { code, 'receipt-id': 'r:1' } })
      expect((await client.closed).code).toBe(4400)
      expect(itemsOf(client.device.deviceId)).toEqual([])
    },
  )

  it('that cannot be appended gets ERROR UNAVAILABLE with its receipt id and a hint when to come again', async () => {
    using client = await openConnected()
    door.failAppends(true)
    client.send('/app/log', log, { receipt: 'r' })
    const error = await client.next()
    door.failAppends(false)
    expect(error).toMatchObject({
      command: 'ERROR',
      headers: {
        message: 'Not available now',
        'receipt-id': 'r',
        'retry-after-ms': expect.stringMatching(/^(1\d{3}|2000)$/),
      },
    })
    expect((await client.closed).code).toBe(1013)
  })
})

describe('bad frames', () => {
  it.each([
    [
      'an oversized frame',
      `SEND\ndestination:/app/log\n\n${'x'.repeat(66_000)}\0`,
      'PAYLOAD_TOO_LARGE',
      1009,
    ],
    ['an endless frame without NUL', `SEND\n\n${'x'.repeat(66_000)}`, 'PAYLOAD_TOO_LARGE', 1009],
    ['too many headers', `SEND\n${'a:b\n'.repeat(65)}\n\0`, 'PAYLOAD_TOO_LARGE', 1009],
    ['an undefined escape', 'SEND\ndestination:\\q\n\n\0', 'BAD_USER_INPUT', 4400],
    ['an unknown command', 'SHOUT\n\n\0', 'BAD_USER_INPUT', 4400],
    ['a transaction', 'BEGIN\ntransaction:1\n\n\0', 'BAD_USER_INPUT', 4400],
    ['no STOMP at all', 'GET / HTTP/1.1\r\n\r\n', 'BAD_USER_INPUT', 4400],
  ])('%s gets ERROR and close', async (_, text, code, closeCode) => {
    using client = await openConnected()
    client.write(text)
    expect(await client.next()).toMatchObject({ command: 'ERROR', headers: { code } })
    expect((await client.closed).code).toBe(closeCode)
  })

  it('a WebSocket message of many frames in length closes its socket with 1009', async () => {
    using client = await openConnected()
    client.write('x'.repeat(300_000))
    expect((await client.closed).code).toBe(1009)
  })

  it('are logged once a session, without what was secret', async () => {
    // A door of its own: of many such lines a second a log leaves some out.
    await using own = await startDoor()
    const device = own.addDevice()
    using client = await openRawClient(own.wsUrl)
    await client.connect(device)
    client.write('SHOUT\n\n\0SHOUT\n\n\0')
    await client.closed
    const lines = own.lines.filter(line => line.deviceId === device.deviceId)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatchObject({
      event: 'stomp.session_error',
      code: 'BAD_USER_INPUT',
      transport: 'websocket',
    })
    expect(JSON.stringify(own.lines)).not.toContain('credential:')
  })
})

describe('SUBSCRIBE', () => {
  it.each(['/user/queue/commands', '/user/queue/errors'] as const)(
    'receives what is sent to %s',
    async queue => {
      using client = await openConnected()
      client.frame('SUBSCRIBE', { id: 's\\c1', destination: queue, receipt: 'r' })
      await client.next()
      door.sendTo(client.device.deviceId, queue, { command: 'custom' }, 'c:1')
      const message = await client.next()
      expect(message.headers).toMatchObject({
        subscription: 's:1',
        destination: queue,
        'correlation-id': 'c:1',
      })
      expect(JSON.parse(message.body)).toEqual({ command: 'custom' })
    },
  )

  it.each(['/topic/all', '/user/queue/broadcasts', '/queue/commands', '/user/other/queue/errors', ''])(
    'to "%s" gets ERROR',
    async destination => {
      using client = await openConnected()
      client.frame('SUBSCRIBE', { id: '1', destination })
      expect(await client.next()).toMatchObject({ command: 'ERROR', headers: { code: 'FORBIDDEN' } })
      expect((await client.closed).code).toBe(4403)
    },
  )

  it('needs an id but in 1.0, and a new one', async () => {
    using nameless = await openConnected()
    nameless.frame('SUBSCRIBE', { destination: '/user/queue/errors' })
    expect((await nameless.next()).body).toBe('SUBSCRIBE needs the header id.')
    using twice = await openConnected()
    twice.frame('SUBSCRIBE', { id: '1', destination: '/user/queue/errors' })
    twice.frame('SUBSCRIBE', { id: '1', destination: '/user/queue/commands' })
    expect((await twice.next()).body).toBe('There is a subscription of this id already.')
    using old = await openConnected({ 'accept-version': '1.0' })
    old.frame('SUBSCRIBE', { destination: '/user/queue/errors', receipt: 'r' })
    expect((await old.next()).command).toBe('RECEIPT')
    door.sendTo(old.device.deviceId, '/user/queue/errors', {})
    expect((await old.next()).headers).not.toHaveProperty('subscription')
  })

  it('with ack:client lets the device ACK and NACK what it got, and nothing else', async () => {
    using client = await openConnected()
    client.frame('SUBSCRIBE', { id: '1', destination: '/user/queue/commands', ack: 'client', receipt: 'r' })
    await client.next()
    door.sendTo(client.device.deviceId, '/user/queue/commands', {})
    const { ack } = (await client.next()).headers
    expect(ack).toBeDefined()
    client.frame('ACK', { id: String(ack), receipt: 'a' })
    expect((await client.next()).headers['receipt-id']).toBe('a')
    client.frame('NACK', { id: '99', receipt: 'n' })
    expect((await client.next()).body).toBe('NACK names no message of this session.')
  })

  it('ends with UNSUBSCRIBE', async () => {
    using client = await openConnected()
    client.frame('SUBSCRIBE', { id: '1', destination: '/user/queue/commands' })
    client.frame('UNSUBSCRIBE', { id: '1', receipt: 'r' })
    await client.next()
    door.sendTo(client.device.deviceId, '/user/queue/commands', {})
    client.frame('DISCONNECT', { receipt: 'bye' })
    expect((await client.next()).headers['receipt-id']).toBe('bye')
  })
})

describe('DISCONNECT', () => {
  it('is receipted behind everything before it, then the door closes', async () => {
    using client = await openConnected()
    client.send('/app/log', log, { receipt: '1' })
    client.frame('DISCONNECT', { receipt: '2' })
    client.send('/app/log', log, { receipt: '3' })
    expect((await client.next()).headers['receipt-id']).toBe('1')
    expect((await client.next()).headers['receipt-id']).toBe('2')
    expect((await client.closed).code).toBe(1000)
    expect(itemsOf(client.device.deviceId)).toHaveLength(1)
  })
})

function setImmediatePromise(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
