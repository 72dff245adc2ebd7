import type { Viewer } from '../../subgraphs/shared/auth/viewer.ts'

/** Who a budget belongs to: the user or device, or the address of whoever shows no valid token. */
export function identifyCaller(viewer: Viewer | null, address: string): string {
  if (viewer === null) return `ip:${address}`
  return viewer.kind === 'user' ? `user:${viewer.userId}` : `device:${viewer.deviceId}`
}
