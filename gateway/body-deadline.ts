import type { IncomingMessage, ServerResponse } from 'node:http'

/** Closes the connection of a request whose body is not there within `deadlineMs`, with 408 unless it has an answer. */
export function boundBody(request: IncomingMessage, response: ServerResponse, deadlineMs: number): void {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers
  if (length === '0' && encoding === undefined) return
  const timer = setTimeout(() => {
    const { socket } = request
    if (!response.headersSent) socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n')
    socket.destroySoon()
  }, deadlineMs)
  const stop = () => clearTimeout(timer)
  request.once('end', stop).once('close', stop)
}
