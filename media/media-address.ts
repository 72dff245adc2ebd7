import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

/** An address to listen on, and what clients are told instead when they cannot reach it under its own name. */
export interface MediaAddress {
  readonly ip: string
  readonly announced: string | undefined
}

/**
 * Pairs addresses to listen on with what is announced: the announced address of the same family, else an announced name,
 * else, for a wildcard, the first address of this machine that is not loopback (loopback when there is no other).
 */
export function pairAddresses(
  listen: readonly string[],
  announced: readonly string[],
  interfaces = networkInterfaces(),
): readonly MediaAddress[] {
  const own = Object.values(interfaces).flatMap(entries => entries ?? [])
  return listen.map(ip => {
    const family = isIP(ip)
    if (family === 0) throw new Error(`${ip} is not an IP address to listen on.`)
    const given =
      announced.find(address => isIP(address) === family) ?? announced.find(name => isIP(name) === 0)
    if (given !== undefined) return { ip, announced: given }
    if (ip !== '0.0.0.0' && ip !== '::') return { ip, announced: undefined }
    const reachable = own.find(
      entry => !entry.internal && entry.family === `IPv${family}` && !entry.address.startsWith('fe80'),
    )
    return { ip, announced: reachable?.address ?? (family === 4 ? '127.0.0.1' : '::1') }
  })
}
