import { spawn } from 'node:child_process'
import type { ReadableSource } from '../../shared/storage/object-storage.ts'

/** What a poster is taken of. */
export interface PosterOptions {
  /** Path of the program. */
  readonly ffmpeg: string
  readonly source: ReadableSource
  readonly contentType: string
  /** Default 25 s. */
  readonly deadlineMs?: number
}

/** What reads each type: named, so that nothing in a file can have it read as a list of other files. */
const DEMUXERS: Readonly<Record<string, string>> = {
  'video/mp4': 'mov',
  'video/quicktime': 'mov',
  'video/webm': 'matroska',
}

const MAX_POSTER_BYTES = 2 * 1024 * 1024
const MAX_PIXELS = 8_192 * 8_192
const MAX_WIDTH = 640
/** Address space of the program, KiB, and its time on a processor, seconds. */
const LIMITS = 'ulimit -v 3145728; ulimit -t 20; ulimit -c 0; exec nice -n 15 "$0" "$@"'

/**
 * Takes the first frame of a video as a JPEG, 640 pixels wide at most; null when there is none to be had.
 *
 * ffmpeg reads the one object, by the one protocol that leads to it, as the one type that it is said to have; under limits of
 * time, memory and output, below everyone else's priority, and without this process's environment.
 */
export async function takePoster(options: PosterOptions): Promise<Buffer | null> {
  const { ffmpeg, source, contentType, deadlineMs = 25_000 } = options
  const demuxer = DEMUXERS[contentType]
  if (demuxer === undefined) return null
  const input = ['-protocol_whitelist', source.protocols.join(), '-max_pixels', String(MAX_PIXELS)]
  const output = [
    '-map',
    '0:v:0',
    '-frames:v',
    '1',
    '-vf',
    `scale=min(${MAX_WIDTH}\\,iw):-2`,
    '-threads',
    '1',
  ]
  const args = [
    ...[
      '-hide_banner',
      '-nostdin',
      '-v',
      'error',
      '-threads',
      '1',
      ...input,
      '-f',
      demuxer,
      '-i',
      source.url,
    ],
    ...[...output, '-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-q:v', '5', '-f', 'image2pipe', 'pipe:1'],
  ]
  const child = spawn('/bin/sh', ['-c', LIMITS, ffmpeg, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: '/usr/bin:/bin' },
    cwd: '/',
  })
  const chunks: Buffer[] = []
  let size = 0
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > MAX_POSTER_BYTES) child.kill('SIGKILL')
    else chunks.push(chunk)
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), deadlineMs)
  const { promise, resolve } = Promise.withResolvers<number | null>()
  child.once('close', resolve).once('error', () => resolve(null))
  const exitCode = await promise
  clearTimeout(timer)
  const poster = Buffer.concat(chunks)
  return exitCode === 0 && poster.subarray(0, 3).equals(Buffer.of(0xff, 0xd8, 0xff)) ? poster : null
}
