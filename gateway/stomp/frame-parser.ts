import { ProtocolError, type StompFrame, type StompVersion, unescapeHeader } from './frame.ts'

const LF = 10
const CR = 13
const EMPTY = Buffer.alloc(0)
const MAX_COMMAND_BYTES = 32

interface Head extends Omit<StompFrame, 'body'> {
  /** Offset of the body from the frame's first byte. */
  readonly bodyStart: number
  /** Of the body, in bytes; -1 when it ends at the first NUL. */
  readonly length: number
}

/** What a frame may measure. */
export interface FrameLimits {
  /** Whole frame with its closing NUL. Default 64 KiB. */
  readonly maxFrameBytes: number
  /** Command and headers together. Default 16 KiB. */
  readonly maxHeaderBytes: number
  /** Default 64. */
  readonly maxHeaders: number
}

/** Limits unless configured otherwise. */
export const DEFAULT_FRAME_LIMITS: FrameLimits = {
  maxFrameBytes: 64 * 1024,
  maxHeaderBytes: 16 * 1024,
  maxHeaders: 64,
}

/**
 * Turns bytes into frames, however they are cut: a chunk may hold a part of a frame, several, or only the line ends
 * of heart-beats (STOMP 1.2, "Augmented BNF"). One pass: a partial frame is kept with the place where the search
 * for its end goes on, and is never longer than the limit.
 */
export class FrameParser {
  /** Version whose escapes apply; CONNECT and STOMP frames are never unescaped. */
  version: StompVersion = '1.2'
  readonly #limits: FrameLimits
  /** Bytes of a frame that is not whole yet: `#held[0..#heldBytes]`. */
  #held = EMPTY
  #heldBytes = 0
  /** Where the current line begins, from the frame's first byte. */
  #lineStart = 0
  /** From where a line end, or the body's NUL, is still to be looked for. */
  #searched = 0
  #lines = 0
  #head: Head | undefined

  constructor(limits: FrameLimits = DEFAULT_FRAME_LIMITS) {
    this.#limits = limits
  }

  /**
   * Takes the next bytes and calls `onFrame` for each frame that they complete, until it answers false. Throws
   * ProtocolError at bytes that are no frame and as soon as a limit is passed; the parser is of no use afterwards.
   */
  feed(chunk: Buffer, onFrame: (frame: StompFrame) => boolean): void {
    const hasHeld = this.#heldBytes > 0
    const bytes = hasHeld ? this.#hold(chunk) : chunk
    let start = 0
    while (start < bytes.length) {
      if (this.#lineStart === 0 && this.#searched === 0) {
        start = skipLineEnds(bytes, start)
        if (start === bytes.length) break
        if (bytes[start] === CR && start + 1 === bytes.length) break
      }
      const end = this.#frameEnd(bytes, start)
      if (end < 0) {
        if (bytes.length - start >= this.#limits.maxFrameBytes) throw this.#tooLarge()
        break
      }
      const head = this.#head
      if (head === undefined)
        throw new TypeError('Expected the head of a frame whose end was found, got none')
      if (end - start >= this.#limits.maxFrameBytes) throw this.#tooLarge()
      const body = bytes.subarray(start + head.bodyStart, end)
      this.#forget()
      start = end + 1
      if (!onFrame({ command: head.command, headers: head.headers, escaped: head.escaped, body })) return
    }
    this.#keep(bytes, start, hasHeld)
  }

  /** Index of the NUL that ends the frame at `start`; -1 when it has not arrived. */
  #frameEnd(bytes: Buffer, start: number): number {
    if (this.#head === undefined && !this.#readHead(bytes, start)) return -1
    const head = this.#head
    if (head === undefined) return -1
    if (head.length < 0) {
      const end = bytes.indexOf(0, start + this.#searched)
      this.#searched = bytes.length - start
      return end
    }
    const end = start + head.bodyStart + head.length
    if (end >= bytes.length) return -1
    if (bytes[end] !== 0) throw new ProtocolError('The body is longer than content-length says.')
    return end
  }

  /** Reads command and headers once their empty line has arrived. */
  #readHead(bytes: Buffer, start: number): boolean {
    const { maxHeaderBytes, maxHeaders } = this.#limits
    for (;;) {
      const lineEnd = bytes.indexOf(LF, start + this.#searched)
      const headBytes = (lineEnd < 0 ? bytes.length : lineEnd) - start
      if (headBytes > maxHeaderBytes)
        throw new ProtocolError(`The headers are longer than ${maxHeaderBytes} bytes.`, 'PAYLOAD_TOO_LARGE')
      if (this.#lines === 0 && headBytes > MAX_COMMAND_BYTES)
        throw new ProtocolError('This is no STOMP frame: its first line is no command.')
      if (lineEnd < 0) {
        this.#searched = headBytes
        return false
      }
      const lineStart = start + this.#lineStart
      const isEmpty = lineEnd === lineStart || (lineEnd === lineStart + 1 && bytes[lineStart] === CR)
      this.#lineStart = this.#searched = headBytes + 1
      if (isEmpty) {
        this.#head = this.#parseHead(bytes.toString('utf8', start, lineStart), headBytes + 1)
        return true
      }
      if (this.#lines++ > maxHeaders)
        throw new ProtocolError(`The frame has more than ${maxHeaders} headers.`, 'PAYLOAD_TOO_LARGE')
    }
  }

  #parseHead(text: string, bodyStart: number): Head {
    let lineEnd = text.indexOf('\n')
    const command = withoutCr(text.slice(0, lineEnd))
    if (!/^[A-Z]+$/.test(command))
      throw new ProtocolError('This is no STOMP frame: its first line is no command.')
    const isRaw = command === 'CONNECT' || command === 'STOMP'
    const headers = new Map<string, string>()
    let escaped: Map<string, string> | undefined
    for (let at = lineEnd + 1; at < text.length; at = lineEnd + 1) {
      lineEnd = text.indexOf('\n', at)
      const colon = text.indexOf(':', at)
      if (colon <= at || colon > lineEnd) throw new ProtocolError('A header has no name or no colon.')
      const name = isRaw ? text.slice(at, colon) : unescapeHeader(text.slice(at, colon), this.version)
      if (headers.has(name)) continue
      const written = withoutCr(text.slice(colon + 1, lineEnd))
      const value = isRaw ? written : unescapeHeader(written, this.version)
      headers.set(name, this.version === '1.0' && !isRaw ? value.trim() : value)
      if (value !== written) {
        escaped ??= new Map()
        escaped.set(name, written)
      }
    }
    return { command, headers, escaped, bodyStart, length: this.#contentLength(headers, bodyStart) }
  }

  /** Length of the body in bytes as announced; -1 when it ends at the first NUL. */
  #contentLength(headers: ReadonlyMap<string, string>, bodyStart: number): number {
    const text = headers.get('content-length')
    if (text === undefined) return -1
    if (!/^\s*\d+\s*$/.test(text)) throw new ProtocolError('content-length is no number of bytes.')
    const length = Number(text)
    if (bodyStart + length >= this.#limits.maxFrameBytes) throw this.#tooLarge()
    return length
  }

  /** Appends to what is held and answers all of it; the buffer doubles, so that many small chunks stay cheap. */
  #hold(chunk: Buffer): Buffer {
    const total = this.#heldBytes + chunk.length
    if (total > this.#held.length) {
      const grown = Buffer.allocUnsafe(Math.max(total, this.#held.length * 2))
      this.#held.copy(grown, 0, 0, this.#heldBytes)
      this.#held = grown
    }
    chunk.copy(this.#held, this.#heldBytes)
    this.#heldBytes = total
    return this.#held.subarray(0, total)
  }

  /** Holds the bytes from `start` on for the next chunk. */
  #keep(bytes: Buffer, start: number, isHeld: boolean): void {
    if (isHeld && start === 0) return
    const rest = bytes.length - start
    this.#held = rest === 0 ? EMPTY : Buffer.from(bytes.subarray(start))
    this.#heldBytes = rest
  }

  #forget(): void {
    this.#head = undefined
    this.#lineStart = this.#searched = this.#lines = 0
  }

  #tooLarge(): ProtocolError {
    return new ProtocolError(
      `The frame is longer than ${this.#limits.maxFrameBytes} bytes.`,
      'PAYLOAD_TOO_LARGE',
    )
  }
}

/** Index after the line ends (LF or CR LF) between two frames: heart-beats, and what follows a frame. */
function skipLineEnds(bytes: Buffer, start: number): number {
  let at = start
  while (bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] === LF)) at += bytes[at] === LF ? 1 : 2
  return at
}

function withoutCr(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
