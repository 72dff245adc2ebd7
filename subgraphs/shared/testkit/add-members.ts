import { membership, user } from '../../../schema/mysql/device-tables.ts'
import { eq } from '../../../schema/mysql/drizzle.ts'
import type { Db } from '../mysql/open-mysql.ts'
import type { Role } from '../space-access.ts'
import { newId } from '../uuid-v7.ts'

/** Adds people to a space, who sign in with the demo's password. Answers their e-mail addresses. */
export async function addMembers(
  db: Db,
  { spaceId, count, role = 'VIEWER' }: { spaceId: string; count: number; role?: Role },
): Promise<string[]> {
  const [demo] = await db.select().from(user).where(eq(user.email, 'demo@nuvion.local'))
  if (demo === undefined) throw new Error('Expected the demo data, got none.')
  const people = Array.from({ length: count }, () => {
    const id = newId()
    return { ...demo, id, email: `${id}@nuvion.local` }
  })
  await db.insert(user).values(people)
  const joinedAt = new Date()
  await db.insert(membership).values(people.map(({ id }) => ({ spaceId, userId: id, role, joinedAt })))
  return people.map(({ email }) => email)
}
