import { describe, expect, it } from 'vitest'
import {
  createSetKey,
  findComingKey,
  findSigningKey,
  KEY_OVERLAP_MS,
  LONGEST_TOKEN_LIFETIME_MS,
  parseKeySet,
  pruneKeys,
  rotateKeys,
  serializeKeySet,
} from './key-set.ts'

const T = Date.parse('2026-01-01T00:00:00Z')
const MINUTE = 60_000
const old = await createSetKey(T)

describe('a rotation', () => {
  it('publishes a key before it signs, and keeps the old one until the last of its tokens has expired', async () => {
    const keys = await rotateKeys([old], T)
    const next = findComingKey(keys, T)
    const switchAt = T + KEY_OVERLAP_MS
    expect(next).toMatchObject({ signsFrom: switchAt, verifiesUntil: Infinity })
    expect(findSigningKey(keys, switchAt - 1)?.kid).toBe(old.kid)
    expect(findSigningKey(keys, switchAt)?.kid).toBe(next?.kid)

    const halves = (now: number) =>
      pruneKeys(keys, now).map(({ kid, d }) => [kid === old.kid ? 'old' : 'new', d !== undefined])
    const both = [
      ['new', true],
      ['old', true],
    ]
    expect(halves(switchAt - 1)).toEqual(both)
    expect(halves(switchAt + MINUTE)).toEqual(both)
    const publicOnly = [
      ['new', true],
      ['old', false],
    ]
    expect(halves(switchAt + 5 * MINUTE)).toEqual(publicOnly)
    // A token that a slow clock has signed a little after the switch.
    expect(halves(switchAt + LONGEST_TOKEN_LIFETIME_MS + 4 * MINUTE)).toEqual(publicOnly)
    expect(halves(switchAt + LONGEST_TOKEN_LIFETIME_MS + 5 * MINUTE)).toEqual([['new', true]])
  })

  it('changes nothing while a key is coming, nor does pruning what needs none', async () => {
    const keys = await rotateKeys([old], T)
    expect(await rotateKeys(keys, T + 1)).toBe(keys)
    expect(pruneKeys(keys, T + 1)).toBe(keys)
    const next = await rotateKeys(keys, T + KEY_OVERLAP_MS)
    expect(next).toHaveLength(3)
    expect(next[2]?.verifiesUntil).toBe(keys[1]?.verifiesUntil)
  })

  it('never takes out the last key', () => {
    const over = [{ ...old, verifiesUntil: T + 1 }]
    expect(pruneKeys(over, T + 2)).toBe(over)
  })
})

describe('the key that signs', () => {
  it('is the first of those that do not say since when', async () => {
    const [a, b] = [await createSetKey(-Infinity), await createSetKey(-Infinity)]
    expect(findSigningKey([a, b], T)).toBe(a)
    expect(findSigningKey([{ ...a, d: undefined }, b], T)).toEqual(b)
    expect(findSigningKey([{ ...a, d: undefined }], T)).toBeUndefined()
    // Keys that somebody put in by hand stay as they are.
    const keys = [a, b, old]
    expect(pruneKeys(keys, T + MINUTE * 60)).toBe(keys)
  })

  it('is the earliest to come for a clock that is slow', () => {
    const later = { ...old, kid: 'later', signsFrom: T + 2 }
    expect(findSigningKey([later, old], T - 1)).toBe(old)
  })

  it('is none that is over', () => {
    expect(findSigningKey([{ ...old, verifiesUntil: T + 1 }], T + 1)).toBeUndefined()
  })
})

describe('a serialized set', () => {
  it('reads as it was, with moments and without', async () => {
    const keys = await rotateKeys(
      [
        { ...old, signsFrom: -Infinity },
        { ...old, kid: 'b', d: undefined },
      ],
      T,
    )
    expect(await parseKeySet(serializeKeySet(keys), 'here')).toEqual(keys)
  })

  it.each([
    ['a moment without a zone', { signsFrom: '2026-01-01T00:00:00' }],
    ['a moment that is a number', { verifiesUntil: 1 }],
    ['an endless id', { kid: 'x'.repeat(129) }],
    ['another curve', { crv: 'X25519' }],
  ])('with %s is refused, without repeating a key', async (_, change) => {
    const [entry] = JSON.parse(serializeKeySet([old])).keys
    const refusal = await parseKeySet(JSON.stringify({ keys: [{ ...entry, ...change }] }), 'here').catch(
      error => String(error),
    )
    expect(refusal).toMatch(/signing keys here are no JWKS of Ed25519 keys/)
    expect(refusal).not.toContain(old.d)
  })

  it('of more than 100 keys is refused', async () => {
    const keys = Array.from({ length: 101 }, (_, i) => ({ ...old, kid: String(i) }))
    await expect(parseKeySet(serializeKeySet(keys), 'here')).rejects.toThrow(/no JWKS/)
  })
})
