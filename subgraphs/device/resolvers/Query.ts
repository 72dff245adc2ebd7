import { requireUser } from '../../shared/auth/viewer.ts'
import { AppError } from '../../shared/errors.ts'
import { readPage, toConnection } from '../../shared/graphql/connection.ts'
import { isUuidV7 } from '../../shared/uuid-v7.ts'
import { findDeviceByCode } from '../device-repository.ts'
import type { SpaceParent } from '../model.ts'
import type { QueryResolvers } from '../resolver-types.generated.ts'
import { countSpacesOfUser, listSpacesOfUser } from '../space-repository.ts'

const SPACE_CURSOR = { kind: 'space', parts: ['text', 'id'] } as const

/** Longer codes do not exist. */
const MAX_CODE_LENGTH = 64

export const Query: QueryResolvers = {
  viewer: async (_, __, { viewer, loaders }) =>
    viewer?.kind === 'user' ? loaders.userById.load(viewer.userId) : null,

  async space(_, { id }, { viewer, loaders, canReadSpace }) {
    requireUser(viewer)
    return isUuidV7(id) && (await canReadSpace(id)) ? loaders.spaceById.load(id) : null
  },

  async spaces(_, args, { viewer, db }) {
    const { userId } = requireUser(viewer)
    const page = readPage(args, { cursorShape: SPACE_CURSOR })
    const after = page.key && { name: page.key[0], id: page.key[1] }
    const rows = await listSpacesOfUser(db, { userId, after, limit: page.size + 1 })
    return Object.assign(
      toConnection(rows, page, ({ name, id }: SpaceParent) => [name, id]),
      { count: () => countSpacesOfUser(db, userId) },
    )
  },

  async device(_, { id }, { viewer, loaders, canReadDevice }) {
    if (viewer === null) throw unauthenticated()
    const device = isUuidV7(id) ? await loaders.deviceById.load(id) : null
    return device !== null && !device.removed && (await canReadDevice(device)) ? device : null
  },

  async deviceByCode(_, { spaceId, code }, { viewer, db, canReadSpace, canReadDevice }) {
    if (viewer === null) throw unauthenticated()
    if (!isUuidV7(spaceId) || code.length > MAX_CODE_LENGTH * 2) return null
    const mayAsk = viewer.kind === 'device' ? viewer.spaceId === spaceId : await canReadSpace(spaceId)
    const device = mayAsk ? await findDeviceByCode(db, { spaceId, code }) : undefined
    return device !== undefined && (await canReadDevice(device)) ? device : null
  },
}

function unauthenticated(): AppError {
  return new AppError('UNAUTHENTICATED', 'Sign in first.')
}
