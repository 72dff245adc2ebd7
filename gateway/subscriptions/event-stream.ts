import type { ServerResponse } from 'node:http'
import type { EventPayload } from './event-payload.ts'

/** A response that is a stream of events, as graphql-sse reads them in its distinct connections mode. */
export interface EventStream {
  /** Sends a `next`; nothing once it has ended. */
  next(payload: Pick<EventPayload, 'nextEvent'>): void
  /** Resolves when the connection has taken what was sent, or is closed. */
  whenWritable(): Promise<void>
  /** Sends `complete` and ends the response; its connection may be used again. */
  complete(): void
  /** Ends the response without `complete`, and its connection with it: its client comes again and resumes. */
  breakOff(): void
}

/** Headers of a stream. No proxy is to keep, change or gather it. */
export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const

/** The last event of a stream. The empty data makes EventSource tell of it. */
export const COMPLETE_EVENT = Buffer.from('event: complete\ndata:\n\n')

/** A comment: tells clients and proxies that the stream is open, and keeps it so. */
const COMMENT = Buffer.from(':\n\n')

/** How long the client of a stream that is complete may take to read the rest, and that of one that is broken off. */
const COMPLETE_TIMEOUT_MS = 10_000
const BREAK_OFF_TIMEOUT_MS = 2_000

/**
 * Begins a stream on a response, with a comment at once and one every `keepAliveMs` after it.
 *
 * When something is to be sent while more than `maxBufferedBytes` wait, `onOverflow` is called and the connection is cut. `onClose` is
 * called once: when the client is gone, or has been sent everything.
 */
export function openEventStream({
  response,
  limits: { keepAliveMs, maxBufferedBytes },
  onOverflow,
  onClose,
}: {
  response: ServerResponse
  limits: { readonly keepAliveMs: number; readonly maxBufferedBytes: number }
  onOverflow: () => void
  onClose: () => void
}): EventStream {
  const { socket } = response.req
  let isOver = false
  let waiting: (() => void)[] = []
  let cut: NodeJS.Timeout | undefined

  function wake(): void {
    for (const resolve of waiting) resolve()
    waiting = []
  }

  function send(bytes: Buffer): void {
    if (isOver) return
    if (response.writableLength <= maxBufferedBytes) return void response.write(bytes)
    isOver = true
    onOverflow()
    response.destroy()
  }

  function end(timeoutMs: number, last?: Buffer): void {
    isOver = true
    clearInterval(heartBeat)
    clearTimeout(cut)
    cut = setTimeout(() => response.destroy(), timeoutMs)
    if (!response.writableEnded) response.end(last)
  }

  const heartBeat = setInterval(send, keepAliveMs, COMMENT)
  response.on('drain', wake).once('close', () => {
    isOver = true
    clearInterval(heartBeat)
    clearTimeout(cut)
    wake()
    onClose()
  })
  response.writeHead(200, EVENT_STREAM_HEADERS)
  send(COMMENT)

  return {
    next: ({ nextEvent }) => send(nextEvent),
    async whenWritable() {
      while (response.writableNeedDrain && !isOver) await new Promise<void>(resolve => waiting.push(resolve))
    },
    complete() {
      if (!isOver) end(COMPLETE_TIMEOUT_MS, COMPLETE_EVENT)
    },
    breakOff() {
      if (response.closed) return
      end(BREAK_OFF_TIMEOUT_MS)
      socket.destroySoon()
    },
  }
}
