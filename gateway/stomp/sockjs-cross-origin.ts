import type { IncomingMessage, ServerResponse } from 'node:http'

const CACHE_SECONDS = 31_536_000

/**
 * Lets pages of the request's origin read the answer, credentials included, as SockJS clients ask for. Harmless
 * from any origin: the door never looks at a cookie, a device shows its credential inside the connection.
 */
export function allowOrigin(request: IncomingMessage, response: ServerResponse): void {
  const { origin } = request.headers
  response.setHeader('vary', 'Origin')
  if (origin === undefined || origin === 'null') {
    response.setHeader('access-control-allow-origin', '*')
    return
  }
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('access-control-allow-credentials', 'true')
}

/** Answers a preflight request (OPTIONS). */
export function answerPreflight(request: IncomingMessage, response: ServerResponse, method: string): void {
  const headers = request.headers['access-control-request-headers']
  if (headers !== undefined) response.setHeader('access-control-allow-headers', headers)
  response
    .writeHead(204, {
      'access-control-allow-methods': `OPTIONS, ${method}`,
      'access-control-max-age': String(CACHE_SECONDS),
      'cache-control': `public, max-age=${CACHE_SECONDS}`,
    })
    .end()
}
