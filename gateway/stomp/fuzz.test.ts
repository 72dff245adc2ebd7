import { afterAll, beforeAll, expect, it } from 'vitest'
import { createChance, cutAtRandom } from './chance.ts'
import { type DoorFixture, type FixtureDevice, startDoor } from './door-fixture.ts'
import { openRawClient } from './raw-client.ts'

const ROUNDS = 2_000
const AT_ONCE = 20
let door: DoorFixture

beforeAll(async () => {
  door = await startDoor({
    limits: { frame: { maxFrameBytes: 4_096, maxHeaderBytes: 1_024, maxHeaders: 16 } },
  })
})
afterAll(() => door[Symbol.asyncDispose]())

const chance = createChance(20_26)
const pick = <T>(values: readonly [T, ...T[]]): T => values[chance(values.length)] ?? values[0]

const PIECES = [
  ...[
    'CONNECT',
    'STOMP',
    'SEND',
    'SUBSCRIBE',
    'UNSUBSCRIBE',
    'ACK',
    'NACK',
    'BEGIN',
    'DISCONNECT',
    'RECEIPT',
  ],
  ...[
    '\n',
    '\n\n',
    '\r\n',
    '\0',
    ':',
    '\\',
    '\\n',
    '\\q',
    '{}',
    '[]',
    '[{}]',
    '{"level":"INFO","message":"x"}',
  ],
  ...['destination:/app/log\n', 'destination:/app/state\n', 'destination:/user/queue/errors\n', 'id:1\n'],
  ...['receipt:r\n', 'content-length:3\n', 'content-length:99999\n', 'heart-beat:1,1\n', 'ack:client\n'],
  ...[
    'accept-version:1.2\n',
    'accept-version:9\n',
    'transaction:t\n',
    '__proto__:x\n',
    'é',
    'x'.repeat(5_000),
  ],
] as [string, ...string[]]

function randomBytes(): Buffer {
  if (chance(4) === 0) return Buffer.from(Array.from({ length: chance(200) }, () => chance(256)))
  if (chance(2) === 0) return Buffer.from(Array.from({ length: chance(30) }, () => pick(PIECES)).join(''))
  const body = pick([
    '',
    'null',
    '{"level":"INFO","message":"\\ud800"}',
    '[[]]',
    '{"__proto__":1}',
    '\xff',
    '{',
  ])
  const frame = Buffer.from(
    `SEND\ndestination:/app/${pick(['log', 'state', 'connectivity'])}\nreceipt:1\n\n${body}\0`,
  )
  if (chance(3) === 0) frame[chance(frame.length)] = chance(256)
  return frame
}

async function sendGarbage(device: FixtureDevice): Promise<void> {
  using client = await openRawClient(door.wsUrl)
  if (chance(3) > 0) await client.connect(device)
  for (let i = 0; i <= chance(6); i++)
    for (const piece of cutAtRandom(randomBytes(), chance, 1 + chance(300))) client.write(piece)
  const isOver = Promise.race([client.closed, new Promise(resolve => client.socket.once('pong', resolve))])
  if (client.socket.readyState === client.socket.OPEN) client.socket.ping()
  await isOver
}

it('2,000 sequences of garbage hurt nobody: a good client works afterwards as before', async () => {
  for (let round = 0; round < ROUNDS; round += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, () => sendGarbage(door.addDevice())))
  const device = door.addDevice()
  using client = await openRawClient(door.wsUrl)
  expect((await client.connect(device)).command).toBe('CONNECTED')
  client.send('/app/log', { level: 'INFO', message: 'still here' }, { receipt: 'r' })
  expect((await client.next()).headers['receipt-id']).toBe('r')
  expect(door.items.at(-1)).toMatchObject({ deviceId: device.deviceId, message: 'still here' })
  expect(await door.metric('nuvion_stomp_session_errors_total', { code: 'BAD_USER_INPUT' })).toBeGreaterThan(
    100,
  )
  expect(await door.metric('nuvion_stomp_session_errors_total', { code: 'INTERNAL_SERVER_ERROR' })).toBe(0)
}, 60_000)

it('garbage in the requests of SockJS is answered, and the door goes on', async () => {
  for (let round = 0; round < 200; round++) {
    const session = `${door.url}/0/${chance(20)}`
    const transport = pick([
      'xhr_send',
      'xhr_send',
      'xhr_streaming',
      'eventsource',
      'htmlfile?c=a',
      'xhr%00',
      '..',
    ])
    const method = pick(['POST', 'GET', 'OPTIONS', 'DELETE'])
    const body =
      method === 'POST'
        ? pick<string | Buffer>([randomBytes(), '["\\u0000"]', JSON.stringify(['SEND\n'])])
        : null
    const abort = new AbortController()
    const response = await fetch(`${session}/${transport}`, { method, body, signal: abort.signal })
    expect(response.status).toBeLessThan(501)
    abort.abort()
  }
  expect((await fetch(`${door.url}/info`)).status).toBe(200)
  expect(await door.metric('nuvion_stomp_session_errors_total', { code: 'INTERNAL_SERVER_ERROR' })).toBe(0)
})
