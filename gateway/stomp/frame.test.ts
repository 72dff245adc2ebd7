import { describe, expect, it } from 'vitest'
import { escapeHeader, ProtocolError, STOMP_VERSIONS, serializeFrame, unescapeHeader } from './frame.ts'

describe('header escapes', () => {
  it('are undone per version: none in 1.0, \\n \\c \\\\ in 1.1, \\r too in 1.2', () => {
    expect(unescapeHeader('a\\nb\\cc\\\\d', '1.0')).toBe('a\\nb\\cc\\\\d')
    expect(unescapeHeader('a\\nb\\cc\\\\d', '1.1')).toBe('a\nb:c\\d')
    expect(unescapeHeader('a\\rb', '1.2')).toBe('a\rb')
    expect(unescapeHeader('\\\\c', '1.2')).toBe('\\c')
  })

  it('that the version does not define are refused', () => {
    expect(() => unescapeHeader('a\\rb', '1.1')).toThrow(ProtocolError)
    expect(() => unescapeHeader('a\\tb', '1.2')).toThrow(ProtocolError)
    expect(() => unescapeHeader('a\\', '1.2')).toThrow(ProtocolError)
    expect(() => unescapeHeader('a\\\n', '1.2')).toThrow(ProtocolError)
  })

  it.each(STOMP_VERSIONS)('written for %s never break the frame and read back as they were', version => {
    const value = 'a:b\\c\nd'
    const escaped = escapeHeader(value, version)
    expect(escaped).not.toContain('\n')
    if (version !== '1.0') expect(unescapeHeader(escaped, version)).toBe(value)
  })
})

describe('a serialized frame', () => {
  it('has its length in bytes, and only with a body', () => {
    expect(serializeFrame('RECEIPT', { 'receipt-id': 'a:1' }, '', '1.2')).toBe(
      'RECEIPT\nreceipt-id:a\\c1\n\n\0',
    )
    expect(serializeFrame('MESSAGE', { destination: '/q', skipped: undefined }, 'é', '1.2')).toBe(
      'MESSAGE\ndestination:/q\ncontent-length:2\n\né\0',
    )
  })

  it('echoes what a client wrote as it wrote it', () => {
    const written = { 'receipt-id': 'a:\\c', subscription: undefined }
    expect(serializeFrame('RECEIPT', {}, '', '1.2', written)).toBe('RECEIPT\nreceipt-id:a:\\c\n\n\0')
  })

  it('is not escaped when it is CONNECTED', () => {
    expect(serializeFrame('CONNECTED', { version: '1.2', session: 'a:b' }, '', '1.2')).toContain(
      'session:a:b\n',
    )
  })
})
