import { describe, expect, it } from 'vitest'
import { createPasswordHasher, hashPassword } from './password-hasher.ts'

describe('passwords', () => {
  it('are hashed by argon2id with a salt of their own', async () => {
    const [first, second] = await Promise.all([hashPassword('secret'), hashPassword('secret')])
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(first).not.toBe(second)
  })

  it('belong to their hash and to no other', async () => {
    const checker = createPasswordHasher()
    const hash = await hashPassword('secret')
    expect(await checker.check(hash, 'secret')).toBe(true)
    expect(await checker.check(hash, 'Secret')).toBe(false)
    expect(await checker.check(undefined, 'secret')).toBe(false)
  })

  it('are the same however a keyboard composes them', async () => {
    const hasher = createPasswordHasher()
    expect(await hasher.check(await hasher.hash('caf\u00e9 ﬁ'), 'cafe\u0301 fi')).toBe(true)
  })

  it('are checked a few at a time; too many are refused, and the next are taken again', async () => {
    const checker = createPasswordHasher({ maxConcurrent: 1, maxWaiting: 2 })
    const hash = await hashPassword('secret')
    const burst = await Promise.allSettled(Array.from({ length: 5 }, () => checker.check(hash, 'secret')))
    expect(burst.map(result => result.status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ])
    expect(burst[4]).toMatchObject({ reason: { code: 'RATE_LIMITED' } })
    expect(await checker.check(hash, 'secret')).toBe(true)
  })

  it('that cannot be checked give their place back', async () => {
    const checker = createPasswordHasher({ maxConcurrent: 1, maxWaiting: 0 })
    await expect(checker.check('no hash', 'secret')).rejects.toThrow()
    expect(await checker.check(await hashPassword('secret'), 'secret')).toBe(true)
  })
})
