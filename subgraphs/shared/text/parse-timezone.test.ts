import { describe, expect, it } from 'vitest'
import { parseTimezone } from './parse-timezone.ts'

describe('a time zone', () => {
  it('is an IANA name in its usual spelling', () => {
    expect(parseTimezone('asia/SEOUL').value).toBe('Asia/Seoul')
    expect(parseTimezone('America/Argentina/Buenos_Aires').value).toBe('America/Argentina/Buenos_Aires')
    expect(parseTimezone('America/Port-au-Prince').value).toBe('America/Port-au-Prince')
    for (const utc of ['UTC', 'utc', 'Etc/UTC']) expect(parseTimezone(utc).value).toBe('UTC')
    for (const older of ['Asia/Kolkata', 'Asia/Calcutta', 'US/Pacific', 'Asia/Ho_Chi_Minh'])
      expect(parseTimezone(older).value).toBe(older)
  })

  it('is one that Intl knows, however it lists it', () => {
    for (const name of Intl.supportedValuesOf('timeZone').filter(one => one.includes('/')))
      expect(parseTimezone(name.toLowerCase()), name).toEqual({ value: name })
  })

  it('is no offset, no abbreviation and no nonsense', () => {
    const offsets = ['+09:00', '-0500', 'UTC+9', 'GMT+9', 'Etc/GMT-9', 'Etc/GMT', 'Etc/Unknown']
    const nonsense = [
      '',
      ' ',
      'Asia/Seoul ',
      'Asia/Nowhere',
      'Asia',
      '../etc/passwd',
      'Asia/Seoul\n',
      'x'.repeat(1e6),
    ]
    for (const text of [...offsets, 'EST', 'EST5EDT', 'KST', 'SystemV/PST8', ...nonsense])
      expect(parseTimezone(text), text.slice(0, 40)).toEqual({ problem: expect.any(String) })
  })
})
