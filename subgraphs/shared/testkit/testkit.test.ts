import { describe, expect, it } from 'vitest'
import { openTestDatabase } from './open-test-database.ts'
import { openTestRedis } from './open-test-redis.ts'
import { waitFor } from './wait-for.ts'

describe('the testkit', () => {
  it('gives each caller a database of its own and drops it', async () => {
    const first = await openTestDatabase({ isMigrated: false })
    await using second = await openTestDatabase({ isMigrated: false })
    await first.pool.query('CREATE TABLE thing (id INT)')
    expect((await second.pool.query('SHOW TABLES'))[0]).toEqual([])
    const name = new URL(first.url).pathname.slice(1)
    await first[Symbol.asyncDispose]()
    expect((await second.pool.query('SHOW DATABASES LIKE ?', [name]))[0]).toEqual([])
  })

  it('gives each caller Redis databases of its own', async () => {
    await using first = await openTestRedis()
    await using second = await openTestRedis()
    await first.live.set('key', 'live')
    await first.ingest.set('key', 'ingest')
    expect(await first.live.get('key')).toBe('live')
    expect(await first.ingest.get('key')).toBe('ingest')
    expect(await second.live.get('key')).toBeNull()
    expect(first.liveUrl).not.toBe(second.liveUrl)
  })

  it('waits for a state and says what it waited for when that does not come', async () => {
    let asked = 0
    expect(await waitFor(() => (++asked === 3 ? 'third' : undefined))).toBe('third')
    const never = () => Promise.reject(new Error('not yet'))
    await expect(waitFor(never, { deadlineMs: 20, what: 'the moon' })).rejects.toThrow(
      /^the moon did not come about/,
    )
  })
})
