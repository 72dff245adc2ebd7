/** Headers of a response by their names. */
export type PageHeaders = Readonly<Record<string, string>>

/**
 * Headers of the page: a content security policy (CSP Level 3) in which nothing is inline and nothing is of elsewhere, but
 * for what `origins` (of object storage, or of the public address) give and take: clips and exports.
 */
export function createPageHeaders(origins: readonly string[]): PageHeaders {
  const own = ["'self'", ...new Set(origins)].join(' ')
  const policy = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'connect-src': own,
    'img-src': `${own} data: blob:`,
    'media-src': `${own} blob:`,
    'font-src': "'self'",
    'manifest-src': "'self'",
    'frame-ancestors': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
  }
  return {
    'content-security-policy': Object.entries(policy)
      .map(([directive, sources]) => `${directive} ${sources}`)
      .join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=(), payment=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  }
}
