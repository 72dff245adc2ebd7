import { requireUser } from '../../shared/auth/viewer.ts'
import { readAnomalyPage } from '../anomaly-page.ts'
import { isEmptyAnomalySelection, readAnomalySelection } from '../anomaly-selection.ts'
import type { DeviceResolvers } from '../resolver-types.generated.ts'

/** What is and was wrong with a device. */
export const deviceAnomalies = {
  async anomalies({ id }, { filter, ...args }, { viewer, anomalies }) {
    requireUser(viewer)
    const page = readAnomalyPage('NEWEST', args)
    const asked = readAnomalySelection(filter)
    const deviceIds = asked.deviceIds === null || asked.deviceIds.includes(id) ? [id] : []
    const selection = { ...asked, deviceIds }
    if (isEmptyAnomalySelection(selection)) return page.toConnection([], async () => 0)
    const { after, limit } = page
    const { spaceId, rows } = await anomalies.ofDevice.load({ deviceId: id, selection, after, limit })
    return page.toConnection(rows, () => anomalies.count.load({ spaceId, selection }))
  },

  async openAnomalyCount({ id }, _, { viewer, anomalies }) {
    requireUser(viewer)
    return anomalies.openOfDevice.load(id)
  },

  async lastAnomaly({ id }, _, { viewer, anomalies }) {
    requireUser(viewer)
    return anomalies.lastOfDevice.load(id)
  },
} satisfies DeviceResolvers
