import { requireUser } from '../../shared/auth/viewer.ts'
import { readPage, toConnection } from '../../shared/graphql/connection.ts'
import { requireRight } from '../../shared/permissions/rights-table.ts'
import { listAlerts, type ToldAlert } from '../alerts/alert-history.ts'
import { findSettings } from '../alerts/settings-repository.ts'
import type { QueryResolvers } from '../resolver-types.generated.ts'

const ALERT_CURSOR = { kind: 'alert', parts: ['id'] } as const

export const alertQueries: Pick<QueryResolvers, 'notificationSettings' | 'alerts'> = {
  async notificationSettings(_, { spaceId }, { viewer, requireReader, db }) {
    const { userId } = requireUser(viewer)
    await requireReader(spaceId)
    return await findSettings(db, { spaceId, userId })
  },

  async alerts(_, { spaceId, everyone, ...args }, { viewer, access, db }) {
    const page = readPage(args, { cursorShape: ALERT_CURSOR })
    const { user } = await requireRight(access, viewer, spaceId, everyone ? 'alerts.read-all' : 'space.read')
    const rows = await listAlerts(db, {
      spaceId,
      userId: everyone ? null : user.userId,
      after: page.key?.[0] ?? null,
      limit: page.size + 1,
    })
    return toConnection(rows, page, ({ id }: ToldAlert) => [id])
  },
}
