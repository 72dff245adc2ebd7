import { describe, expect, it } from 'vitest'
import type { MailParams } from '../../shared/mail/mail-outbox.ts'
import { newId } from '../../shared/uuid-v7.ts'
import { MailRefused } from './mail-transport.ts'
import { renderMail } from './render-mail.ts'
import { MAIL_TEMPLATES } from './templates/mail-templates.ts'

const site = { publicUrl: 'https://nuvion.example.com' }

const TOKEN = 'T'.repeat(43)

const PARAMS: MailParams = {
  'verify-email': { code: '482913' },
  'account-exists': {},
  'reset-password': { token: TOKEN },
  'password-changed': {},
  invitation: {
    spaceName: '수원 공장',
    inviterName: '홍길동',
    role: 'OPERATOR',
    token: TOKEN,
  },
  alert: {
    spaceName: '수원 공장',
    timezone: 'Asia/Seoul',
    unsubscribeToken: TOKEN,
    kind: 'ANOMALY',
    deviceName: 'CAM-1',
    occurredAt: '2026-11-30T14:05:00.000Z',
    severity: 'CRITICAL',
    type: '과열',
    message: '온도가 92도입니다.',
  },
  'alert-digest': {
    spaceName: '수원 공장',
    timezone: 'Asia/Seoul',
    unsubscribeToken: TOKEN,
    total: 12,
    items: [{ kind: 'OFFLINE', deviceName: 'CAM-1', occurredAt: '2026-11-30T14:05:00.000Z' }],
  },
}

const render = (template: string, params: unknown, locale = 'ko') =>
  renderMail({ id: newId(), to: 'kim@example.com', template, locale, params }, site)

describe.each(Object.keys(MAIL_TEMPLATES) as (keyof MailParams)[])('the mail %s', name => {
  it.each(['ko', 'en'])('says the same as text and as HTML, in %s', locale => {
    const mail = render(name, PARAMS[name], locale)
    expect(mail.locale).toBe(locale)
    expect(mail.subject).toMatch(/^\[NUVION\] /)
    expect(/(안내|다)$/.test(mail.subject)).toBe(locale === 'ko')
    expect(mail.html).toContain(`<html lang="${locale}">`)
    const shown = mail.html
      .replace(/<style>.*<\/style>|<title>.*<\/title>|<[^>]+>/g, ' ')
      .replace(/&#(\d+);/g, (_, charCode) => String.fromCharCode(Number(charCode)))
    for (const line of mail.text.split('\n'))
      expect(shown).toContain(line.replace(/^-- $|:$|: \S+\/unsubscribe\S+$/, '').trim())
  })

  it('is polite in Korean', () => {
    const sentences = render(name, PARAMS[name], 'ko').text.match(/[가-힣]+(?=\.)/g) ?? []
    expect(sentences.length).toBeGreaterThan(2)
    for (const sentence of sentences) expect(sentence).toMatch(/(다|까|오)$/)
  })
})

describe('renderMail', () => {
  it('shows codes and links', () => {
    expect(render('verify-email', PARAMS['verify-email']).text).toContain('\n    482913\n')
    const reset = render('reset-password', PARAMS['reset-password'])
    const url = `https://nuvion.example.com/reset-password#token=${TOKEN}`
    expect(reset.text).toContain(`\n${url}\n`)
    expect(reset.html).toContain(`href="${url}"`)
    const invited = render('invitation', PARAMS.invitation)
    expect(invited.text).toContain(`\nhttps://nuvion.example.com/invitation#token=${TOKEN}\n`)
    expect(render('account-exists', {}).text).toContain('https://nuvion.example.com/')
  })

  it('tells alerts in the time zone of their space, with a link that ends them', () => {
    const korean = render('alert', PARAMS.alert)
    expect(korean.subject).toBe('[NUVION] 심각 이상: 과열 — ‘CAM-1’ 안내')
    expect(korean.text).toContain('오후 11:05')
    expect(korean.unsubscribeUrl).toBe(`https://nuvion.example.com/unsubscribe/${TOKEN}`)
    expect(korean.html).toContain(`href="${korean.unsubscribeUrl}"`)
    const english = render('alert', { ...PARAMS.alert, kind: 'OFFLINE', timezone: 'Nowhere/At-all' }, 'en')
    expect(english.subject).toBe('[NUVION] “CAM-1” is offline')
    expect(english.text).toContain('14:05 UTC: “CAM-1” has been offline since.')
    expect(render('alert-digest', PARAMS['alert-digest'], 'en').text).toContain('And 11 more.')
    expect(render('verify-email', PARAMS['verify-email'])).not.toHaveProperty('unsubscribeUrl')
  })

  it('says roles and moments in the words of the language', () => {
    const params = { ...PARAMS.invitation, expiresAt: '2026-12-07T09:00:00.000Z' }
    expect(render('invitation', params).text).toMatch(/‘홍길동’ 님이 ‘수원 공장’ 스페이스에 운영자 역할로/)
    expect(render('invitation', params).text).toContain('2026년 12월 7일 오후 6:00 GMT+9까지')
    expect(render('invitation', params, 'en').text).toMatch(/7 December 2026 at 0?9:00 UTC/)
    expect(render('invitation', PARAMS.invitation).text).not.toContain('유효합니다')
  })

  it('escapes what users have typed, and keeps it in its line', () => {
    const spaceName = `<img src=x onerror="alert('1')">&\r\n\r\nBcc: eve@example.com`
    const mail = render('invitation', {
      ...PARAMS.invitation,
      spaceName,
      inviterName: `\u202e</title><script>`,
    })
    expect(mail.html).not.toMatch(/<img|<script|onerror="/)
    expect(mail.html).toContain('&#60;img src=x onerror=&#34;alert(&#39;1&#39;)&#34;&#62;&#38; Bcc:')
    expect(mail.subject).not.toMatch(/[\r\n\u202e]/)
    expect(mail.text).not.toMatch(/^Bcc/m)
  })

  it('cuts names that are too long to read', () => {
    const mail = render('invitation', { ...PARAMS.invitation, spaceName: '공'.repeat(128) }, 'en')
    expect(mail.subject).toBe(`[NUVION] Invitation to the space “${'공'.repeat(59)}…”`)
  })

  it('answers other languages in English', () => {
    expect(render('account-exists', {}, 'fr').locale).toBe('en')
  })

  it.each([
    ['no-such-mail', {}],
    ['constructor', {}],
    ['verify-email', {}],
    ['verify-email', null],
    ['verify-email', { code: '<b>12</b>' }],
    ['invitation', { ...PARAMS.invitation, role: 'KING' }],
    ['invitation', { ...PARAMS.invitation, token: '@evil.example.com/#aaaaaaaa' }],
    ['reset-password', { token: 'short' }],
  ])('refuses %s %j for good', (template, params) => {
    expect(() => render(template, params)).toThrow(MailRefused)
  })

  it('repeats no secret in a refusal', () => {
    const token = 'S3CRET S3CRET S3CRET'
    expect(() => render('reset-password', { token })).toThrow(
      /^The params of reset-password cannot be used: token: invalid_format$/,
    )
  })
})
