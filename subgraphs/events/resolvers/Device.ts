import type { DeviceResolvers } from '../resolver-types.generated.ts'
import { deviceAnomalies } from './device-anomalies.ts'
import { deviceLogs } from './device-logs.ts'

export const Device: DeviceResolvers = {
  ...deviceAnomalies,
  ...deviceLogs,
}
