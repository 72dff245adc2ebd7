import { expect, it } from 'vitest'
import { sql } from '../../../schema/mysql/drizzle.ts'
import { openTestDatabase } from '../testkit/open-test-database.ts'
import { SELECT_OF_DEADLINE, STATEMENT_OF_DEADLINE, tellDeadline } from './read-deadline.ts'

it('a statement that begins with what it is made of is broken off too, with what to do about it', async () => {
  await using database = await openTestDatabase({ isMigrated: false })
  const slow = sql`${STATEMENT_OF_DEADLINE} WITH one AS (SELECT 20 AS seconds)
    ${SELECT_OF_DEADLINE} SLEEP(seconds) FROM one`
  await expect(tellDeadline(database.db.execute(slow), 'take less.')).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: 'Finding these takes more than 3 s: take less.',
  })
})
