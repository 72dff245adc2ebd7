import type { IncomingMessage } from 'node:http'
import { isIP, isIPv6 } from 'node:net'

/**
 * Finds the address that a request came from, as far as it can be known: that of the connection or, behind
 * `trustedProxies` proxies that each append to `X-Forwarded-For`, the one that the outermost of them has seen.
 *
 * IPv6 addresses are cut to their /64, which is what one site gets (RFC 6177); IPv4 ones written as IPv6 are IPv4.
 */
export function readClientAddress(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  trustedProxies: number,
): string {
  const direct = socket.remoteAddress ?? ''
  if (trustedProxies === 0) return normalize(direct)
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',')
  const seen = forwarded.at(-trustedProxies)?.trim() ?? ''
  return normalize(isIP(seen) === 0 ? direct : seen)
}

function normalize(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  return `${expand(address).slice(0, 4).join(':')}::/64`
}

/** The eight groups of an IPv6 address, without leading zeros. */
function expand(address: string): string[] {
  const [head = '', tail] = address.split('%', 1).join('').split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':'))
  const before = groups(head)
  const after = tail === undefined ? [] : groups(tail)
  const zeros = Math.max(0, 8 - before.length - after.length)
  return [...before, ...Array<string>(zeros).fill('0'), ...after].map(group =>
    group.toLowerCase().replace(/^0+(?=.)/, ''),
  )
}
