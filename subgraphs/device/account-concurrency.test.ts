import { expect, it } from 'vitest'
import { user } from '../../schema/mysql/device-tables.ts'
import { openTestDatabase } from '../shared/testkit/open-test-database.ts'
import { newId } from '../shared/uuid-v7.ts'
import { createAddressTurns } from './address-turns.ts'
import { createPasswordChanges } from './password-changes.ts'
import { createSessions } from './sessions.ts'
import { createSignUps } from './sign-ups.ts'

const ADDRESSES = 20
const ROUNDS = 3

it('all that people do with accounts at once is answered: no transaction is the victim of another', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  // A hash would keep the database waiting; what is tested here is the database.
  const passwords = {
    hash: async (password: string) => `hash of ${password}`,
    check: async (hash: string | undefined) => hash !== undefined,
  }
  const revocations = { async publish() {} }
  const deps = {
    db,
    passwords,
    turns: createAddressTurns(),
    revocations,
    secret: 'a secret',
    nudgeMailer() {},
  }
  const sign = async () => ({ token: 'a token', expiresAt: new Date() })
  const sessions = createSessions({ ...deps, signer: { signUser: sign, signDevice: sign } })
  const signUps = createSignUps(deps)
  const changes = createPasswordChanges(deps)

  for (let round = 0; round < ROUNDS; round++) {
    const people = Array.from({ length: ADDRESSES }, () => ({ id: newId(), email: `${newId()}@example.com` }))
    // The others are nobody yet.
    const known = people.slice(0, ADDRESSES / 2)
    const row = { name: 'Ann', passwordHash: 'hash of old', createdAt: new Date() }
    await db.insert(user).values(known.map(person => ({ ...row, ...person })))

    const acts = people.flatMap(({ id, email }) => {
      const account = { email, password: 'password', name: 'Ann', locale: 'en' as const }
      const viewer = { kind: 'user', userId: id, sessionId: newId(), expiresAt: 0 } as const
      const signIn = async () => {
        const begun = await sessions.signIn({ email, password: 'password' })
        if (begun === null) return
        await Promise.all([sessions.refresh(begun.refreshToken), sessions.refresh(begun.refreshToken)])
      }
      return [
        () => signUps.signUp(account),
        () => signUps.signUp(account),
        () => signUps.verify({ email, code: '000000', viewer: null }),
        () => signUps.resend(email),
        () => changes.requestReset(email),
        () => changes.change(viewer, { currentPassword: 'old', newPassword: `password ${newId()}` }),
        signIn,
        signIn,
        () => sessions.end(viewer, 'all'),
      ]
    })
    const shuffled = acts.map(act => ({ act, order: Math.random() })).sort((a, b) => a.order - b.order)
    const outcomes = await Promise.allSettled(shuffled.map(({ act }) => act()))
    const failures = outcomes.filter(outcome => outcome.status === 'rejected')
    expect(failures.map(({ reason }) => String(reason.cause ?? reason))).toEqual([])
    expect(await db.$count(user)).toBe((round + 1) * ADDRESSES)
  }
})
