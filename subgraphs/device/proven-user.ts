import { AppError } from '../shared/errors.ts'
import { refuse } from '../shared/graphql/refusal.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import type { UserParent } from './model.ts'
import { findUsers } from './user-repository.ts'

/** Returns the signed-in user. Refuses who has not proven their address; throws UNAUTHENTICATED when they are gone. */
export async function requireProvenUser(db: Db, userId: string): Promise<UserParent> {
  const [user] = await findUsers(db, [userId])
  if (user === undefined) throw new AppError('UNAUTHENTICATED', 'Sign in first.')
  if (user.emailVerifiedAt === null)
    refuse('EMAIL_NOT_VERIFIED', null, 'Prove your e-mail address first: see verifyEmail.')
  return user
}
