import type { IncomingMessage, ServerResponse } from 'node:http'
import { withDeadline } from '../../subgraphs/shared/deadline.ts'
import { AppError } from '../../subgraphs/shared/errors.ts'
import { parseMessages } from './sockjs-frame.ts'
import type { SockJsHttpSession } from './sockjs-http-session.ts'
import type { SockJsLimits } from './sockjs-limits.ts'

const text = { 'content-type': 'text/plain; charset=UTF-8' }

/**
 * `POST …/xhr_send`: messages of a session over HTTP. 204 once they were taken; 404 without the session, 413 and 408
 * past the limits, 500 for what is no JSON (as the protocol has it). While the door does not read, the body is left
 * in the network: the answer comes later, and 503 to a second request that would wait too.
 */
export async function takeXhrSend(
  request: IncomingMessage,
  response: ServerResponse,
  session: SockJsHttpSession | undefined,
  limits: SockJsLimits,
): Promise<void> {
  const answer = (status: number, message: string) => {
    response.writeHead(status, text).end(message)
  }
  if (session === undefined || session.isClosed) answer(404, '')
  else if (!(await session.readable())) answer(503, 'Not reading now.')
  else {
    const body = await tryReadBody(request, limits)
    if (!Buffer.isBuffer(body)) {
      response.setHeader('connection', 'close')
      answer(body.code === 'PAYLOAD_TOO_LARGE' ? 413 : 408, body.message)
      return
    }
    const messages = parseMessages(body.toString('utf8'))
    if (body.length === 0) answer(500, 'Payload expected.')
    else if (messages === undefined) answer(500, 'Broken JSON encoding.')
    else {
      session.receive(messages)
      answer(204, '')
    }
  }
}

/** The body, or why it was not read; rejects when the client went away. */
async function tryReadBody(request: IncomingMessage, limits: SockJsLimits): Promise<Buffer | AppError> {
  try {
    return await withDeadline('The body', limits.bodyDeadlineMs, () => readBody(request, limits.maxBodyBytes))
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const tooLarge = () => new AppError('PAYLOAD_TOO_LARGE', `The body is longer than ${maxBytes} bytes.`)
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge()
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue
    length += chunk.length
    if (length > maxBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
