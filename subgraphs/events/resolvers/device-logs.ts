import { requireUser } from '../../shared/auth/viewer.ts'
import { readLogPage, toLogConnection, walkOf } from '../log-page.ts'
import { readLogSelection } from '../log-selection.ts'
import type { DeviceResolvers } from '../resolver-types.generated.ts'

/** What a device has logged. */
export const deviceLogs = {
  async logs({ id }, args, { viewer, logs }) {
    requireUser(viewer)
    const page = readLogPage(args)
    const { spaceId, rows } = await logs.ofDevice.load({ deviceId: id, walk: walkOf(page) })
    return toLogConnection(rows, page, () => logs.count.load(readLogSelection(spaceId, { deviceIds: [id] })))
  },
} satisfies DeviceResolvers
