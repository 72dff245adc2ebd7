import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Pool } from 'mysql2/promise'
import { withDeadline } from '../../shared/deadline.ts'
import { AppError, ERROR_CODES, toAppError } from '../../shared/errors.ts'
import type { Logger } from '../../shared/logger.ts'
import { checkRight, NO_SPACE } from '../../shared/permissions/rights-table.ts'
import type { SpaceAccess } from '../../shared/space-access.ts'
import { writeCsv } from './csv-text.ts'
import { headersOf } from './export-headers.ts'
import { EXPORT_PREFIX, openExportLink } from './export-link.ts'
import type { ExportRequest } from './export-request.ts'
import { findPlaceNames } from './place-names.ts'
import { estimateRows } from './row-estimate.ts'
import { createRowSource } from './row-source.ts'

/** What opens links of exports. */
export interface ExportHandler {
  /** Answers GET and HEAD of what is under EXPORT_PREFIX. */
  handleRequest(request: IncomingMessage, response: ServerResponse): void
  /** Breaks off what is being sent, and resolves when nothing runs on the database any more. */
  [Symbol.asyncDispose](): Promise<void>
}

export interface ExportHandlerOptions {
  readonly pool: Pool
  /** Roles of people, as they are when a link is opened. */
  readonly access: SpaceAccess
  /** The site's, under which links are sealed. */
  readonly secret: string
  readonly logger: Logger
  /** Files that are sent at once. Default 4. */
  readonly maxExports?: number
  /** A client that takes nothing for so long is given up, at the earliest after half of it. Default 60 s. */
  readonly stallMs?: number
}

/** Of what is asked before the first byte. */
const PREPARE_DEADLINE_MS = 10_000

/** When to come again if all is taken. */
const RETRY_AFTER_SECONDS = 10

/**
 * Creates the handler that streams exports as CSV. Each request opens its link, asks whether the person may still read
 * the space, and reads the database as fast as the client takes the rows. Refused with the status of the AppError:
 * 403 for a link that is not good any more, 404 for a space that is not theirs any more, 503 when `maxExports` run.
 *
 * A file that cannot be finished ends with a broken connection, never as if it were whole.
 */
export function createExportHandler(options: ExportHandlerOptions): ExportHandler {
  const { pool, access, secret, logger, maxExports = 4, stallMs = 60_000 } = options
  const running = new Map<AbortController, Promise<void>>()
  let isClosing = false

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD')
      return refuse(response, 405, 'Only GET and HEAD are answered here.')
    }
    const [path = ''] = (request.url ?? '').split('?', 1)
    const wanted = openExportLink(secret, path.slice(EXPORT_PREFIX.length))
    if (wanted === null)
      throw new AppError('FORBIDDEN', 'This link is not good, or not any more: ask for another.')
    checkRight(
      await withDeadline('The lookup of a role', PREPARE_DEADLINE_MS, () =>
        access.roleOf(wanted.userId, wanted.spaceId),
      ),
      'space.read',
    )
    if (isClosing || running.size >= maxExports) {
      response.setHeader('retry-after', RETRY_AFTER_SECONDS)
      throw new AppError('UNAVAILABLE', `${maxExports} exports run at once here: try again soon.`)
    }
    const abort = new AbortController()
    const sending = send(wanted, request, response, abort).finally(() => running.delete(abort))
    running.set(abort, sending)
    await sending
  }

  async function send(
    wanted: ExportRequest,
    request: IncomingMessage,
    response: ServerResponse,
    abort: AbortController,
  ): Promise<void> {
    const onClose = () => abort.abort(new AppError('UNAVAILABLE', 'The client is gone.'))
    response.once('close', onClose)
    let text: AsyncGenerator<string> | undefined
    try {
      const isOfEvents = wanted.kind === 'LOGS' || wanted.kind === 'ANOMALIES'
      const [names, estimatedRows] = await withDeadline('Preparing an export', PREPARE_DEADLINE_MS, () =>
        Promise.all([findPlaceNames(pool, wanted.spaceId), isOfEvents ? estimateRows(pool, wanted) : null]),
      )
      if (names === null) throw new AppError('NOT_FOUND', NO_SPACE)
      text = writeCsv(wanted, { names, rows: createRowSource(pool, abort.signal) })
      // Before the status, so that it tells of a report that cannot be made.
      const { value: head } = await text.next()
      abort.signal.throwIfAborted()
      response.writeHead(200, headersOf(wanted, names, estimatedRows))
      if (request.method !== 'HEAD') {
        // The timer of a socket looks twice whether what waits in it gets less.
        response.setTimeout(stallMs / 2, () => response.destroy())
        response.write(head)
        await writeAll(text, response, abort.signal)
      }
      response.end()
    } finally {
      response.off('close', onClose)
      // What was read ahead is not waited for.
      abort.abort()
      await text?.return(undefined).catch(() => {})
    }
  }

  return {
    handleRequest(request, response) {
      answer(request, response).catch(error => {
        const { code, message } = toAppError(error)
        if (response.headersSent) {
          const isGone = request.socket.destroyed && !isClosing
          logger[isGone ? 'debug' : 'warn']({ err: error }, 'export.broken_off')
          // Reset, as HTTP/1.0 takes a connection that ends for the end of the file.
          request.socket.resetAndDestroy()
          return
        }
        if (code === 'INTERNAL_SERVER_ERROR') logger.error({ err: error }, 'export.failed')
        refuse(response, ERROR_CODES[code].httpStatus, message)
      })
    },
    async [Symbol.asyncDispose]() {
      isClosing = true
      for (const abort of running.keys()) abort.abort(new AppError('UNAVAILABLE', 'The server stops.'))
      await Promise.allSettled(running.values())
    },
  }
}

/** Writes as fast as the client takes it. Rejects with the reason when `signal` aborts. */
async function writeAll(text: AsyncGenerator<string>, response: ServerResponse, signal: AbortSignal) {
  for await (const piece of text) {
    signal.throwIfAborted()
    if (!response.write(piece)) await once(response, 'drain', { signal })
  }
  signal.throwIfAborted()
}

function refuse(response: ServerResponse, status: number, message: string): void {
  const body = `${message}\n`
  response
    .writeHead(status, {
      'content-type': 'text/plain; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    .end(body)
}
