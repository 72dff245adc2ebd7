import { createWriteStream } from 'node:fs'
import { open, statfs } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { withDeadline } from '../deadline.ts'
import { AppError } from '../errors.ts'
import type { FileLink } from './file-links.ts'
import type { FileStorage } from './file-storage.ts'
import { refuseHttp } from './http-refusal.ts'

/** Bounds of uploads. */
export interface UploadLimits {
  /** Uploads at a time in this process; past it 503 with Retry-After. Default 32. */
  readonly maxUploads: number
  /** How long a sender may send nothing; past it the connection is closed. Default 20 s. */
  readonly idleDeadlineMs: number
  /** The least that a sender must keep up on the whole; past it the connection is closed. Default 64 KiB/s. */
  readonly minBytesPerSecond: number
  /** What stays free on the disk; without it 507. Default 512 MiB. */
  readonly minFreeBytes: number
}

/** Limits unless configured otherwise. */
export const DEFAULT_UPLOAD_LIMITS: UploadLimits = {
  maxUploads: 32,
  idleDeadlineMs: 20_000,
  minBytesPerSecond: 64 * 1024,
  minFreeBytes: 512 * 1024 * 1024,
}

const DISK_FULL_CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** Takes uploads into the storage. */
export interface FileUploads {
  /** Answers a PUT by a link that was found good: 204 once the file is on the disk. What is refused leaves nothing. */
  answer(request: IncomingMessage, response: ServerResponse, link: FileLink): Promise<void>
}

/** Creates the intake of uploads: exactly the length and type that were signed, under `limits`. */
export function createFileUploads({
  storage,
  limits,
}: {
  storage: FileStorage
  limits: UploadLimits
}): FileUploads {
  let running = 0

  async function receive(request: IncomingMessage, { key, sizeBytes }: FileLink): Promise<void> {
    const temporary = await storage.makeTemporary()
    try {
      const { bavail, bsize } = await statfs(dirname(temporary))
      if (bavail * bsize - sizeBytes < limits.minFreeBytes) throw diskFull()
      const deadlineMs = limits.idleDeadlineMs + (sizeBytes / limits.minBytesPerSecond) * 1_000
      request.setTimeout(limits.idleDeadlineMs, () =>
        request.destroy(new AppError('UNAVAILABLE', 'Too slow.')),
      )
      await withDeadline('The upload', deadlineMs, signal =>
        pipeline(request, createWriteStream(temporary, { flags: 'wx', mode: 0o600, flush: true }), {
          signal,
        }),
      )
      await using file = await open(temporary)
      // The parser of HTTP sees to it; this is what is promised.
      if ((await file.stat()).size !== sizeBytes) throw new AppError('BAD_USER_INPUT', 'The body broke off.')
      await storage.publish(temporary, key)
    } catch (error) {
      await storage.discard(temporary)
      if (DISK_FULL_CODES.has((error as NodeJS.ErrnoException).code ?? '')) throw diskFull(error)
      throw error
    }
  }

  return {
    async answer(request, response, link) {
      const refuse = (status: number, text: string, headers?: Record<string, string>) =>
        refuseHttp(request, response, status, text, headers)
      const { 'content-type': type, 'content-length': length, 'content-encoding': encoding } = request.headers
      if (length === undefined) return refuse(411, 'The header Content-Length is missing.')
      if (Number(length) > link.sizeBytes) return refuse(413, `The link is for ${link.sizeBytes} bytes.`)
      if (Number(length) < link.sizeBytes) return refuse(400, `The link is for ${link.sizeBytes} bytes.`)
      if (type?.toLowerCase() !== link.contentType || encoding !== undefined)
        return refuse(415, `The link is for ${link.contentType}, not encoded.`)
      if (request.headers['content-range'] !== undefined) return refuse(400, 'Parts of a file are not taken.')
      if (running >= limits.maxUploads)
        return refuse(503, 'Too many uploads at a time. Try again.', { 'retry-after': '5' })
      running++
      try {
        await receive(request, link)
        response.writeHead(204, { 'cache-control': 'no-store' }).end()
      } catch (error) {
        if (error instanceof DiskFullError) return refuse(507, 'There is no room for it now.')
        // The sender has left, or is too slow to be waited for.
        if (request.destroyed && !request.complete) return void response.destroy()
        if (!(error instanceof AppError)) throw error
        request.destroy()
      } finally {
        running--
      }
    },
  }
}

class DiskFullError extends Error {
  override readonly name = 'DiskFullError'
}

function diskFull(cause?: unknown): DiskFullError {
  return new DiskFullError('The disk is full', { cause })
}
