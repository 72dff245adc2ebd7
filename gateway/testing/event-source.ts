import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'

/** An event as an EventSource tells of it. */
export interface SseMessage {
  readonly event: string
  /** The last event id, also of an earlier event. */
  readonly id: string
  readonly data: string
}

/** A stream that is being read. */
export interface TestEventSource {
  readonly response: Response
  readonly messages: readonly SseMessage[]
  /** Comments so far. */
  readonly comments: number
  /** Resolves with the messages when there are that many. */
  next(count: number): Promise<readonly SseMessage[]>
  /** Settles when the response is over: rejects when it was cut. */
  readonly ended: Promise<void>
  /** Goes away. */
  close(): void
}

/** Opens a stream and reads it as the HTML Standard has it in §9.2.6. Resolves with the response's head. */
export async function openEventSource(url: string, init: RequestInit = {}): Promise<TestEventSource> {
  const abort = new AbortController()
  const headers = { accept: 'text/event-stream', ...(init.headers as Record<string, string>) }
  const response = await fetch(url, { ...init, headers, signal: abort.signal })
  const messages: SseMessage[] = []
  let comments = 0
  let id = ''
  let event = ''
  let data: string[] = []

  function readLine(line: string): void {
    if (line === '') {
      if (data.length > 0) messages.push({ event: event || 'message', id, data: data.join('\n') })
      event = ''
      data = []
      return
    }
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
    if (field === '') comments++
    if (field === 'event') event = value
    if (field === 'data') data.push(value)
    if (field === 'id') id = value
  }

  async function read(): Promise<void> {
    let rest = ''
    for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) readLine(line)
    }
  }

  const ended = read()
  ended.catch(() => {})
  return {
    response,
    messages,
    get comments() {
      return comments
    },
    async next(count) {
      await waitFor(() => messages.length >= count, { what: `${count} messages` })
      return messages
    },
    ended,
    close: () => abort.abort(),
  }
}
