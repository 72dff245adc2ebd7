import { expect, it } from 'vitest'
import { pairAddresses } from './media-address.ts'

const face = (address: string, family: 'IPv4' | 'IPv6', internal = false) => ({
  address,
  family,
  internal,
  netmask: '',
  mac: '',
  cidr: null,
  ...(family === 'IPv6' ? { scopeid: 0 } : {}),
})
const interfaces = {
  lo: [face('127.0.0.1', 'IPv4', true), face('::1', 'IPv6', true)],
  eth0: [face('10.0.0.7', 'IPv4'), face('fe80::1', 'IPv6'), face('2001:db8::7', 'IPv6')],
} as Parameters<typeof pairAddresses>[2]

it('announces what is configured for the family, else a name', () => {
  expect(pairAddresses(['0.0.0.0', '::'], ['203.0.113.7'], interfaces)).toEqual([
    { ip: '0.0.0.0', announced: '203.0.113.7' },
    { ip: '::', announced: '2001:db8::7' },
  ])
  expect(pairAddresses(['0.0.0.0'], ['media.example.com'], interfaces)[0]?.announced).toBe(
    'media.example.com',
  )
})

it('announces an address of this machine for a wildcard, and a plain address as itself', () => {
  expect(pairAddresses(['0.0.0.0', '10.0.0.7'], [], interfaces)).toEqual([
    { ip: '0.0.0.0', announced: '10.0.0.7' },
    { ip: '10.0.0.7', announced: undefined },
  ])
  expect(pairAddresses(['0.0.0.0'], [], {})).toEqual([{ ip: '0.0.0.0', announced: '127.0.0.1' }])
  expect(() => pairAddresses(['here'], [])).toThrow(/here is not an IP address/)
})
