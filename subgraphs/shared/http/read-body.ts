import type { IncomingMessage } from 'node:http'
import { AppError } from '../errors.ts'

/**
 * Reads a whole body of at most `maxBytes`.
 *
 * Rejects with PAYLOAD_TOO_LARGE as soon as it is known to be larger (from then on the rest is discarded), with
 * BAD_USER_INPUT when the sender breaks off, and with the signal's reason when it aborts.
 */
export function readBody(message: IncomingMessage, maxBytes: number, signal?: AbortSignal): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let size = 0

  const onAbort = () => fail(signal?.reason)
  function fail(error: unknown): void {
    chunks.length = 0
    message.off('data', onData).resume()
    reject(error)
  }
  function onData(chunk: Buffer): void {
    size += chunk.length
    if (size > maxBytes) fail(tooLarge(maxBytes))
    else chunks.push(chunk)
  }

  if (Number(message.headers['content-length']) > maxBytes) {
    message.resume()
    return Promise.reject(tooLarge(maxBytes))
  }
  if (signal?.aborted) return Promise.reject(signal.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  message
    .on('data', onData)
    .once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size)))
    .once('error', cause => fail(new AppError('BAD_USER_INPUT', 'The body broke off.', { cause })))
    .once('close', () => {
      if (!message.readableEnded) reject(new AppError('BAD_USER_INPUT', 'The body broke off.'))
    })
  return promise.finally(() => signal?.removeEventListener('abort', onAbort))
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes.`)
}
