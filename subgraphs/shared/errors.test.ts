import { createConnection } from 'mysql2/promise'
import { describe, expect, it } from 'vitest'
import { AppError, toAppError } from './errors.ts'
import { openRedis } from './redis/open-redis.ts'

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => expect.unreachable('it should have failed'),
    error => error,
  )
}

describe('toAppError', () => {
  it('leaves an expected error as it is', () => {
    const error = new AppError('NOT_FOUND', 'There is no such space.')
    expect(toAppError(error)).toBe(error)
  })

  it('hides what was not expected and keeps it as the cause', () => {
    const bug = new TypeError('x is undefined')
    expect(toAppError(bug)).toMatchObject({ code: 'INTERNAL_SERVER_ERROR', cause: bug })
    expect(toAppError(bug).message).not.toContain('undefined')
  })

  it('says UNAVAILABLE for a database that cannot be reached', async () => {
    const error = await failureOf(createConnection({ host: '127.0.0.1', port: 1, connectTimeout: 1_000 }))
    expect(toAppError(new Error('Failed query', { cause: error }))).toMatchObject({ code: 'UNAVAILABLE' })
  })

  it('says UNAVAILABLE for a Redis that cannot be reached', async () => {
    await using client = openRedis({ url: 'redis://127.0.0.1:1', name: 'nobody', connectTimeoutMs: 500 })
    expect(toAppError(await failureOf(client.redis.get('key')))).toMatchObject({ code: 'UNAVAILABLE' })
  })
})
