/** Frame that opens a session. */
export const OPEN_FRAME = 'o'

/** Frame that keeps proxies from closing a quiet connection. */
export const HEART_BEAT_FRAME = 'h'

/** Serializes messages to a client as one frame. */
export function serializeMessages(messages: readonly string[]): string {
  return `a${JSON.stringify(messages)}`
}

/** Serializes the end of a session. */
export function serializeClose(code: number, reason: string): string {
  return `c${JSON.stringify([code, reason])}`
}

/** Parses what a client sent: messages, or undefined when it is no JSON string or array of strings. */
export function parseMessages(text: string): readonly string[] | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value === 'string') return [value]
  return Array.isArray(value) && value.every(message => typeof message === 'string') ? value : undefined
}
