import type { ServerResponse } from 'node:http'
import type { Receiver, SockJsHttpSession } from './sockjs-http-session.ts'

/** How a kind of receiving request writes frames. */
export interface ReceiverFormat {
  readonly kind: Receiver['kind']
  readonly contentType: string
  /** Written before the first frame. */
  readonly prelude: string
  format(frame: string): string
  /** The response ends once it has so many bytes; 1 = after the first frame. */
  readonly maxBytes: number
}

/** Makes the response receive the session's frames. */
export function attachReceiver(
  response: ServerResponse,
  session: SockJsHttpSession,
  how: ReceiverFormat,
): void {
  let written = 0
  let isEnded = false
  response.writeHead(200, {
    'content-type': how.contentType,
    'cache-control': 'no-store, no-cache, no-transform, must-revalidate, max-age=0',
    'x-accel-buffering': 'no',
  })
  if (how.prelude !== '') response.write(how.prelude)
  const receiver: Receiver = {
    kind: how.kind,
    get bufferedAmount() {
      return response.writableLength
    },
    write(frame) {
      const text = how.format(frame)
      written += text.length
      response.write(text)
      return written < how.maxBytes
    },
    end() {
      isEnded = true
      response.end()
    },
    destroy() {
      isEnded = true
      response.destroy()
    },
  }
  response.on('error', () => {})
  response.on('close', () => {
    if (!isEnded) session.interrupted(receiver)
  })
  session.attach(receiver)
}
