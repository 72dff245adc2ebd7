import { afterAll, describe, expect, it } from 'vitest'
import { openTestDatabase } from '../shared/testkit/open-test-database.ts'
import { openTestRedis } from '../shared/testkit/open-test-redis.ts'
import { newId } from '../shared/uuid-v7.ts'
import { openAccountFixture } from './account-fixture.ts'
import { createAddressTurns } from './address-turns.ts'

const database = await openTestDatabase()
const redis = await openTestRedis()
const people = await openAccountFixture(database, redis)
afterAll(async () => {
  await people[Symbol.asyncDispose]()
  await Promise.all([database[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
})

describe('what is asked of an address at once', () => {
  /** The most transactions that were open at once. */
  async function mostOpen(email: string): Promise<number> {
    database.statements.length = 0
    await Promise.all([
      ...Array.from({ length: 5 }, () =>
        people.mutate('verifyEmail', { email, code: '000000' }, 'user { id }'),
      ),
      people.mutate('resendVerification', { email }, 'accepted'),
      people.mutate('requestPasswordReset', { email }, 'accepted'),
    ])
    let [open, most] = [0, 0]
    for (const sql of database.statements) {
      if (sql === 'begin') most = Math.max(most, ++open)
      if (sql === 'commit') open--
    }
    return most
  }

  it('is done one after the other, whether it has an account or not, so that time does not tell', async () => {
    const known = `${newId()}@example.com`
    await people.createAccount(known, 'correct horse')
    expect(await mostOpen(known)).toBe(1)
    expect(await mostOpen(`${newId()}@example.com`)).toBe(1)
  })

  it('goes on after what failed, does not wait for other addresses, and is refused past a bound', async () => {
    const turns = createAddressTurns()
    const gate = Promise.withResolvers<void>()
    const failing = turns.take('ann', async () => {
      await gate.promise
      throw new Error('no luck')
    })
    const waiting = Array.from({ length: 99 }, (_, i) => turns.take('ann', async () => i))
    await expect(turns.take('ann', async () => 0)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    expect(await turns.take('bob', async () => 'at once')).toBe('at once')
    gate.resolve()
    await expect(failing).rejects.toThrow('no luck')
    expect(await Promise.all(waiting)).toEqual(waiting.map((_, i) => i))
    expect(await turns.take('ann', async () => 'again')).toBe('again')
  })
})
