import type { ReceiverFormat } from './sockjs-receiver.ts'

/** `GET …/eventsource`: server-sent events, a frame an event; clients undo the escapes with decodeURI. */
export const eventSourceFormat = (maxBytes: number): ReceiverFormat => ({
  kind: 'eventsource',
  contentType: 'text/event-stream; charset=UTF-8',
  prelude: '\r\n',
  format: frame => `data: ${frame.replaceAll('%', '%25')}\r\n\r\n`,
  maxBytes,
})
