/** Where an SMTP server is and how to enter it. */
export interface SmtpAddress {
  readonly host: string
  readonly port: number
  readonly user?: string
  readonly password?: string
  /** `implicit` from the first byte (smtps:), `required` by STARTTLS, `none` in plain text. */
  readonly tls: 'implicit' | 'required' | 'none'
}

/**
 * Reads `smtp://user:password@host:587` or `smtps://…:465`. smtp: must be upgraded by STARTTLS and its certificate be
 * good, except on loopback; `?tls=no` and `?tls=yes` say otherwise. Throws TypeError without repeating the password.
 */
export function parseSmtpUrl(url: string): SmtpAddress {
  const parsed = URL.parse(url)
  if (parsed === null || !['smtp:', 'smtps:'].includes(parsed.protocol) || parsed.hostname === '') {
    throw new TypeError('An SMTP URL looks like smtp://user:password@host:587')
  }
  const tls = parsed.searchParams.get('tls')
  const unknown = [...parsed.searchParams.keys()].find(option => option !== 'tls')
  if (unknown !== undefined || !['yes', 'no', null].includes(tls)) {
    throw new TypeError('The options of an SMTP URL are tls=yes and tls=no')
  }
  const isImplicit = parsed.protocol === 'smtps:'
  if (isImplicit && tls === 'no') throw new TypeError('smtps: is TLS: use smtp: with tls=no')
  const host = parsed.hostname.replace(/^\[|\]$/g, '')
  const isPlain = tls === 'no' || (tls === null && isLoopback(host))
  return {
    host,
    port: parsed.port === '' ? (isImplicit ? 465 : 587) : Number(parsed.port),
    ...(parsed.username === ''
      ? {}
      : { user: decodeURIComponent(parsed.username), password: decodeURIComponent(parsed.password) }),
    tls: isImplicit ? 'implicit' : isPlain ? 'none' : 'required',
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}
