import { type PageArgs, readPage, toConnection } from '../shared/graphql/connection.ts'
import { isUuidV7 } from '../shared/uuid-v7.ts'
import type { DeviceList } from './device-list-repository.ts'
import type { DeviceConnectionParent, DeviceParent } from './model.ts'
import type { DeviceFilter } from './resolver-types.generated.ts'
import type { TopologyLoaders } from './topology-loaders.ts'

/** Codes are unique in a space, so that the code alone says where a device stands in a list. */
const CURSOR = { kind: 'device', parts: ['text'] } as const

/**
 * Loads a page of devices together with the pages that others ask for in the same tick.
 *
 * Rejects with BAD_USER_INPUT for a size or a cursor that cannot be. A filter by what is no id matches nothing.
 */
export async function loadDevicePage(
  loaders: Pick<TopologyLoaders, 'devicePage' | 'deviceTotal'>,
  owner: Pick<DeviceList, 'of' | 'id' | 'spaceId'>,
  args: PageArgs,
  filter?: DeviceFilter | null,
): Promise<DeviceConnectionParent> {
  const page = readPage(args, { cursorShape: CURSOR })
  const { lineId = null, processId = null, online = null } = filter ?? {}
  const list: DeviceList = { ...owner, lineId, processId, online }
  const canMatch = [lineId, processId].every(id => id === null || isUuidV7(id))
  const afterCode = page.key?.[0] ?? null
  const rows = canMatch ? await loaders.devicePage.load({ list, afterCode, limit: page.size + 1 }) : []
  return Object.assign(
    toConnection(rows, page, (device: DeviceParent) => [device.code]),
    { count: async () => (canMatch ? loaders.deviceTotal.load(list) : 0) },
  )
}
