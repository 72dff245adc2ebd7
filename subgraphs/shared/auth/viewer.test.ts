import { describe, expect, it } from 'vitest'
import { requireUser } from './viewer.ts'

describe('requireUser', () => {
  it('returns the user, asks nobody to sign in, and refuses a device', () => {
    const user = { kind: 'user', userId: 'u', sessionId: 's', expiresAt: 1 } as const
    expect(requireUser(user)).toBe(user)
    expect(() => requireUser(null)).toThrow(expect.objectContaining({ code: 'UNAUTHENTICATED' }))
    const device = { kind: 'device', deviceId: 'd', spaceId: 's', expiresAt: 1 } as const
    expect(() => requireUser(device)).toThrow(expect.objectContaining({ code: 'FORBIDDEN' }))
  })
})
