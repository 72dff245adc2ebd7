import { describe, expect, it } from 'vitest'
import { parseName } from './parse-name.ts'

const expectRefused = (...texts: string[]) => {
  for (const text of texts)
    expect(parseName(text), JSON.stringify(text)).toEqual({ problem: expect.any(String) })
}

describe('a name', () => {
  it('is trimmed, composed, and spaced once', () => {
    expect(parseName('  Große \u00a0 Presse\u3000')).toEqual({ value: 'Große Presse' })
    expect(parseName('cafe\u0301')).toEqual({ value: 'caf\u00e9' })
    expect(parseName('\u1112\u1161\u11ab\u1100\u116e\u11a8')).toEqual({ value: '한국' })
  })

  it('may be of any script, and hold emoji and symbols', () => {
    for (const name of [
      '2공장 Press-A',
      'Цех №5',
      'ไทยที่',
      'Ω-Line',
      'µSensor',
      '工場（東）',
      '👩‍🔧 ❤️ 🇰🇷',
      "O'Neil & Söhne",
      '-',
    ])
      expect(parseName(name)).toEqual({ value: name })
  })

  it('has 1 to 128 characters, however many units they take', () => {
    expect(parseName('🏭'.repeat(128)).value).toHaveLength(256)
    expectRefused('', ' ', '\u3000', '🏭'.repeat(129), 'x'.repeat(10_000_000))
    expect(parseName('', { min: 0 })).toEqual({ value: '' })
    expect(parseName('abc', { max: 2 })).toEqual({ problem: 'has 1 to 2 characters.' })
  })

  it('holds nothing that cannot be seen or turns its surroundings', () => {
    const unseen = [
      '\u0000',
      '\n',
      '\r',
      '\t',
      '\u009f',
      '\u2028',
      '\u202e',
      '\u2066',
      '\u200b',
      '\u200d',
      '\u00ad',
    ]
    const fillers = [
      '\ufeff',
      '\u3164',
      '\u115f',
      '\uffa0',
      '\u2800',
      '\u{e0041}',
      '\ue000',
      '\ud800',
      '\ufe0f',
    ]
    expectRefused(...[...unseen, ...fillers].flatMap(one => [`a${one}b`, one]))
  })

  it('is not of marks alone, nor begins with one, nor piles them up', () => {
    expectRefused('\u0301', '\u0301\u0302', '\u0301a', `a${'\u0336'.repeat(30)}`)
  })

  it('mixes no alphabets that look alike in one word', () => {
    expectRefused('\u0410dmin', 'pаypal', 'Αdmin', 'the Вoss')
    expect(parseName('Admin Админ').value).toBe('Admin Админ')
  })
})
