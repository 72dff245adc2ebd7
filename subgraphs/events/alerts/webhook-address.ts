import { lookup as lookUpHost } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import type { Parsed } from '../../shared/text/parsed.ts'

const MAX_URL_LENGTH = 2_048

/** IPv4 that is not the internet's: RFC 6890 and what IANA has added to its registry of special purposes. */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]

/** The same within 2000::/3, outside of which no IPv6 address is the internet's: Teredo and others, examples, 6to4. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const special = new BlockList()
for (const range of SPECIAL_IPV4) addRange(range, 'ipv4')
for (const range of SPECIAL_IPV6) addRange(range, 'ipv6')
const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')

/** An address that a request may be sent to. */
export interface WebhookAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** Answers all addresses of a host. */
export type LookUp = (host: string) => Promise<readonly { address: string; family: number }[]>

const lookUpAll: LookUp = host => lookUpHost(host, { all: true })

/** The host of a webhook leads to where no request may be sent. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError'
}

/** Whether an IP address is reached over the internet: neither private, nor this host, nor of a special purpose. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !special.check(address, 'ipv4')
  return isIP(address) === 6 && global6.check(address, 'ipv6') && !special.check(address, 'ipv6')
}

/**
 * Reads the URL of a webhook: http or https, without user or fragment, at most 2,048 characters. Unless `allowPrivate`,
 * it is https, and no address that stands in it is private; what a name leads to is looked at when it is used.
 */
export function parseWebhookUrl(text: string, { allowPrivate }: { allowPrivate: boolean }): Parsed {
  const protocols = allowPrivate ? ['https:', 'http:'] : ['https:']
  const kind = allowPrivate ? 'http or https' : 'https'
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text)) return { problem: `is no ${kind} URL.` }
  const url = new URL(text)
  if (!protocols.includes(url.protocol)) return { problem: `is no ${kind} URL.` }
  if (url.username !== '' || url.password !== '') return { problem: 'has a user or a password in it.' }
  if (url.hash !== '') return { problem: 'has a fragment.' }
  const host = hostOf(url)
  if (!allowPrivate && (isIP(host) !== 0 ? !isPublicAddress(host) : isLocalName(host)))
    return { problem: 'leads to a private address.' }
  return { value: url.href }
}

/**
 * Finds the address of a webhook's host, once: the request goes to that one and to no other. Unless `allowPrivate`,
 * rejects with PrivateAddressError when any of its addresses is private, so that no answer of a name server decides.
 */
export async function findWebhookAddress(
  url: URL,
  { allowPrivate, lookUp = lookUpAll }: { allowPrivate: boolean; lookUp?: LookUp | undefined },
): Promise<WebhookAddress> {
  const host = hostOf(url)
  const found = await lookUp(host)
  const wrong = allowPrivate ? undefined : found.find(({ address }) => !isPublicAddress(address))
  if (wrong !== undefined) throw new PrivateAddressError(`${host} leads to a private address`)
  const [first] = found
  if (first === undefined) throw new Error(`${host} has no address`)
  return { address: first.address, family: first.family === 6 ? 6 : 4 }
}

function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}

/** Names that never leave a network: RFC 6761, RFC 6762, RFC 9476. */
function isLocalName(host: string): boolean {
  return /(^|\.)(localhost|local|internal|home\.arpa)\.?$/i.test(host) || !host.includes('.')
}

function addRange(range: string, family: 'ipv4' | 'ipv6'): void {
  const [net = '', prefix = ''] = range.split('/')
  special.addSubnet(net, Number(prefix), family)
}
