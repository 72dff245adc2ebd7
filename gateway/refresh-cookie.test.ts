import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { mayUseCookie, readRefreshCookie, writeRefreshCookie } from './refresh-cookie.ts'
import { isCrossOrigin, isHttps } from './request-origin.ts'

const asked = (headers: IncomingHttpHeaders) => ({ headers }) as IncomingMessage
const PLAIN = { publicUrl: null, trustedProxies: 0 }
const PUBLIC = { publicUrl: 'https://nuvion.example.com', trustedProxies: 0 }
const BEHIND = { publicUrl: null, trustedProxies: 1 }

describe('isHttps', () => {
  it.each([
    [false, PLAIN, {}],
    [false, PLAIN, { 'x-forwarded-proto': 'https' }],
    [true, PUBLIC, {}],
    [true, BEHIND, { 'x-forwarded-proto': 'HTTPS' }],
    [false, BEHIND, {}],
    [false, { ...PUBLIC, trustedProxies: 1 }, { 'x-forwarded-proto': 'http' }],
    [true, { ...PUBLIC, trustedProxies: 1 }, { 'x-forwarded-proto': 'nonsense' }],
    // A client said http; of two proxies the outer one has seen https.
    [true, { ...BEHIND, trustedProxies: 2 }, { 'x-forwarded-proto': 'http, https, http' }],
    [true, { ...BEHIND, trustedProxies: 2 }, { 'x-forwarded-proto': 'https' }],
  ])('is %s for %j and %j', (expected, site, headers) => {
    expect(isHttps(asked(headers), site)).toBe(expected)
  })
})

describe('isCrossOrigin', () => {
  it.each([
    ['no browser', false, PLAIN, { host: 'a' }],
    ['the host that was asked', false, PLAIN, { host: 'a:4000', origin: 'http://a:4000' }],
    ['the host behind a proxy that ends TLS', false, PLAIN, { host: 'a', origin: 'https://a' }],
    ['the default port written out', false, PUBLIC, { host: 'a:443', origin: 'https://a' }],
    ['the configured origin', false, PUBLIC, { host: 'inner:4000', origin: 'https://nuvion.example.com' }],
    [
      'the host a proxy was asked by',
      false,
      BEHIND,
      { host: 'inner', 'x-forwarded-host': 'a', origin: 'http://a' },
    ],
    [
      'a host that only the client has written',
      true,
      PLAIN,
      { host: 'inner', 'x-forwarded-host': 'a', origin: 'http://a' },
    ],
    ['another host', true, PLAIN, { host: 'a', origin: 'http://evil' }],
    ['another port', true, PLAIN, { host: 'a:4000', origin: 'http://a:4001' }],
    ['a longer host', true, PLAIN, { host: 'a', origin: 'http://a.evil' }],
    ['plain http of the same host', true, PUBLIC, { host: 'a', origin: 'http://a' }],
    ['a sandboxed page', true, PLAIN, { host: 'a', origin: 'null' }],
    ['no host', true, PLAIN, { origin: 'http://a' }],
    ['what the browser calls cross-site', true, PLAIN, { host: 'a', 'sec-fetch-site': 'cross-site' }],
    ['another subdomain', true, PLAIN, { host: 'a', 'sec-fetch-site': 'same-site' }],
    ['what the browser calls same-origin', false, PLAIN, { host: 'a', 'sec-fetch-site': 'same-origin' }],
  ])('tells %s: %s', (_, expected, site, headers) => {
    expect(isCrossOrigin(asked(headers), site)).toBe(expected)
  })
})

describe('the cookie of a request', () => {
  const read = (cookie: string, site = PLAIN as typeof PUBLIC | typeof PLAIN) =>
    readRefreshCookie(asked({ cookie }), site).token

  it.each([
    ['nuvion-refresh=abc', 'abc'],
    ['a=b; nuvion-refresh=abc; c=d', 'abc'],
    ['a=b;nuvion-refresh=abc', 'abc'],
    ['nuvion-refresh=first; nuvion-refresh=second', 'first'],
    ['a; ;;=; nuvion-refresh=abc', 'abc'],
    ['nuvion-refresh=a=b', 'a=b'],
    ['nuvion-refresh=', null],
    ['nuvion-refresh', null],
    ['x-nuvion-refresh=abc', null],
    ['Nuvion-Refresh=abc', null],
    ['', null],
    [`nuvion-refresh=${'x'.repeat(129)}`, null],
    [`${'a=b;'.repeat(100)}nuvion-refresh=abc`, null],
  ])('%s', (cookie, expected) => {
    expect(read(cookie)).toBe(expected)
  })

  it('over https is none but the one that no other host can have set', () => {
    expect(read('nuvion-refresh=planted', PUBLIC)).toBeNull()
    expect(read('nuvion-refresh=planted; __Host-nuvion-refresh=ours', PUBLIC)).toBe('ours')
    expect(read('__Host-nuvion-refresh=ours')).toBeNull()
  })
})

describe('the cookie of an answer', () => {
  function write(reply: Parameters<typeof writeRefreshCookie>[2], site: typeof PLAIN | typeof PUBLIC) {
    const set: Record<string, string> = {}
    const response = {
      headersSent: false,
      setHeader(name: string, value: string) {
        set[name] = value
      },
    }
    writeRefreshCookie(asked({}), response as never, reply, site)
    return set['set-cookie']
  }

  it('is for this host, its pages and no script, and over https for nothing else', () => {
    const refreshCookie = { token: 'abc', maxAgeMs: 60_000 }
    expect(write({ refreshCookie }, PLAIN)).toBe(
      'nuvion-refresh=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Strict',
    )
    expect(write({ refreshCookie }, PUBLIC)).toBe(
      '__Host-nuvion-refresh=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure',
    )
    expect(write({ refreshCookie: null }, PUBLIC)).toBe(
      '__Host-nuvion-refresh=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure',
    )
    expect(write({}, PUBLIC)).toBeUndefined()
  })
})

describe('mayUseCookie', () => {
  it.each([
    ['mutation { signIn { a } }', true],
    ['mutation { x: refreshSession { a } }', true],
    ['mutation { ...F } fragment F on Mutation { ... { signOut { a } } }', true],
    ['mutation { registerDevice { signIn } }', false],
    ['query { signIn { a } }', false],
  ])('%s: %s', (source, expected) => {
    const document = parse(source)
    const [operation] = document.definitions
    if (operation?.kind !== 'OperationDefinition') throw new TypeError('Expected an operation first.')
    expect(mayUseCookie(operation, document)).toBe(expected)
  })
})
