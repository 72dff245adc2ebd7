import { describe, expect, it } from 'vitest'
import { isMailAddress, parseMailSender } from './mail-address.ts'

describe('parseMailSender', () => {
  it.each([
    ['nuvion@example.com', { name: '', address: 'nuvion@example.com' }],
    ['<nuvion@example.com>', { name: '', address: 'nuvion@example.com' }],
    ['누비온 알림 <nuvion@example.com>', { name: '누비온 알림', address: 'nuvion@example.com' }],
    ['"NUVION, Inc." <nuvion@localhost>', { name: 'NUVION, Inc.', address: 'nuvion@localhost' }],
  ])('reads %s', (text, sender) => {
    expect(parseMailSender(text)).toEqual(sender)
  })

  it.each(['', 'nuvion', 'a@b, c@d', 'NUVION <a@b> <c@d>', 'a@b\r\nBcc: c@d', 'x\r\nBcc: c@d <a@b>'])(
    'refuses %j',
    text => {
      expect(() => parseMailSender(text)).toThrow(TypeError)
    },
  )
})

describe('isMailAddress', () => {
  it('knows an address of 254 characters and none longer', () => {
    const domain = `${'d'.repeat(245)}.kr`
    expect(isMailAddress(`abcde@${domain}`)).toBe(true)
    expect(isMailAddress(`abcdef@${domain}`)).toBe(false)
  })
})
