import type { ReceiverFormat } from './sockjs-receiver.ts'

const javascript = 'application/javascript; charset=UTF-8'
const format = (frame: string) => `${frame}\n`

/** `POST …/xhr`: polling, one frame a response. */
export const xhrFormat: ReceiverFormat = {
  kind: 'xhr',
  contentType: javascript,
  prelude: '',
  format,
  maxBytes: 1,
}

/** `POST …/xhr_streaming`: a frame a line, after 2 KiB that make old browsers begin to read. */
export const xhrStreamingFormat = (maxBytes: number): ReceiverFormat => ({
  kind: 'xhr_streaming',
  contentType: javascript,
  prelude: `${'h'.repeat(2048)}\n`,
  format,
  maxBytes,
})
