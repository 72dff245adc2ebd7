import { parseValue } from 'graphql'
import { describe, expect, it } from 'vitest'
import { DateTime, JsonObject } from './scalars.ts'

const badInput = expect.objectContaining({ extensions: { code: 'BAD_USER_INPUT' } })

describe('DateTime', () => {
  it.each([
    ['2026-01-31T08:00:00Z', '2026-01-31T08:00:00.000Z'],
    ['2026-01-31T08:00:00+09:00', '2026-01-30T23:00:00.000Z'],
    ['2026-01-31T08:00:00.5-00:30', '2026-01-31T08:30:00.500Z'],
    ['2026-01-31T08:00:00.123456789Z', '2026-01-31T08:00:00.123Z'],
    ['2026-01-31t08:00z', '2026-01-31T08:00:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ])('reads %s', (text, utc) => {
    expect(DateTime.parseValue(text).toISOString()).toBe(utc)
    expect(DateTime.parseLiteral(parseValue(JSON.stringify(text))).toISOString()).toBe(utc)
  })

  it.each([
    '2026-01-31T08:00:00',
    '2026-01-31',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T25:00:00Z',
    '2026-01-01T00:00:00+99:00',
    'yesterday',
    '',
    1_700_000_000_000,
    null,
  ])('refuses %j', value => {
    expect(() => DateTime.parseValue(value)).toThrow(badInput)
  })

  it('refuses a literal that is no string', () => {
    expect(() => DateTime.parseLiteral(parseValue('5'))).toThrow(badInput)
  })

  it('writes UTC with milliseconds', () => {
    expect(DateTime.serialize(new Date(0))).toBe('1970-01-01T00:00:00.000Z')
    expect(DateTime.serialize(1)).toBe('1970-01-01T00:00:00.001Z')
    expect(() => DateTime.serialize('1970-01-01')).toThrow(TypeError)
  })
})

describe('JSON', () => {
  it('reads and writes objects', () => {
    expect(JsonObject.parseValue({ a: [1] })).toEqual({ a: [1] })
    expect(JsonObject.parseLiteral(parseValue('{ a: [1, $b] }'), { b: 2 })).toEqual({ a: [1, 2] })
    expect(JsonObject.serialize({ a: 1 })).toEqual({ a: 1 })
  })

  it.each([[[1]], ['text'], [1], [true], [null]])('refuses %j', value => {
    expect(() => JsonObject.parseValue(value)).toThrow(badInput)
    expect(() => JsonObject.serialize(value)).toThrow(TypeError)
  })
})
