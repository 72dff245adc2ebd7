import { describe, expect, it } from 'vitest'
import { parsePresenceValue, serializePresenceValue } from './presence-value.ts'

describe('the presence value', () => {
  const value = {
    generation: 1_764_500_000_001,
    online: true,
    lastSeenAt: 1_764_500_000_123,
    doorId: '5f7c9a54-8f0e-4d0c-a5d8-0d3d8d2a7c11',
    spaceId: '01939d6e-7c00-7000-8000-000000000001',
  }

  it('reads back what it wrote', () => {
    expect(parsePresenceValue(serializePresenceValue(value))).toEqual(value)
    const offline = { ...value, online: false }
    expect(parsePresenceValue(serializePresenceValue(offline))).toEqual(offline)
  })

  it('answers null for a missing key and for anything else', () => {
    for (const text of [
      null,
      undefined,
      '',
      '1|1|2|door',
      '1|2|3|door|space',
      'x|1|3|door|space',
      '1|1|3|d|s|t',
    ])
      expect(parsePresenceValue(text)).toBeNull()
  })
})
