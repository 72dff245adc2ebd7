import type { IncomingMessage } from 'node:http'

/** What is known of where people open the site. */
export interface SiteOrigin {
  /** Origin that is configured, such as `https://nuvion.example.com`; null when none is. */
  readonly publicUrl: string | null
  /** Proxies in front that say what they were asked by `X-Forwarded-Proto`. */
  readonly trustedProxies: number
}

type Headers = Pick<IncomingMessage, 'headers'>

/** Whether a browser has sent the request over https: as the proxies in front say, else as the site is configured. */
export function isHttps({ headers }: Headers, { publicUrl, trustedProxies }: SiteOrigin): boolean {
  const forwarded = trustedProxies > 0 ? String(headers['x-forwarded-proto'] ?? '').split(',') : []
  const scheme = (forwarded.at(-trustedProxies) ?? forwarded[0] ?? '').trim().toLowerCase()
  if (scheme === 'https' || scheme === 'http') return scheme === 'https'
  return publicUrl?.startsWith('https:') ?? false
}

/**
 * Whether a page of another origin has sent the request, as far as its headers tell: `Sec-Fetch-Site` (Fetch Metadata),
 * and `Origin` (RFC 6454 §7) when it is neither the configured one nor of the host that was asked. What is no browser
 * sends neither.
 */
export function isCrossOrigin(request: Headers, site: SiteOrigin): boolean {
  const { origin, host = '', 'sec-fetch-site': fetchSite } = request.headers
  if (fetchSite === 'cross-site' || fetchSite === 'same-site') return true
  if (origin === undefined || origin === site.publicUrl) return false
  const hosts = [host]
  // A proxy may ask by another name than it was asked.
  if (site.trustedProxies > 0)
    hosts.push(String(request.headers['x-forwarded-host'] ?? '').split(',')[0] ?? '')
  const schemes = isHttps(request, site) ? ['https'] : ['http', 'https']
  return !schemes.some(scheme => hosts.some(name => isOrigin(`${scheme}://${name.trim()}`, origin)))
}

function isOrigin(url: string, origin: string): boolean {
  return URL.canParse(url) && new URL(url).origin === origin.toLowerCase()
}
