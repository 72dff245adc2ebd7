import { isIP } from 'node:net'

/** Ports from `first` to `last`, both of them included. */
export interface PortBlock {
  readonly first: number
  readonly last: number
}

/** Parses `40000-40199`. Throws a TypeError that says what is expected. */
export function parsePortBlock(text: string): PortBlock {
  const [first = 0, last = 0] = /^\d+-\d+$/.test(text) ? text.split('-').map(Number) : []
  if (first < 1024 || last > 65_535 || first >= last)
    throw new TypeError('must be two ports from 1024 to 65535, such as 40000-40199')
  return { first, last }
}

/** Parses IP addresses apart by commas. Throws a TypeError for anything else. */
export function parseAddresses(text: string): readonly string[] {
  const addresses = splitList(text)
  if (addresses.length === 0 || addresses.some(address => isIP(address) === 0))
    throw new TypeError('must be IP addresses, apart by commas')
  return addresses
}

/** Parses addresses and names apart by commas, such as `203.0.113.7,2001:db8::7`. */
export function parseHosts(text: string): readonly string[] {
  const hosts = splitList(text)
  if (hosts.length === 0 || hosts.some(host => !/^[\w.:-]+$/.test(host)))
    throw new TypeError('must be addresses or names, apart by commas')
  return hosts
}

/** Parses TURN servers' URLs apart by commas (RFC 7065). */
export function parseTurnUrls(text: string): readonly string[] {
  const urls = splitList(text)
  if (urls.length === 0 || urls.some(url => !/^turns?:[\w.:[\]-]+(\?transport=(udp|tcp))?$/.test(url)))
    throw new TypeError('must be URLs that begin with turn: or turns:, apart by commas')
  return urls
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
}
