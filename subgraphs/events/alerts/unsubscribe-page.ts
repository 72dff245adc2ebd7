import type { IncomingMessage, ServerResponse } from 'node:http'
import { withDeadline } from '../../shared/deadline.ts'
import type { HttpHandoff } from '../../shared/http/http-handoff.ts'
import type { Logger } from '../../shared/logger.ts'
import type { UnsubscribeTokens, Unsubscription } from './unsubscribe.ts'

/** Path that unsubscribe links begin with; a token follows. */
export const UNSUBSCRIBE_PREFIX = '/unsubscribe/'

const DEADLINE_MS = 10_000

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

const PAGES = {
  ask: ['이 스페이스의 알림 메일을 그만 받으시겠습니까?', 'Stop alert mail of this space?'],
  done: ['이제 이 스페이스의 알림 메일을 받지 않습니다.', 'You will get no more alert mail of this space.'],
  unknown: ['올바르지 않은 링크입니다.', 'This link is not right.'],
  failed: [
    '지금은 처리할 수 없습니다. 잠시 후 다시 시도해 주십시오.',
    'This does not work now. Please try again.',
  ],
} as const

/**
 * Creates the page behind an unsubscribe link. Looking at it (which mail scanners do as well) changes nothing; a POST,
 * by its button or by a mail program (RFC 8058), ends the mail. Needs no sign-in.
 */
export function createUnsubscribePage({
  tokens,
  endMail,
  logger,
}: {
  tokens: Pick<UnsubscribeTokens, 'read'>
  endMail: (of: Unsubscription) => Promise<void>
  logger: Logger
}): Pick<HttpHandoff, 'handleRequest'> {
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method } = request
    // What a form or a mail program sends with it is of no interest.
    request.resume()
    if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') {
      response.writeHead(405, { allow: 'GET, HEAD, POST' }).end()
      return
    }
    const token = (request.url ?? '').split('?')[0]?.slice(UNSUBSCRIBE_PREFIX.length) ?? ''
    const whose = tokens.read(token)
    if (whose === null) return show(response, method, 404, 'unknown')
    if (method !== 'POST') return show(response, method, 200, 'ask')
    await withDeadline('Unsubscribing', DEADLINE_MS, () => endMail(whose))
    logger.info({ ...whose }, 'alerts.unsubscribed')
    show(response, method, 200, 'done')
  }

  return {
    handleRequest(request, response) {
      answer(request, response).catch(error => {
        logger.error({ err: error }, 'alerts.unsubscribe_failed')
        if (response.headersSent) response.destroy()
        else show(response, request.method, 503, 'failed')
      })
    },
  }
}

function show(
  response: ServerResponse,
  method: string | undefined,
  status: number,
  page: keyof typeof PAGES,
): void {
  const [korean, english] = PAGES[page]
  const form = page === 'ask' ? '<form method="post"><button>수신 거부 · Unsubscribe</button></form>\n' : ''
  const body = `<!doctype html>
<html lang="ko">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>NUVION</title>
</head>
<body>
<h1>NUVION</h1>
<p>${korean}</p>
<p lang="en">${english}</p>
${form}</body>
</html>
`
  response.writeHead(status, { ...HEADERS, 'content-length': Buffer.byteLength(body) })
  response.end(method === 'HEAD' ? undefined : body)
}
