import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type DoorFixture, startDoor } from './door-fixture.ts'

let door: DoorFixture
let sessions = 0

beforeAll(async () => {
  door = await startDoor()
})
afterAll(() => door[Symbol.asyncDispose]())

const nextSession = () => `${door.url}/000/session${++sessions}`
const post = (url: string, body = '') => fetch(url, { method: 'POST', body })
const poll = async (session: string) => (await post(`${session}/xhr`)).text()

function connectFrame() {
  const { deviceId, credential } = door.addDevice()
  return `CONNECT\naccept-version:1.2\nlogin:${deviceId}\npasscode:${credential}\n\n\0`
}

/** Opens a stream and answers a function that waits for the next chunk that holds `text`. */
async function openStream(url: string, method: string) {
  const abort = new AbortController()
  const response = await fetch(url, { method, signal: abort.signal })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let seen = ''
  return {
    response,
    abort: () => abort.abort(),
    async until(text: string): Promise<string> {
      while (!seen.includes(text)) {
        const { value, done } = (await reader?.read()) ?? { value: undefined, done: true }
        if (done) break
        seen += value
      }
      return seen
    },
  }
}

describe('the base of SockJS', () => {
  it.each(['', '/'])('greets at /stomp%s', async end => {
    const response = await fetch(`${door.url}${end}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/plain; charset=UTF-8')
    expect(await response.text()).toBe('Welcome to SockJS!\n')
  })

  it('says what there is at /info, to pages of any origin, with new entropy each time', async () => {
    const ask = () => fetch(`${door.url}/info`, { headers: { origin: 'http://a.example' } })
    const response = await ask()
    expect(response.headers.get('access-control-allow-origin')).toBe('http://a.example')
    expect(response.headers.get('access-control-allow-credentials')).toBe('true')
    expect(response.headers.get('cache-control')).toMatch(/no-store/)
    const info = Object(await response.json())
    expect(info).toMatchObject({ websocket: true, cookie_needed: false, origins: ['*:*'] })
    expect(Object(await (await ask()).json()).entropy).not.toBe(info.entropy)
  })

  it('answers preflight requests', async () => {
    const response = await fetch(`${nextSession()}/xhr`, {
      method: 'OPTIONS',
      headers: { origin: 'http://a.example', 'access-control-request-headers': 'x-a' },
    })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-methods')).toBe('OPTIONS, POST')
    expect(response.headers.get('access-control-allow-headers')).toBe('x-a')
    expect(response.headers.get('access-control-max-age')).toBe('31536000')
  })

  it.each([
    '/a',
    '/a/b',
    '/a/b/c',
    '/a.a/b/xhr',
    '/a/b.b/xhr',
    '//b/xhr',
    '/a//xhr',
    '/a/b/xhr/',
    '/xhr',
    '/a/b/info',
    '/a/b/jsonp',
    '/a/b/toString',
    '/iframe.html',
    '/../stomp/info/x',
  ])('has nothing at %s', async path => {
    expect((await post(`${door.url}${path}`)).status).toBe(404)
  })

  it('refuses other methods', async () => {
    const response = await fetch(`${nextSession()}/xhr`)
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'OPTIONS, POST'])
  })

  it('refuses origins that are not allowed', async () => {
    await using strict = await startDoor({ isOriginAllowed: origin => origin === 'http://good.example' })
    const ask = (origin: string) => fetch(`${strict.url}/info`, { headers: { origin } })
    expect((await ask('http://good.example')).status).toBe(200)
    expect((await ask('http://bad.example')).status).toBe(403)
    const status = await new Promise(resolve => {
      new WebSocket(strict.wsUrl, { origin: 'http://bad.example' }).on(
        'unexpected-response',
        (_, { statusCode }) => resolve(statusCode),
      )
    })
    expect(status).toBe(403)
  })
})

describe('a session over HTTP', () => {
  it('opens with the first poll, takes messages by xhr_send, and gives frames by the next poll', async () => {
    const session = nextSession()
    expect(await poll(session)).toBe('o\n')
    const sent = await post(`${session}/xhr_send`, JSON.stringify([connectFrame()]))
    expect([sent.status, await sent.text()]).toEqual([204, ''])
    expect(await poll(session)).toMatch(/^a\["CONNECTED\\nversion:1.2.*\\u0000"\]\n$/)
  })

  it('sends a second receiver away', async () => {
    const session = nextSession()
    await poll(session)
    const waiting = poll(session)
    await expect.poll(async () => poll(session)).toBe('c[2010,"Another connection still open"]\n')
    await post(`${session}/xhr_send`, JSON.stringify(['SHOUT\n\n\0']))
    expect(await waiting).toMatch(/^a\["ERROR/)
  })

  it('tells the polls that come after its end why it ended', async () => {
    const session = nextSession()
    await poll(session)
    await post(`${session}/xhr_send`, JSON.stringify(['SHOUT\n\n\0']))
    expect(await poll(session)).toMatch(/^a\["ERROR/)
    expect(await poll(session)).toBe('c[4400,"Bad frame"]\n')
    expect(await poll(session)).toBe('c[4400,"Bad frame"]\n')
    expect((await post(`${session}/xhr_send`, '["x"]')).status).toBe(404)
  })

  it('is over when the client goes away in the middle of a stream, and its device offline', async () => {
    const session = nextSession()
    const stream = await openStream(`${session}/xhr_streaming`, 'POST')
    await stream.until('o\n')
    const before = door.notes.length
    await post(`${session}/xhr_send`, JSON.stringify([connectFrame()]))
    await stream.until('CONNECTED')
    stream.abort()
    await door.until(() => door.notes.length === before + 2)
    expect(door.notes.at(-1)?.kind).toBe('disconnect')
    expect(await poll(session)).toBe('c[1002,"Connection interrupted"]\n')
  })

  it('is over when no receiver comes for 5 s', async () => {
    const session = nextSession()
    await poll(session)
    const before = door.notes.length
    await post(`${session}/xhr_send`, JSON.stringify([connectFrame()]))
    await door.until(() => door.notes.length === before + 2)
    expect(door.notes.at(-1)?.kind).toBe('disconnect')
  })

  it.each([
    ['an empty body', '', 500, 'Payload expected.'],
    ['no JSON', '["x', 500, 'Broken JSON encoding.'],
    ['JSON of another shape', '{"a":1}', 500, 'Broken JSON encoding.'],
    ['an array of other things', '[1]', 500, 'Broken JSON encoding.'],
    [
      'too long a body',
      JSON.stringify(['x'.repeat(4_200_000)]),
      413,
      'The body is longer than 4194304 bytes.',
    ],
  ])('answers %s', async (_, body, status, text) => {
    const session = nextSession()
    await poll(session)
    const response = await post(`${session}/xhr_send`, body)
    expect([response.status, await response.text()]).toEqual([status, text])
  })

  it('bounds a body whose length is not given', async () => {
    const session = nextSession()
    await poll(session)
    const status = await new Promise(resolve => {
      const sending = request(`${session}/xhr_send`, { method: 'POST' }, response =>
        resolve(response.statusCode),
      )
      sending.on('error', () => {})
      const chunk = Buffer.alloc(500_000, 'x')
      for (let i = 0; i < 9; i++) sending.write(chunk)
    })
    expect(status).toBe(413)
  })

  it('is unknown to xhr_send before its first receiver', async () => {
    expect((await post(`${nextSession()}/xhr_send`, '["x"]')).status).toBe(404)
  })

  it('keeps messages waiting while the door does not read', async () => {
    await using paused = await startDoor()
    const session = `${paused.url}/000/abc`
    await poll(session)
    paused.setPressure(true)
    const sending = post(`${session}/xhr_send`, JSON.stringify(['SHOUT\n\n\0']))
    await expect.poll(async () => (await post(`${session}/xhr_send`, '["x"]')).status).toBe(503)
    paused.setPressure(false)
    expect((await sending).status).toBe(204)
    expect(await poll(session)).toMatch(/^a\["ERROR/)
  })
})

describe('streams', () => {
  it('of xhr_streaming begin with 2 KiB and end when they are long enough', async () => {
    const session = nextSession()
    const stream = await openStream(`${session}/xhr_streaming`, 'POST')
    expect(await stream.until('o\n')).toBe(`${'h'.repeat(2048)}\no\n`)
    await post(`${session}/xhr_send`, JSON.stringify([connectFrame()]))
    await stream.until('CONNECTED')
    const { deviceId } = door.notes.flatMap(note => (note.kind === 'connect' ? [note] : [])).at(-1) ?? {}
    const subscribe = 'SUBSCRIBE\nid:1\ndestination:/user/queue/commands\nreceipt:r\n\n\0'
    await post(`${session}/xhr_send`, JSON.stringify([subscribe]))
    await stream.until('RECEIPT')
    door.sendTo(String(deviceId), '/user/queue/commands', { text: 'x'.repeat(140_000) })
    expect((await stream.until('never')).length).toBeGreaterThan(140_000)
    const next = await openStream(`${session}/xhr_streaming`, 'POST')
    door.sendTo(String(deviceId), '/user/queue/commands', { text: 'after' })
    expect(await next.until('after')).not.toContain('o\n')
    next.abort()
  })

  it('end with the reason when the door closes', async () => {
    await using closing = await startDoor()
    const stream = await openStream(`${closing.url}/000/abc/xhr_streaming`, 'POST')
    await stream.until('o\n')
    await closing.door[Symbol.asyncDispose]()
    expect(await stream.until('never')).toMatch(/c\[1001,"The door is closing"\]\n$/)
    expect((await post(`${closing.url}/000/other/xhr`)).status).toBe(503)
  })

  it('of eventsource are events with escaped percent signs', async () => {
    const session = nextSession()
    const stream = await openStream(`${session}/eventsource`, 'GET')
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=UTF-8')
    expect(await stream.until('o\r\n')).toBe('\r\ndata: o\r\n\r\n')
    await post(`${session}/xhr_send`, JSON.stringify(['SEND\ndestination:%\n\n\0']))
    expect(await stream.until('ERROR')).toContain('data: a["ERROR')
    stream.abort()
  })

  it('of htmlfile call a callback whose name is safe', async () => {
    const session = nextSession()
    const stream = await openStream(`${session}/htmlfile?c=_jp.abc`, 'GET')
    const page = await stream.until('</script>\r\n')
    expect(page).toContain('var c = parent._jp.abc;')
    expect(page).toContain('<script>\np("o");\n</script>\r\n')
    stream.abort()
    for (const query of ['', '?c=a(b)', '?c=%3Cscript%3E'])
      expect((await fetch(`${nextSession()}/htmlfile${query}`)).status).toBe(500)
  })
})

describe('a SockJS WebSocket', () => {
  async function open() {
    const socket = new WebSocket(`${nextSession().replace('http', 'ws')}/websocket`)
    const messages: string[] = []
    socket.on('message', data => messages.push(data.toString()))
    const closed = new Promise<number>(resolve => socket.on('close', resolve))
    await expect.poll(() => messages).toEqual(['o'])
    return { socket, messages, closed }
  }

  it('takes a string or an array of strings, and nothing of an empty message', async () => {
    const { socket, messages, closed } = await open()
    const frame = connectFrame()
    socket.send('')
    socket.send(JSON.stringify(frame.slice(0, 10)))
    socket.send(JSON.stringify([frame.slice(10), 'DISCONNECT\nreceipt:1\n\n\0']))
    await closed
    expect(messages[1]).toMatch(/^a\["CONNECTED/)
    expect(messages.at(-1)).toBe('c[1000,"DISCONNECT"]')
  })

  it('is closed at broken JSON', async () => {
    const { socket, closed } = await open()
    socket.send('["x')
    expect(await closed).toBe(1007)
  })
})
