import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * The head of an HTTP request as bytes once more (RFC 9112 §2.1), latin1, for another process to parse, followed by
 * `rest`: what had been read of the connection behind the head.
 */
export function serializeRequestHead(request: IncomingMessage, rest: Buffer): string {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`]
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    lines.push(`${request.rawHeaders[i]}: ${request.rawHeaders[i + 1]}`)
  }
  return `${lines.join('\r\n')}\r\n\r\n${rest.toString('latin1')}`
}

/**
 * Stops reading a connection that is about to be passed on. Until the next process confirms that it has the handle,
 * Node would go on reading here and drop what comes; there is no public way to ask it not to.
 */
export function stopReading(socket: Socket): void {
  const { _handle: handle } = socket as Socket & { _handle?: { readStop?: () => void } | null }
  handle?.readStop?.()
}

/** Gives a connection that another process has accepted to an HTTP server, as if it had just come in with `head`. */
export function injectSocket(server: Server, head: string, socket: Socket): void {
  socket.unshift(Buffer.from(head, 'latin1'))
  server.emit('connection', socket)
  // The parser reads what was unshifted only once the stream flows again.
  process.nextTick(() => socket.resume())
}
