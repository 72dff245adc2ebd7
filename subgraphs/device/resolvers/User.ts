import { isUuidV7 } from '../../shared/uuid-v7.ts'
import type { UserResolvers } from '../resolver-types.generated.ts'

/** Of people, callers see themselves, and those that they meet as members of a space. */
export const User: UserResolvers = {
  __resolveReference: async ({ id }, { viewer, memberLoaders }) =>
    viewer?.kind === 'user' && isUuidV7(id) ? memberLoaders.fellowOf(viewer.userId).load(id) : null,
  emailVerified: ({ emailVerifiedAt }) => emailVerifiedAt !== null,
  locale: ({ id, locale }, _, { viewer }) =>
    viewer?.kind === 'user' && viewer.userId === id ? (locale === 'ko' ? 'KO' : 'EN') : null,
}
