import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '../logger.ts'
import { answerDownload } from './file-download.ts'
import type { FileLinks } from './file-links.ts'
import type { FileStorage } from './file-storage.ts'
import { createFileUploads, DEFAULT_UPLOAD_LIMITS, type UploadLimits } from './file-upload.ts'
import { refuseHttp } from './http-refusal.ts'

/** What answers links to files. */
export interface FileHttpOptions {
  readonly storage: FileStorage
  readonly links: FileLinks
  readonly logger: Logger
  readonly limits?: Partial<UploadLimits>
  readonly now?: () => number
}

/**
 * Creates what answers requests under `/clips/`: GET, HEAD and PUT by a link that was signed for it. A link that is not
 * whole, or of another method, is answered with 403 and one that has expired too, whether there is a file or not.
 */
export function createFileHttp(
  options: FileHttpOptions,
): (request: IncomingMessage, response: ServerResponse) => void {
  const { storage, links, logger, now = Date.now } = options
  const uploads = createFileUploads({ storage, limits: { ...DEFAULT_UPLOAD_LIMITS, ...options.limits } })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method === 'HEAD' ? 'GET' : request.method
    if (method !== 'GET' && method !== 'PUT')
      return refuseHttp(request, response, 405, 'Only GET, HEAD and PUT.', { allow: 'GET, HEAD, PUT' })
    const link = links.verify(request.url ?? '')
    if (link === null || link.method !== method)
      return refuseHttp(request, response, 403, 'This link is not one of ours.')
    if (link.expiresAt <= now()) return refuseHttp(request, response, 403, 'This link has expired.')
    if (method === 'PUT') return await uploads.answer(request, response, link)
    await answerDownload(request, response, { path: storage.pathOf(link.key), link, now: now() })
  }

  return (request, response) => {
    answer(request, response).catch(error => {
      logger.error({ err: error }, 'files.request_failed')
      if (response.headersSent) response.destroy()
      else refuseHttp(request, response, 500, 'Something went wrong on our side.')
    })
  }
}
