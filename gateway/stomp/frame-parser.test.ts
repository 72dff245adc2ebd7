import { describe, expect, it } from 'vitest'
import { createChance, cutAtRandom } from './chance.ts'
import { ProtocolError, type StompVersion } from './frame.ts'
import { DEFAULT_FRAME_LIMITS, type FrameLimits, FrameParser } from './frame-parser.ts'

interface PlainFrame {
  command: string
  headers: Record<string, string>
  body: string
}

function parseChunks(
  chunks: readonly Buffer[],
  version: StompVersion = '1.2',
  limits?: Partial<FrameLimits>,
) {
  const parser = new FrameParser({ ...DEFAULT_FRAME_LIMITS, ...limits })
  parser.version = version
  const frames: PlainFrame[] = []
  for (const chunk of chunks)
    parser.feed(chunk, ({ command, headers, body }) => {
      frames.push({ command, headers: Object.fromEntries(headers), body: body.toString('latin1') })
      return true
    })
  return frames
}

const parseText = (text: string, version?: StompVersion, limits?: Partial<FrameLimits>) =>
  parseChunks([Buffer.from(text)], version, limits)

describe('the frame parser', () => {
  it('reads command, headers and body', () => {
    expect(parseText('SEND\ndestination:/app/log\nx:a:b\n\n{}\0')).toEqual([
      { command: 'SEND', headers: { destination: '/app/log', x: 'a:b' }, body: '{}' },
    ])
  })

  it('reads lines that end with CR LF, and skips line ends between frames', () => {
    expect(parseText('\n\r\nSEND\r\na:b\r\n\r\nx\0\n\n\r\nSEND\n\n\0\n')).toEqual([
      { command: 'SEND', headers: { a: 'b' }, body: 'x' },
      { command: 'SEND', headers: {}, body: '' },
    ])
  })

  it('keeps NULs and line ends in a body whose length is given', () => {
    expect(parseText('SEND\ncontent-length:4\n\na\0\0\n\0')[0]?.body).toBe('a\0\0\n')
  })

  it('lets the first of a repeated header count', () => {
    expect(parseText('SEND\na:1\na:2\n\n\0')[0]?.headers).toEqual({ a: '1' })
  })

  it('unescapes by version, trims in 1.0, and leaves CONNECT and STOMP raw', () => {
    const text = 'SEND\na\\c: b\\n\n\n\0CONNECT\na:\\q\n\n\0STOMP\na:\\c\n\n\0'
    expect(parseText(text).map(frame => frame.headers)).toEqual([
      { 'a:': ' b\n' },
      { a: '\\q' },
      { a: '\\c' },
    ])
    expect(parseText('SEND\na: b\\n\n\n\0', '1.0')[0]?.headers).toEqual({ a: 'b\\n' })
  })

  it.each([
    ['a header without a colon', 'SEND\nabc\n\n\0'],
    ['a header without a name', 'SEND\n:abc\n\n\0'],
    ['a command in small letters', 'send\n\n\0'],
    ['a NUL where a command should be', '\0SEND\n\n\0'],
    ['bytes that never become a line', `${'A'.repeat(33)}`],
    ['an undefined escape', 'SEND\na:\\t\n\n\0'],
    ['a content-length that is no number', 'SEND\ncontent-length:-1\n\n\0'],
    ['a body longer than its content-length', 'SEND\ncontent-length:1\n\nab\0'],
  ])('refuses %s', (_, text) => {
    expect(() => parseText(text)).toThrow(ProtocolError)
  })

  it('refuses more headers and longer headers than the limits, as soon as they are passed', () => {
    const headers = (count: number) => `SEND\n${'a:b\n'.repeat(count)}`
    expect(parseText(`${headers(64)}\n\0`)).toHaveLength(1)
    expect(() => parseText(headers(65))).toThrow(/more than 64 headers/)
    expect(() => parseText(`SEND\na:${'b'.repeat(17_000)}`)).toThrow(/longer than 16384 bytes/)
  })

  it('takes a frame of exactly the limit and refuses one byte more, its end seen or not', () => {
    const limits = { maxFrameBytes: 100 }
    const head = 'SEND\n\n'
    expect(parseText(`${head}${'x'.repeat(93)}\0`, '1.2', limits)).toHaveLength(1)
    expect(() => parseText(`${head}${'x'.repeat(94)}\0`, '1.2', limits)).toThrow(/longer than 100 bytes/)
    expect(() => parseText(`${head}${'x'.repeat(94)}`, '1.2', limits)).toThrow(/longer than 100 bytes/)
    expect(() => parseText('SEND\ncontent-length:100\n\n', '1.2', limits)).toThrow(/longer than 100 bytes/)
  })

  it('stops at an endless frame without keeping more than the limit', () => {
    const parser = new FrameParser()
    const chunk = Buffer.alloc(1000, 'x')
    parser.feed(Buffer.from('SEND\n\n'), () => true)
    let taken = 0
    expect(() => {
      for (;;) {
        parser.feed(chunk, () => true)
        taken += chunk.length
      }
    }).toThrow(ProtocolError)
    expect(taken).toBeLessThanOrEqual(DEFAULT_FRAME_LIMITS.maxFrameBytes)
  })

  it('stops when it is told to', () => {
    const parser = new FrameParser()
    let frames = 0
    parser.feed(Buffer.from('SEND\n\n\0SEND\n\n\0'), () => {
      frames++
      return false
    })
    expect(frames).toBe(1)
  })

  it('gives the same frames however the bytes are cut', () => {
    const chance = createChance(7)
    const stream = Buffer.concat(
      Array.from({ length: 60 }, (_, i) => {
        const body = Buffer.from(
          Array.from({ length: chance(300) }, () => (i % 2 ? chance(256) : 1 + chance(255))),
        )
        const length = i % 2 ? `content-length:${body.length}\r\n` : ''
        const head = `SEND\r\ndestination:/app/ü${i}\n${length}n:\\c\\n\n\n`
        return Buffer.concat([Buffer.from(head), body, Buffer.from(['\0', '\0\n', '\0\r\n\n'][i % 3] ?? '')])
      }),
    )
    const whole = parseChunks([stream])
    expect(whole).toHaveLength(60)
    expect(parseChunks(cutAtRandom(stream, chance, 1))).toEqual(whole)
    for (let round = 0; round < 200; round++)
      expect(parseChunks(cutAtRandom(stream, chance, 1 + chance(400)))).toEqual(whole)
  })

  it('never throws anything but ProtocolError at random bytes', () => {
    const chance = createChance(11)
    const alphabet = ['SEND', '\n', '\n\n', '\r\n', ':', '\0', '\\', 'content-length', '3', 'é', '\xff']
    for (let round = 0; round < 3000; round++) {
      const bytes =
        round % 2
          ? Buffer.from(Array.from({ length: chance(80) }, () => alphabet[chance(alphabet.length)]).join(''))
          : Buffer.from(Array.from({ length: chance(80) }, () => chance(256)))
      try {
        parseChunks(cutAtRandom(bytes, chance, 20))
      } catch (error) {
        expect(error).toBeInstanceOf(ProtocolError)
      }
    }
  })
})
