import { randomUUID } from 'node:crypto'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { INTERNAL_HEADER, sealInternalCredential } from './auth/internal-credential.ts'
import { withDeadline } from './deadline.ts'
import { AppError, ERROR_CODES, type ErrorCode } from './errors.ts'
import { readBody } from './http/read-body.ts'
import type { Closable } from './lifecycle.ts'
import type { Logger } from './logger.ts'
import { MEDIA_BEAT_MS, MEDIA_CALLS, MEDIA_PATH, type MediaCall } from './media-calls.ts'
import type { MediaEvent, MediaPort } from './media-port.ts'

const CALL_DEADLINE_MS = 10_000
const MAX_ANSWER_BYTES = 4_194_304

/** A stream on which nothing comes for so long is lost. */
const SILENCE_MS = 3 * MEDIA_BEAT_MS

const FIRST_RETRY_MS = 100
const LAST_RETRY_MS = 5_000

/**
 * Creates media's port of a media role elsewhere, at `url`. Calls throw UNAVAILABLE when it cannot be reached. A listener
 * gets a Snapshot when the stream begins and each time it begins again, as soon as media can be reached. Disposing ends
 * all streams.
 */
export function createMediaClient({
  url,
  secret,
  logger,
}: {
  url: string
  secret: string
  logger: Logger
}): MediaPort & Closable {
  const { protocol, hostname, port } = new URL(url)
  const send = protocol === 'https:' ? httpsRequest : httpRequest
  const closing = new AbortController()

  function ask(method: string, name: string, body: string, signal: AbortSignal): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const requestId = randomUUID()
    const request = send({
      method,
      // An IPv6 address stands in brackets in URLs alone.
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? undefined : Number(port),
      path: `${MEDIA_PATH}${name}`,
      // A connection each: on a kept one that has just been closed a call is lost, and not every call can be repeated.
      agent: false,
      signal,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'x-request-id': requestId,
        [INTERNAL_HEADER]: sealInternalCredential(secret, { viewer: null, requestId }),
      },
    })
    request.once('response', resolve)
    request.on('error', reject)
    request.end(body)
    return promise
  }

  async function call(name: MediaCall, input: unknown): Promise<unknown> {
    const answer = await withDeadline('Media', CALL_DEADLINE_MS, async signal => {
      const response = await ask('POST', name, JSON.stringify(input), signal)
      return JSON.parse((await readBody(response, MAX_ANSWER_BYTES, signal)).toString())
    }).catch(cause => {
      throw new AppError('UNAVAILABLE', 'Live video cannot be reached now. Try again.', { cause })
    })
    if (answer.error === undefined) return answer.value
    const { code, message } = answer.error
    const known = Object.hasOwn(ERROR_CODES, code) && code !== 'UNAUTHENTICATED'
    throw new AppError(known ? (code as ErrorCode) : 'INTERNAL_SERVER_ERROR', message)
  }

  async function follow(listener: (event: MediaEvent) => void, signal: AbortSignal): Promise<void> {
    for (let retryMs = FIRST_RETRY_MS; !signal.aborted; retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)) {
      try {
        const response = await ask('GET', 'events', '', signal)
        if (response.statusCode !== 200) throw new Error(`Expected status 200, got ${response.statusCode}`)
        response.setTimeout(SILENCE_MS, () => response.destroy(new Error('Nothing comes any more')))
        for await (const line of createInterface({ input: response, signal })) {
          if (line === '' || signal.aborted) continue
          retryMs = FIRST_RETRY_MS
          listener(JSON.parse(line))
        }
      } catch (error) {
        if (!signal.aborted) logger.warn({ err: error }, 'media.events_lost')
      }
      await sleep(retryMs, undefined, { signal }).catch(() => {})
    }
  }

  const calls = Object.fromEntries(MEDIA_CALLS.map(name => [name, (input: unknown) => call(name, input)]))
  return {
    ...(calls as unknown as Omit<MediaPort, 'listen'>),
    listen(listener) {
      const stop = new AbortController()
      void follow(listener, AbortSignal.any([stop.signal, closing.signal]))
      return () => stop.abort()
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
    },
  }
}
