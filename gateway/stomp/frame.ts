import { AppError, type ErrorCode } from '../../subgraphs/shared/errors.ts'

/** Versions of STOMP that the door speaks, newest first. */
export const STOMP_VERSIONS = ['1.2', '1.1', '1.0'] as const

/** A version of STOMP. */
export type StompVersion = (typeof STOMP_VERSIONS)[number]

/** A frame as a client sent it. `body` is a view of the parser's buffer and holds only until the parser goes on. */
export interface StompFrame {
  readonly command: string
  /** Unescaped; of a repeated header the first counts (STOMP 1.2, "Repeated Header Entries"). */
  readonly headers: ReadonlyMap<string, string>
  /** Values with their escapes, where they had any. */
  readonly escaped?: ReadonlyMap<string, string>
  readonly body: Buffer
}

/**
 * A header's value as the client wrote it, to be echoed as it is: some clients neither escape nor unescape where
 * their version asks for it (stompjs in 1.1), and know their own words only so.
 */
export function asWritten(frame: StompFrame, name: string): string | undefined {
  return frame.escaped?.get(name) ?? frame.headers.get(name)
}

/** A client broke the protocol: it gets ERROR with this message, and its session ends. */
export class ProtocolError extends AppError {
  /** Headers that the ERROR frame carries besides `message`. */
  readonly headers: Readonly<Record<string, string>>

  constructor(message: string, code: ErrorCode = 'BAD_USER_INPUT', headers: Record<string, string> = {}) {
    super(code, message)
    this.headers = headers
  }
}

/**
 * Undoes the escapes of a header name or value (1.2: `\n \r \c \\`; 1.1: the same without `\r`; 1.0: none).
 * Throws ProtocolError at an escape that the version does not define.
 */
export function unescapeHeader(text: string, version: StompVersion): string {
  if (version === '1.0' || !text.includes('\\')) return text
  return text.replace(/\\([\s\S]?)/g, (written, letter: string) => {
    if (letter === 'n') return '\n'
    if (letter === 'c') return ':'
    if (letter === '\\') return '\\'
    if (letter === 'r' && version === '1.2') return '\r'
    throw new ProtocolError(`A header has the undefined escape ${JSON.stringify(written)}.`)
  })
}

/** Escapes a header name or value for a version; in 1.0, which cannot say a line end, it becomes a space. */
export function escapeHeader(text: string, version: StompVersion): string {
  if (!/[\\:\n\r]/.test(text)) return text
  if (version === '1.0') return text.replace(/[\n\r]/g, ' ')
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll(':', '\\c')
  return version === '1.2' ? escaped.replaceAll('\r', '\\r') : escaped
}

/**
 * Serializes a frame for a client of `version`: header values escaped (but for CONNECTED, as the spec says), and
 * `content-length` in bytes when there is a body. Headers that are undefined are left out; those in `echoed` are
 * as a client wrote them and not escaped again.
 */
export function serializeFrame(
  command: 'CONNECTED' | 'MESSAGE' | 'RECEIPT' | 'ERROR',
  headers: Readonly<Record<string, string | undefined>>,
  body: string,
  version: StompVersion,
  echoed: Readonly<Record<string, string | undefined>> = {},
): string {
  let text = `${command}\n`
  const escapeVersion = command === 'CONNECTED' ? '1.0' : version
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) text += `${name}:${escapeHeader(value, escapeVersion)}\n`
  }
  for (const name in echoed) if (echoed[name] !== undefined) text += `${name}:${echoed[name]}\n`
  if (body !== '') text += `content-length:${Buffer.byteLength(body)}\n`
  return `${text}\n${body}\0`
}
