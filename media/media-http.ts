import type { IncomingMessage, ServerResponse } from 'node:http'
import { INTERNAL_HEADER, openInternalCredential } from '../subgraphs/shared/auth/internal-credential.ts'
import { AppError, ERROR_CODES, toAppError } from '../subgraphs/shared/errors.ts'
import type { HttpPath } from '../subgraphs/shared/http/http-handoff.ts'
import { readBody } from '../subgraphs/shared/http/read-body.ts'
import type { Closable } from '../subgraphs/shared/lifecycle.ts'
import type { Logger } from '../subgraphs/shared/logger.ts'
import { MEDIA_BEAT_MS, MEDIA_CALLS, MEDIA_PATH } from '../subgraphs/shared/media-calls.ts'
import type { MediaPort } from '../subgraphs/shared/media-port.ts'

/** RTP capabilities and parameters are a few KiB. */
const MAX_BODY_BYTES = 262_144

/** A follower that is so far behind is cut off, and begins anew with a Snapshot. */
const MAX_PENDING_BYTES = 4_194_304

/**
 * Answers media's port to other roles of the site: `POST /media/<call>` with the input as JSON, and `GET /media/events`,
 * a line of JSON an event and an empty one now and then. All need an internal credential (`secret` is the site's), else
 * 401.
 */
export function createMediaHttp({
  media,
  secret,
  logger,
}: {
  media: MediaPort
  secret: string
  logger: Logger
}): HttpPath & Closable {
  const followers = new Set<ServerResponse>()

  async function answer(request: IncomingMessage, response: ServerResponse, onStream?: () => void) {
    const sealed = request.headers[INTERNAL_HEADER]
    if (typeof sealed !== 'string' || openInternalCredential(secret, sealed) === null)
      throw new AppError('UNAUTHENTICATED', 'This is for roles of the same site only.')
    const name = new URL(request.url ?? '', 'http://media').pathname.slice(MEDIA_PATH.length)
    if (name === 'events' && request.method === 'GET') {
      onStream?.()
      return follow(response)
    }
    const call = MEDIA_CALLS.find(one => one === name)
    if (call === undefined || request.method !== 'POST')
      throw new AppError('NOT_FOUND', 'There is no such call.')
    const input = parseInput(await readBody(request, MAX_BODY_BYTES))
    const work = media[call] as (input: object) => Promise<unknown>
    respond(response, 200, { value: (await work(input)) ?? null })
  }

  function follow(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' })
    followers.add(response)
    const write = (line: string) => {
      if (response.writableLength > MAX_PENDING_BYTES) response.destroy()
      else response.write(line)
    }
    const stop = media.listen(event => write(`${JSON.stringify(event)}\n`))
    const beat = setInterval(() => write('\n'), MEDIA_BEAT_MS)
    response.once('close', () => {
      stop()
      clearInterval(beat)
      followers.delete(response)
    })
  }

  return {
    prefix: MEDIA_PATH,
    handler: {
      handleRequest(request, response, onStream) {
        answer(request, response, onStream).catch(error => {
          const { code, message } = toAppError(error)
          if (code === 'INTERNAL_SERVER_ERROR') logger.error({ err: error }, 'media.call_failed')
          respond(response, ERROR_CODES[code].httpStatus, { error: { code, message } })
        })
      },
    },
    async [Symbol.asyncDispose]() {
      for (const response of followers) response.end()
    },
  }
}

function parseInput(body: Buffer): object {
  let input: unknown
  try {
    input = JSON.parse(body.toString())
  } catch (cause) {
    throw new AppError('BAD_USER_INPUT', 'The body is not JSON.', { cause })
  }
  if (typeof input !== 'object' || input === null)
    throw new AppError('BAD_USER_INPUT', 'The body is no object.')
  return input
}

function respond(response: ServerResponse, status: number, content: object): void {
  if (response.destroyed || response.headersSent) return
  const body = JSON.stringify(content)
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    .end(body)
}
