import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { createWebhookSender } from './webhook-sender.ts'

/** A server of webhooks on loopback, which keeps what it gets. */
async function startReceiver(answer: RequestListener) {
  const received: { headers: IncomingHttpHeaders; body: string }[] = []
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) })
    answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const sender = createWebhookSender({ allowPrivate: true, deadlineMs: 500 })
const message = { id: 'msg-1', secret: 'a secret of theirs', body: { type: 'anomaly', text: '온도 ≥ 90' } }

describe('the sender of webhooks', () => {
  it.each([
    ['text', message.secret, message.secret],
    [
      'base64',
      `whsec_${Buffer.from('0123456789abcdef01234567').toString('base64')}`,
      '0123456789abcdef01234567',
    ],
  ])('posts JSON with a signature by a secret of %s', async (_, secret, key) => {
    await using receiver = await startReceiver((_, response) => response.writeHead(204).end())
    expect(await sender.send({ ...message, secret, url: receiver.url })).toEqual({ kind: 'delivered' })
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received
    expect(JSON.parse(body)).toEqual(message.body)
    const signed = `msg-1.${headers['webhook-timestamp']}.${body}`
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': 'msg-1',
      'webhook-signature': `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
    })
    expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(5)
  })

  it('sends no signature without a secret', async () => {
    await using receiver = await startReceiver((_, response) => response.end())
    await sender.send({ ...message, secret: null, url: receiver.url })
    expect(receiver.received[0]?.headers).not.toHaveProperty('webhook-signature')
  })

  it.each([
    [500, {}, { kind: 'failed', reason: 'The webhook answered 500' }],
    [
      429,
      { 'retry-after': '7' },
      { kind: 'failed', reason: 'The webhook answered 429', retryAfterMs: 7_000 },
    ],
    [
      503,
      { 'retry-after': '999999' },
      { kind: 'failed', reason: 'The webhook answered 503', retryAfterMs: 3_600_000 },
    ],
    [503, { 'retry-after': 'soon' }, { kind: 'failed', reason: 'The webhook answered 503' }],
    [404, {}, { kind: 'refused', reason: 'The webhook answered 404' }],
    [410, {}, { kind: 'refused', reason: 'The webhook answered 410' }],
  ])('takes %i %o for what it is', async (status, headers, outcome) => {
    await using receiver = await startReceiver((_, response) => response.writeHead(status, headers).end())
    expect(await sender.send({ ...message, url: receiver.url })).toEqual(outcome)
  })

  it('follows no redirect', async () => {
    await using target = await startReceiver((_, response) => response.end())
    await using receiver = await startReceiver((_, response) =>
      response.writeHead(307, { location: target.url }).end(),
    )
    expect(await sender.send({ ...message, url: receiver.url })).toMatchObject({ kind: 'refused' })
    expect(target.received).toEqual([])
  })

  it('asks no private address unless it may', async () => {
    await using receiver = await startReceiver((_, response) => response.end())
    const strict = createWebhookSender({ allowPrivate: false })
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:7f00:1]']) {
      const url = receiver.url.replace('127.0.0.1', host)
      expect(await strict.send({ ...message, url })).toMatchObject({ kind: 'refused' })
    }
    expect(receiver.received).toEqual([])
  })

  it('looks a name up once, and refuses one that leads to a private address too or by now', async () => {
    await using receiver = await startReceiver((_, response) => response.end())
    const url = receiver.url.replace('127.0.0.1', 'hooks.example.com')
    const asked: string[] = []
    const answers = ['127.0.0.1', '192.0.2.1']
    const trusting = createWebhookSender({
      allowPrivate: true,
      async lookUp(host) {
        asked.push(host)
        return [{ address: answers[asked.length - 1] ?? '', family: 4 }]
      },
    })
    expect(await trusting.send({ ...message, url })).toEqual({ kind: 'delivered' })
    expect(asked).toEqual(['hooks.example.com'])
    expect(receiver.received[0]?.headers.host).toContain('hooks.example.com')
    for (const addresses of [
      ['127.0.0.1'],
      ['93.184.215.14', '127.0.0.1'],
      ['::ffff:127.0.0.1'],
      ['169.254.169.254'],
    ]) {
      const strict = createWebhookSender({
        allowPrivate: false,
        lookUp: async () => addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 })),
      })
      expect(await strict.send({ ...message, url })).toMatchObject({ kind: 'refused' })
    }
    expect(receiver.received).toHaveLength(1)
  })

  it('gives up on who does not answer, and reads no endless answer', async () => {
    await using silent = await startReceiver(() => {})
    expect(await sender.send({ ...message, url: silent.url })).toEqual({
      kind: 'failed',
      reason: 'The webhook took longer than 500 ms.',
    })
    await using endless = await startReceiver((_, response) => void response.writeHead(200).write('a'))
    expect(await sender.send({ ...message, url: endless.url })).toEqual({ kind: 'delivered' })
  })

  it('tells a refused connection and a name without an address as failures', async () => {
    const closed = await startReceiver(() => {})
    await closed[Symbol.asyncDispose]()
    expect(await sender.send({ ...message, url: closed.url })).toMatchObject({ kind: 'failed' })
    expect(await sender.send({ ...message, url: 'http://nowhere.invalid/' })).toMatchObject({
      kind: 'failed',
    })
  })
})
