import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpHandoff } from '../subgraphs/shared/http/http-handoff.ts'
import { PAGE_ENCODINGS, type PageEncoding, type PageFile } from './page-files.ts'
import type { PageHeaders } from './page-headers.ts'

/** Parts of the product that have paths of their own, whether this process serves them or not: they are no pages. */
const OTHERS =
  /^\/(graphql|stomp|clips|exports|unsubscribe|whip|whep|healthz|readyz|metrics|\.well-known)(\/|$)/

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>NUVION</title>
<h1>NUVION</h1>
<p>The dashboard has not been built here. <code>npm run setup</code> builds it; then start NUVION again.</p>
<p>GraphQL is at <code>/graphql</code>, devices connect to <code>/stomp</code>.</p>
</html>
`

/**
 * Creates what answers GET and HEAD of the page's files, and of any path that a person goes to (Accept: text/html) with
 * the page itself, which knows its routes. All else is answered with 404.
 */
export function createPageHandler({
  files,
  headers,
}: {
  files: ReadonlyMap<string, PageFile>
  headers: PageHeaders
}): Pick<HttpHandoff, 'handleRequest'> {
  return {
    handleRequest(request, response) {
      const path = pathOf(request)
      const file = files.get(path === '/' ? '/index.html' : path) ?? pageFor(path, request)
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        if (file !== undefined) response.setHeader('allow', 'GET, HEAD')
        return answerText(response, file === undefined ? 404 : 405, 'Not found here\n')
      }
      if (file !== undefined) return answerFile(request, response, file)
      if (files.size === 0 && path === '/')
        return answerText(response, 503, NOT_BUILT, 'text/html; charset=utf-8')
      return answerText(response, 404, 'Not found\n')
    },
  }

  function pageFor(path: string, { headers: { accept = '' } }: IncomingMessage): PageFile | undefined {
    const isPage = accept.includes('text/html') && !OTHERS.test(path) && !path.startsWith('/assets/')
    return isPage ? files.get('/index.html') : undefined
  }
}

function answerFile(request: IncomingMessage, response: ServerResponse, file: PageFile): void {
  const encoding = chooseEncoding(file, request.headers['accept-encoding'] ?? '')
  const body = file.bodies[encoding] ?? file.bodies.identity
  const tag = `"${file.tag}-${encoding}"`
  response.setHeader('etag', tag)
  response.setHeader('vary', 'accept-encoding')
  response.setHeader('cache-control', file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache')
  if (isKnown(request.headers['if-none-match'], tag)) return void response.writeHead(304).end()
  response.writeHead(200, {
    'content-type': file.type,
    'content-length': body.length,
    ...(encoding !== 'identity' && { 'content-encoding': encoding }),
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** The smallest that the client takes. `identity` is never refused (RFC 9110 §12.5.3 lets a server send it all the same). */
function chooseEncoding({ bodies }: PageFile, accepted: string): PageEncoding {
  const taken = new Set(
    accepted
      .toLowerCase()
      .split(',')
      .map(part => part.trim())
      .filter(part => !/;\s*q=0(\.0*)?$/.test(part))
      .map(part => part.split(';', 1)[0]?.trim()),
  )
  return PAGE_ENCODINGS.find(one => bodies[one] !== undefined && taken.has(one)) ?? 'identity'
}

/** If-None-Match by weak comparison (RFC 9110 §13.1.2). */
function isKnown(header: string | undefined, tag: string): boolean {
  return (header ?? '').split(',').some(one => one.trim().replace(/^W\//, '') === tag)
}

function answerText(response: ServerResponse, status: number, body: string, type = 'text/plain'): void {
  response
    .writeHead(status, {
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
    })
    .end(body)
}

function pathOf({ url = '/' }: IncomingMessage): string {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}
