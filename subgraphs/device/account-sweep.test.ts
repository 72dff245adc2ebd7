import { afterAll, beforeAll, expect, it } from 'vitest'
import { emailCode, refreshToken, session } from '../../schema/mysql/device-tables.ts'
import { createLogger } from '../shared/logger.ts'
import { openMysql } from '../shared/mysql/open-mysql.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { waitFor } from '../shared/testkit/wait-for.ts'
import { newId, newIdAt } from '../shared/uuid-v7.ts'
import { startAccountSweep } from './account-sweep.ts'
import { createSecret, digestSecret } from './opaque-secret.ts'

const logger = createLogger({ level: 'silent', role: 'test' })
const HOUR_MS = 60 * 60_000
let database: TestDatabase

beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())

const ago = (ms: number) => new Date(Date.now() - ms)
const digest = () => digestSecret(createSecret())

it('what has expired goes, what is good or has just expired stays', async () => {
  const { db } = database
  const [good, fresh, old] = [newId(), newId(), newId()]
  const code = { purpose: 'verify-email' as const, createdAt: ago(0) }
  await db.insert(emailCode).values([
    { ...code, userId: good, digest: digest(), expiresAt: ago(-HOUR_MS) },
    { ...code, userId: fresh, digest: digest(), expiresAt: ago(HOUR_MS / 2) },
    ...Array.from({ length: 2_500 }, () => ({
      ...code,
      userId: newId(),
      digest: digest(),
      expiresAt: ago(2 * HOUR_MS),
    })),
  ])
  const aged = (days: number) => newIdAt(Date.now() - days * 24 * HOUR_MS)
  const [used, spent, young] = [aged(40), aged(40), newId()]
  await db.insert(session).values([used, spent, young].map(id => ({ id, userId: old, createdAt: ago(0) })))
  await db.insert(refreshToken).values([
    { digest: digest(), sessionId: used, createdAt: ago(0), expiresAt: ago(-HOUR_MS) },
    { digest: digest(), sessionId: spent, createdAt: ago(0), expiresAt: ago(2 * HOUR_MS) },
  ])

  await using _ = startAccountSweep({ db, logger })
  await waitFor(async () => (await db.$count(session)) === 2, { what: 'the end of the sweep' })
  const codes = await db.select({ id: emailCode.userId }).from(emailCode)
  expect(codes.map(({ id }) => id).sort()).toEqual([good, fresh].sort())
  const sessions = await db.select({ id: session.id }).from(session)
  expect(sessions.map(({ id }) => id).sort()).toEqual([used, young].sort())
  expect(await db.$count(refreshToken)).toBe(1)
})

it('goes on after a database that was away, and stops when it is told to', async () => {
  const lines: string[] = []
  const warning = createLogger({
    level: 'warn',
    role: 'test',
    destination: { write: line => void lines.push(line) },
  })
  await using nowhere = openMysql({ url: 'mysql://root@127.0.0.1:1/none' })
  await using _ = startAccountSweep({ db: nowhere.db, logger: warning, intervalMs: 5 })
  await waitFor(() => lines.length > 2, { what: 'three attempts' })
  expect(lines[0]).toContain('account_sweep.failed')
})
