import type { DeviceResolvers } from '../resolver-types.generated.ts'
import { deviceLogs } from './device-logs.ts'

export const Device: DeviceResolvers = {
  ...deviceLogs,
}
