import { toPayload } from '../../shared/graphql/refusal.ts'
import { requireRight } from '../../shared/permissions/rights-table.ts'
import { changeSettings } from '../alerts/settings-change.ts'
import type { MutationResolvers } from '../resolver-types.generated.ts'

export const alertMutations: Pick<MutationResolvers, 'updateNotificationSettings'> = {
  async updateNotificationSettings(_, { input }, { viewer, access, db, allowsPrivateWebhooks }) {
    const { spaceId } = input
    const { user } = await requireRight(access, viewer, spaceId, 'space.read')
    const key = { spaceId, userId: user.userId }
    return await toPayload('settings', () =>
      changeSettings(db, key, input, { allowPrivate: allowsPrivateWebhooks }),
    )
  },
}
