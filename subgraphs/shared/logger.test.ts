import { Writable } from 'node:stream'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { mailOutbox } from '../../schema/mysql/device-tables.ts'
import { createLogger } from './logger.ts'
import { openTestDatabase } from './testkit/open-test-database.ts'

const database = await openTestDatabase()
afterAll(() => database[Symbol.asyncDispose]())

const SECRET = 'token-of-a-mail'

/** A logger, and the lines that it writes. */
function openLogger() {
  const lines: string[] = []
  const destination = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk))
      done()
    },
  })
  return { logger: createLogger({ level: 'info', role: 'test', destination }), lines }
}

/** The line that a logger writes for an error. */
function lineOf(err: unknown): string {
  const { logger, lines } = openLogger()
  logger.error({ err }, 'test.failed')
  return lines.join('')
}

const failureOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => Promise.reject(new Error('Expected a failure.')),
    error => error,
  )

describe('an error in the log', () => {
  const row: typeof mailOutbox.$inferInsert = {
    id: 'x'.repeat(100),
    recipient: 'ann@example.com',
    template: 'reset-password',
    locale: 'en',
    params: { token: SECRET },
    createdAt: new Date(),
  }

  it('of a statement says which and why, and none of its values', async () => {
    const error = await failureOf(Promise.resolve(database.db.insert(mailOutbox).values(row)))
    for (const err of [error, new Error('The mail was not kept', { cause: error })]) {
      const line = lineOf(err)
      expect(line).toContain('insert into `mail_outbox`')
      expect(line).toContain("Data too long for column 'id'")
      expect(line).toContain('logger.test.ts')
      expect(line).not.toContain(SECRET)
      expect(line).not.toContain('ann@example.com')
    }
  })

  it('of a statement that the driver has put values into has none either', async () => {
    const error = await failureOf(database.pool.query('SELECT ? FROM no_such_table', [SECRET]))
    const line = lineOf(error)
    expect(line).toContain('ER_NO_SUCH_TABLE')
    expect(line).not.toContain(SECRET)
  })

  it('is not changed itself', async () => {
    const error = await failureOf(Promise.resolve(database.db.insert(mailOutbox).values(row)))
    const before = { message: error.message, stack: error.stack }
    lineOf(error)
    expect({ message: error.message, stack: error.stack }).toEqual(before)
  })
})

describe('lines of one event', () => {
  afterEach(() => void vi.useRealTimers())

  it('are 20 a second from warnings on; the next one says how many were left out', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 })
    const { logger, lines } = openLogger()
    const ofEvent = (name: string) =>
      lines.map(line => JSON.parse(line)).filter(({ event }) => event === name)
    for (let i = 0; i < 100; i++) {
      logger.error({ i }, 'test.failed')
      logger.child({}).warn({ i }, 'test.slow')
      logger.info({ i }, 'test.told')
    }
    expect(ofEvent('test.failed').map(({ i }) => i)).toEqual(Array.from({ length: 20 }, (_, i) => i))
    expect(ofEvent('test.slow')).toHaveLength(20)
    expect(ofEvent('test.told')).toHaveLength(100)
    vi.setSystemTime(1_001_000)
    for (let i = 100; i < 102; i++) logger.error({ i }, 'test.failed')
    expect(ofEvent('test.failed').slice(20)).toEqual([
      expect.objectContaining({ i: 100, leftOut: 80 }),
      expect.not.objectContaining({ leftOut: expect.anything() }),
    ])
  })
})
