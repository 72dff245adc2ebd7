import type { IncomingMessage, ServerResponse } from 'node:http'
import type { DocumentNode, OperationDefinitionNode } from 'graphql'
import type { RefreshCookie, SubgraphReply } from '../subgraphs/shared/graphql/subgraph.ts'
import { fieldsNamed } from './execution/fields-named.ts'
import { isCrossOrigin, isHttps, type SiteOrigin } from './request-origin.ts'

/** Mutations that may read, set or take away the cookie. */
const COOKIE_MUTATIONS = ['signIn', 'refreshSession', 'signOut']

/** Longest value that is read; ours have 43 characters. */
const MAX_VALUE_LENGTH = 128

/** Cookies of a request that are looked at. */
const MAX_COOKIES = 100

/** Whether an operation may need the refresh cookie. */
export function mayUseCookie(operation: OperationDefinitionNode, document: DocumentNode): boolean {
  return (
    operation.operation === 'mutation' &&
    COOKIE_MUTATIONS.some(name => fieldsNamed(name, operation.selectionSet, document).length > 0)
  )
}

/** Reads the refresh cookie of a request. */
export function readRefreshCookie(request: IncomingMessage, site: SiteOrigin): RefreshCookie {
  return {
    token: findCookie(request.headers.cookie ?? '', nameOf(request, site)),
    isCrossOrigin: isCrossOrigin(request, site),
  }
}

/** Sets the cookie as a subgraph wants it, or takes it away; without a word from one it stays. */
export function writeRefreshCookie(
  request: IncomingMessage,
  response: ServerResponse,
  { refreshCookie }: SubgraphReply,
  site: SiteOrigin,
): void {
  if (refreshCookie === undefined || response.headersSent) return
  const maxAgeSeconds = Math.floor((refreshCookie?.maxAgeMs ?? 0) / 1000)
  const attributes = [
    `${nameOf(request, site)}=${refreshCookie?.token ?? ''}`,
    'Path=/',
    `Max-Age=${maxAgeSeconds}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(isHttps(request, site) ? ['Secure'] : []),
  ]
  response.setHeader('set-cookie', attributes.join('; '))
  response.setHeader('cache-control', 'no-store')
}

/** With the prefix, which no other host can set and plain http cannot carry (RFC 6265bis §4.1.3.2), wherever that works. */
function nameOf(request: IncomingMessage, site: SiteOrigin): string {
  return isHttps(request, site) ? '__Host-nuvion-refresh' : 'nuvion-refresh'
}

/** The first of that name: browsers send the most specific one first. */
function findCookie(header: string, name: string): string | null {
  let from = 0
  for (let count = 0; count < MAX_COOKIES && from < header.length; count++) {
    const end = header.indexOf(';', from)
    const pair = header.slice(from, end < 0 ? undefined : end)
    const equals = pair.indexOf('=')
    if (equals >= 0 && pair.slice(0, equals).trim() === name) {
      const value = pair.slice(equals + 1).trim()
      return value === '' || value.length > MAX_VALUE_LENGTH ? null : value
    }
    if (end < 0) break
    from = end + 1
  }
  return null
}
