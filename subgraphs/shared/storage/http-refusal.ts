import type { IncomingMessage, ServerResponse } from 'node:http'

/** How much of an unwanted body is read over, and for how long, so that its sender gets to see the answer. */
const MAX_IGNORED_BYTES = 1024 * 1024
const MAX_IGNORED_MS = 2_000

/** Answers with an error and a text for people. What is left of the body is not waited for: the connection closes. */
export function refuseHttp(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const hasBody = !request.complete
  response
    .writeHead(status, {
      'cache-control': 'no-store',
      'content-type': 'text/plain',
      'content-length': Buffer.byteLength(text) + 1,
      'x-content-type-options': 'nosniff',
      ...(hasBody && { connection: 'close' }),
      ...headers,
    })
    .end(request.method === 'HEAD' ? undefined : `${text}\n`)
  if (!hasBody) return
  let ignored = 0
  const timer = setTimeout(() => request.destroy(), MAX_IGNORED_MS)
  request
    .on('data', chunk => {
      ignored += chunk.length
      if (ignored > MAX_IGNORED_BYTES) request.destroy()
    })
    .once('close', () => clearTimeout(timer))
    .on('error', () => {})
    .resume()
}
