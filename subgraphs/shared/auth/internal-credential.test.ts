import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  INTERNAL_LIFETIME_MS,
  openInternalCredential,
  sealInternalCredential,
} from './internal-credential.ts'

const SECRET = 'a secret that all roles of the site share'
const claims = {
  viewer: { kind: 'user', userId: 'u', sessionId: 's', expiresAt: 9 },
  requestId: 'r',
} as const

describe('an internal credential', () => {
  it('carries its claims to who shares the secret', () => {
    expect(openInternalCredential(SECRET, sealInternalCredential(SECRET, claims))).toEqual(claims)
    const resumed = {
      ...claims,
      grant: { spaceId: 'f', role: 'OPERATOR' },
      start: { after: '1-0.3', isReplay: true },
    } as const
    expect(openInternalCredential(SECRET, sealInternalCredential(SECRET, resumed))).toEqual(resumed)
    const nobody = { viewer: null, requestId: 'r' }
    expect(openInternalCredential(SECRET, sealInternalCredential(SECRET, nobody))).toEqual(nobody)
  })

  it('says nothing to who has another secret', () => {
    expect(openInternalCredential(`${SECRET}.`, sealInternalCredential(SECRET, claims))).toBeNull()
  })

  it('expires', () => {
    const sealed = sealInternalCredential(SECRET, claims, 1_000)
    expect(openInternalCredential(SECRET, sealed, 999 + INTERNAL_LIFETIME_MS)).toEqual(claims)
    expect(openInternalCredential(SECRET, sealed, 1_000 + INTERNAL_LIFETIME_MS)).toBeNull()
  })

  it('is refused when a character of it has changed', () => {
    const sealed = sealInternalCredential(SECRET, claims)
    for (const at of [0, 5, sealed.indexOf('.') + 1]) {
      const other = sealed[at] === 'A' ? 'B' : 'A'
      const changed = sealed.slice(0, at) + other + sealed.slice(at + 1)
      expect(openInternalCredential(SECRET, changed)).toBeNull()
    }
  })

  it.each(['', '.', 'a.b', 'no dot', `${'x'.repeat(10_000)}.y`])('is refused as %j', sealed => {
    expect(openInternalCredential(SECRET, sealed)).toBeNull()
  })

  it('without an end is refused even when it is signed', () => {
    const body = Buffer.from(JSON.stringify(claims)).toString('base64url')
    const signature = createHmac('sha256', SECRET).update(body).digest('base64url')
    expect(openInternalCredential(SECRET, `${body}.${signature}`)).toBeNull()
  })
})
