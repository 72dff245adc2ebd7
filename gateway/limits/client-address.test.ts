import { expect, test } from 'vitest'
import { readClientAddress } from './client-address.ts'

function read(remoteAddress: string | undefined, forwardedFor?: string, trustedProxies = 0): string {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }
  return readClientAddress({ headers, socket: { remoteAddress } as never }, trustedProxies)
}

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001::6', '2001:db8:1:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  [undefined, ''],
])('the address of a connection from %s is %s', (remote, expected) => {
  expect(read(remote)).toBe(expected)
})

test('X-Forwarded-For counts only as far as proxies are trusted', () => {
  expect(read('10.0.0.1', '192.0.2.1')).toBe('10.0.0.1')
  expect(read('10.0.0.1', '192.0.2.1', 1)).toBe('192.0.2.1')
  expect(read('10.0.0.1', 'forged, 192.0.2.1', 1)).toBe('192.0.2.1')
  expect(read('10.0.0.1', 'forged, 192.0.2.1, 10.0.0.2', 2)).toBe('192.0.2.1')
})

test('a header that the proxies cannot have written counts as none', () => {
  expect(read('10.0.0.1', undefined, 1)).toBe('10.0.0.1')
  expect(read('10.0.0.1', 'somewhere', 1)).toBe('10.0.0.1')
  expect(read('10.0.0.1', '192.0.2.1', 2)).toBe('10.0.0.1')
})
