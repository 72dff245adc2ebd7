import { AppError } from '../shared/errors.ts'
import { type CursorShape, type PageArgs, readPage, toConnection } from '../shared/graphql/connection.ts'
import { isUuidV7 } from '../shared/uuid-v7.ts'
import type { DeviceList, DeviceListRequest } from './device-list.ts'
import type { ListedDevice } from './device-list-repository.ts'
import type { DeviceConnectionParent } from './model.ts'
import type { DeviceFilter, DeviceOrder } from './resolver-types.generated.ts'
import type { TopologyLoaders } from './topology-loaders.ts'

/** What a cursor of each order holds, and where a device stands in it. */
const ORDERS: Readonly<
  Record<DeviceListRequest['order'], { shape: CursorShape; keyOf: (device: ListedDevice) => never }>
> = {
  // Codes are unique in a space.
  CODE: { shape: { kind: 'device', parts: ['text'] }, keyOf: ({ code }) => [code] as never },
  NAME: {
    shape: { kind: 'device-name', parts: ['text', 'id'] },
    keyOf: ({ name, id }) => [name, id] as never,
  },
  // The time of an id is that of the registration.
  CREATED_AT: { shape: { kind: 'device-created', parts: ['id'] }, keyOf: ({ id }) => [id] as never },
  LAST_SEEN_AT: {
    shape: { kind: 'device-seen', parts: ['number', 'id'] },
    keyOf: ({ lastSeenMs, id }) => [lastSeenMs, id] as never,
  },
}

const MAX_SEARCH_LENGTH = 128

/** What is asked of a list of devices. */
export interface DevicePageArgs extends PageArgs {
  readonly filter?: DeviceFilter | null | undefined
  readonly orderBy?: DeviceOrder | null | undefined
}

/**
 * Loads a page of devices together with the pages that others ask for in the same tick; `maxSize` devices at most
 * (default 100).
 *
 * Rejects with BAD_USER_INPUT for a size, a cursor or a search that cannot be. A filter by what is no id matches nothing.
 */
export async function loadDevicePage(
  loaders: Pick<TopologyLoaders, 'devicePage' | 'deviceTotal'>,
  owner: Pick<DeviceList, 'of' | 'id' | 'spaceId'>,
  { filter, orderBy, ...args }: DevicePageArgs,
  maxSize = 100,
): Promise<DeviceConnectionParent> {
  const isDescending = orderBy?.endsWith('_DESC') ?? false
  const order = (orderBy?.replace(/_DESC$/, '') ?? 'CODE') as DeviceListRequest['order']
  const { shape, keyOf } = ORDERS[order]
  const page = readPage(args, { cursorShape: shape, maxSize })
  const { lineId = null, processId = null, online = null, broadcasting = null, status = null } = filter ?? {}
  const search = readSearch(filter?.search)
  const list: DeviceList = { ...owner, lineId, processId, online, broadcasting, status, search }
  const canMatch = [lineId, processId].every(id => id === null || isUuidV7(id))
  const request: DeviceListRequest = {
    list,
    order,
    isDescending: isDescending !== (page.direction === 'backward'),
    after: page.key,
    limit: page.size + 1,
  }
  const rows = canMatch ? await loaders.devicePage.load(request) : []
  return Object.assign(toConnection(rows, page, keyOf), {
    count: async () => (canMatch ? loaders.deviceTotal.load(list) : 0),
  })
}

/** Null: everything matches. */
function readSearch(given: string | null | undefined): string | null {
  if ((given?.length ?? 0) > 8 * MAX_SEARCH_LENGTH) throw searchTooLong()
  // As names are kept: composed, each run of spaces as one.
  const text =
    given
      ?.normalize('NFC')
      .replace(/\p{Zs}+/gu, ' ')
      .trim() ?? ''
  if ([...text].length > MAX_SEARCH_LENGTH) throw searchTooLong()
  return text === '' ? null : text
}

function searchTooLong(): AppError {
  return new AppError('BAD_USER_INPUT', `search has ${MAX_SEARCH_LENGTH} characters at most.`)
}
