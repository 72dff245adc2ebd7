import { describe, expect, it } from 'vitest'
import {
  findWebhookAddress,
  isPublicAddress,
  PrivateAddressError,
  parseWebhookUrl,
} from './webhook-address.ts'

describe('an address', () => {
  it.each(['1.1.1.1', '8.8.8.8', '172.15.255.255', '172.32.0.1', '2606:4700::1111'])(
    'of the internet is public: %s',
    address => expect(isPublicAddress(address)).toBe(true),
  )

  it.each([
    ...['0.0.0.0', '127.0.0.1', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254'],
    ...['100.64.0.1', '224.0.0.1', '255.255.255.255', '198.18.0.1', '192.0.2.1'],
    ...['::', '::1', 'fe80::1', 'fc00::1', 'fd12::1', 'ff02::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1'],
    ...['64:ff9b::7f00:1', '2002:7f00:1::', '2001:0:53aa::1', '2001:db8::1', 'localhost', ''],
  ])('that is not is private: %s', address => expect(isPublicAddress(address)).toBe(false))
})

describe('the URL of a webhook', () => {
  const strict = { allowPrivate: false }

  it('is https to a public host', () => {
    expect(parseWebhookUrl('https://hooks.example.com/a?b=c', strict)).toEqual({
      value: 'https://hooks.example.com/a?b=c',
    })
  })

  it.each([
    ['http://hooks.example.com/', 'is no https URL.'],
    ['ftp://hooks.example.com/', 'is no https URL.'],
    ['hooks', 'is no https URL.'],
    [`https://hooks.example.com/${'a'.repeat(2_100)}`, 'is no https URL.'],
    ['https://user:pass@hooks.example.com/', 'has a user or a password in it.'],
    ['https://hooks.example.com/#a', 'has a fragment.'],
    ['https://127.0.0.1/', 'leads to a private address.'],
    ['https://2130706433/', 'leads to a private address.'],
    ['https://0x7f.1/', 'leads to a private address.'],
    ['https://[::1]/', 'leads to a private address.'],
    ['https://[::ffff:169.254.169.254]/', 'leads to a private address.'],
    ['https://localhost/', 'leads to a private address.'],
    ['https://a.localhost./', 'leads to a private address.'],
    ['https://plc.local/', 'leads to a private address.'],
    ['https://redis/', 'leads to a private address.'],
  ])('is not %s', (url, problem) => expect(parseWebhookUrl(url, strict)).toEqual({ problem }))

  it('may be any where the site allows it', () => {
    expect(parseWebhookUrl('http://10.0.0.7:8080/hook', { allowPrivate: true }).value).toBe(
      'http://10.0.0.7:8080/hook',
    )
  })
})

describe('the address of a webhook', () => {
  it('is looked at again when it is used', async () => {
    const url = new URL('https://localhost/')
    await expect(findWebhookAddress(url, { allowPrivate: false })).rejects.toBeInstanceOf(PrivateAddressError)
    expect((await findWebhookAddress(url, { allowPrivate: true })).address).toMatch(/^(127\.|::1$)/)
  })
})
