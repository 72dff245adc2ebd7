import { describe, expect, it } from 'vitest'
import { parseEmail } from './parse-email.ts'

const expectRefused = (...texts: string[]) => {
  for (const text of texts)
    expect(parseEmail(text), JSON.stringify(text)).toEqual({ problem: expect.any(String) })
}

describe('an e-mail address', () => {
  it('is lower case, without spaces around it', () => {
    expect(parseEmail(' Ann.O+x@Example.COM ')).toEqual({ value: 'ann.o+x@example.com' })
    expect(parseEmail("o'neil_1%x@mail.example.co.kr").value).toBe("o'neil_1%x@mail.example.co.kr")
  })

  it('has its international domain in ASCII, so that one address has one spelling', () => {
    expect(parseEmail('ann@M\u00fcnchen.example').value).toBe('ann@xn--mnchen-3ya.example')
    expect(parseEmail('ann@mu\u0308nchen.example').value).toBe('ann@xn--mnchen-3ya.example')
    expect(parseEmail('ann@한국.kr').value).toBe('ann@xn--3e0b707e.kr')
    // Cyrillic letters that look like "apple".
    expect(parseEmail('ann@аррӏе.com').value).toBe('ann@xn--80ak6aa92e.com')
  })

  it('has one @, a plain local part and a domain of labels', () => {
    expectRefused(
      '',
      '@',
      'ann',
      'ann@',
      '@example.com',
      'a@b@example.com',
      'ann@localhost',
      'ann@example..com',
    )
    expectRefused(
      'ann@-x.com',
      'ann@x-.com',
      'ann@127.0.0.1',
      'ann@[127.0.0.1]',
      'ann@1.2',
      'ann@example.com.',
    )
    expectRefused(
      '.ann@example.com',
      'a..b@example.com',
      'ann.@example.com',
      '"a b"@example.com',
      'a(b)@example.com',
    )
    expectRefused(
      'ann <ann@example.com>',
      'ann@example.com,bob@example.com',
      'ann@ex%61mple.com',
      'ann@x/y.com',
    )
  })

  it('holds nothing that could break a header or hide', () => {
    for (const bad of [
      '\r\nBcc: x@y.z',
      '\n',
      '\r',
      '\t',
      '\0',
      '\u2028',
      '\u0085',
      '\u200b',
      '\u202e',
      '%0a ',
    ])
      expectRefused(`ann${bad}@example.com`, `ann@example.com${bad}`, `${bad}ann@example.com`)
    expectRefused(
      '\u0430nn@example.com',
      '\u212aim@example.com',
      'ann@exam\u00adple.com',
      '\ud800@example.com',
    )
  })

  it('has 254 characters at most, 64 of them before the @', () => {
    const domain = `${'x'.repeat(63)}.${'y'.repeat(63)}.${'z'.repeat(61)}`
    expect(parseEmail(`${'a'.repeat(64)}@${domain}`).value).toHaveLength(254)
    expectRefused(`${'a'.repeat(64)}@${domain}z`, `${'a'.repeat(65)}@example.com`, `a@${'x'.repeat(64)}.com`)
    expectRefused('x'.repeat(10_000_000), `${'@'.repeat(400)}`)
  })
})
