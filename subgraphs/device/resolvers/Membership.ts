import { AppError } from '../../shared/errors.ts'
import type { MembershipResolvers } from '../resolver-types.generated.ts'

/** Members of a space see one another. */
export const Membership: MembershipResolvers = {
  async user({ userId }, _, { loaders }) {
    const user = await loaders.userById.load(userId)
    if (user === null) throw new AppError('NOT_FOUND', 'This person is gone.')
    return user
  },
}
