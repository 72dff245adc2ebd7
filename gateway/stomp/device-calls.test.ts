import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ClipRecord } from '../../subgraphs/shared/clip-desk.ts'
import { refuse } from '../../subgraphs/shared/graphql/refusal.ts'
import { newId } from '../../subgraphs/shared/uuid-v7.ts'
import { createClipCalls } from './clip-calls.ts'
import { type DoorFixture, startDoor } from './door-fixture.ts'
import { openRawClient } from './raw-client.ts'

const eventId = newId()
const wish = { eventId, contentType: 'video/mp4', sizeBytes: 10 }
let door: DoorFixture
let hold: PromiseWithResolvers<void> | undefined

function toClip(fields: Partial<ClipRecord>): ClipRecord {
  return {
    ...{ id: newId(), spaceId: door.spaceId, deviceId: '', durationMs: null, status: 'PENDING' },
    ...{ hasPoster: false, createdAt: new Date(0), ...wish },
    ...fields,
  }
}

beforeEach(async () => {
  hold = undefined
  door = await startDoor({
    limits: { maxCallsOfDevice: 2, callDeadlineMs: 300 },
    callHandlers: createClipCalls({
      async request({ deviceId }, request) {
        await hold?.promise
        if (request.sizeBytes === 0) refuse('BAD_USER_INPUT', 'sizeBytes', 'sizeBytes must be more.')
        if (request.sizeBytes < 0) throw new Error('a secret of ours')
        return { uploadUrl: '/clips/x', headers: { a: 'b' }, clip: toClip({ deviceId }) }
      },
      complete: async ({ deviceId }, id) => toClip({ id, deviceId, status: 'READY' }),
    }),
  })
})
afterEach(() => door[Symbol.asyncDispose]())

async function open() {
  const device = door.addDevice()
  const client = await openRawClient(door.wsUrl)
  await client.connect(device)
  for (const queue of ['clip', 'errors'])
    client.frame('SUBSCRIBE', { id: queue, destination: `/user/queue/${queue}` })
  return Object.assign(client, { device })
}

const send = (client: Awaited<ReturnType<typeof open>>, call: string, receipt: string, body: unknown) =>
  client.frame('SEND', { destination: `/app/clip/${call}`, receipt }, JSON.stringify(body))

/** The next message, and the RECEIPT behind it. */
async function answerOf(client: Awaited<ReturnType<typeof open>>) {
  const message = await client.next()
  expect(message.command).toBe('MESSAGE')
  const receipt = await client.next()
  expect([receipt.command, receipt.headers['receipt-id']]).toEqual([
    'RECEIPT',
    message.headers['correlation-id'],
  ])
  return { subscription: message.headers.subscription, body: JSON.parse(message.body) }
}

describe('a question of a device', () => {
  it('is answered on its queue before its RECEIPT, and no item goes to the ingest log', async () => {
    using client = await open()
    send(client, 'request', 'a', wish)
    const { subscription, body } = await answerOf(client)
    expect(subscription).toBe('clip')
    expect(body).toMatchObject({
      destination: '/app/clip/request',
      uploadUrl: '/clips/x',
      headers: { a: 'b' },
      clip: { eventId, status: 'PENDING' },
    })
    send(client, 'complete', 'b', { clipId: body.clip.id })
    expect((await answerOf(client)).body.clip).toMatchObject({ id: body.clip.id, status: 'READY' })
    expect(door.items).toEqual([])
  })

  it.each([
    [
      { ...wish, sizeBytes: 0 },
      { index: 0, field: 'sizeBytes', reason: 'sizeBytes must be more.' },
    ],
    [
      { ...wish, sizeBytes: 'x' },
      { index: 0, field: 'sizeBytes' },
    ],
    [
      { ...wish, more: 1 },
      { index: 0, field: 'more', reason: 'There is no such field.' },
    ],
    [[wish, wish], { index: null, field: null, reason: 'The body must be one object.' }],
    [[], { index: null, field: null }],
    ['text', { index: null, field: null }],
    [
      { ...wish, sizeBytes: -1 },
      { index: 0, field: null, reason: 'Something went wrong on our side.' },
    ],
  ])('is told what is wrong with it: %j', async (body, error) => {
    using client = await open()
    send(client, 'request', 'a', body)
    const answer = await answerOf(client)
    expect(answer.subscription).toBe('errors')
    expect(answer.body).toMatchObject({ destination: '/app/clip/request', errors: [error] })
    send(client, 'request', 'b', wish)
    expect((await answerOf(client)).subscription).toBe('clip')
  })

  it('is one of few at a time of a device, and ends by its deadline', async () => {
    hold = Promise.withResolvers()
    using client = await open()
    using other = await open()
    for (const receipt of ['a', 'b', 'c']) send(client, 'request', receipt, wish)
    const refused = await client.next()
    expect(refused.headers['correlation-id']).toBe('c')
    expect(JSON.parse(refused.body).errors[0].reason).toMatch(/Too many/)
    send(other, 'complete', 'd', { clipId: newId() })
    expect((await answerOf(other)).subscription).toBe('clip')
    for (const receipt of ['a', 'b']) {
      const late = await client.next()
      expect([late.headers.subscription, late.headers['correlation-id']]).toEqual(['errors', receipt])
      expect((await client.next()).command).toBe('RECEIPT')
    }
    expect((await client.next()).headers['receipt-id']).toBe('c')
    hold.resolve()
    hold = undefined
    send(client, 'request', 'e', wish)
    expect((await answerOf(client)).subscription).toBe('clip')
  })

  it('holds up nothing else that the device sends', async () => {
    hold = Promise.withResolvers()
    using client = await open()
    send(client, 'request', 'a', wish)
    client.frame('SEND', { destination: '/app/log' }, JSON.stringify({ level: 'INFO', message: 'x' }))
    await door.until(() => door.items.length === 1)
    hold.resolve()
    expect((await answerOf(client)).subscription).toBe('clip')
  })

  it('is not offered where nobody answers it', async () => {
    await using bare = await startDoor()
    const client = await openRawClient(bare.wsUrl)
    await client.connect(bare.addDevice())
    client.frame('SUBSCRIBE', { id: 'e', destination: '/user/queue/errors' })
    client.frame('SEND', { destination: '/app/clip/request' }, JSON.stringify(wish))
    expect(JSON.parse((await client.next()).body).errors[0].reason).toBe('This is not offered here.')
    client[Symbol.dispose]()
  })
})
