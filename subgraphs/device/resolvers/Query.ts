import { requireUser } from '../../shared/auth/viewer.ts'
import { AppError } from '../../shared/errors.ts'
import { readPage, toConnection } from '../../shared/graphql/connection.ts'
import { requireRight } from '../../shared/permissions/rights-table.ts'
import { isUuidV7 } from '../../shared/uuid-v7.ts'
import { countAudit, listAudit } from '../audit-repository.ts'
import { findDeviceByCode } from '../device-repository.ts'
import type { AuditEntryParent, SpaceParent } from '../model.ts'
import type { QueryResolvers } from '../resolver-types.generated.ts'
import { RESTORABLE_MS } from '../space-limits.ts'
import { countSpacesOfUser, listDeletedSpaces, listSpacesOfUser } from '../space-repository.ts'

const SPACE_CURSOR = { kind: 'space', parts: ['text', 'id'] } as const
const AUDIT_CURSOR = { kind: 'audit', parts: ['id'] } as const

/** Nobody owns more, by DEFAULT_SPACE_LIMITS. */
const MAX_DELETED_SPACES = 50

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

  async deletedSpaces(_, __, { viewer, db }) {
    const { userId } = requireUser(viewer)
    const since = new Date(Date.now() - RESTORABLE_MS)
    return listDeletedSpaces(db, { ownerId: userId, since, limit: MAX_DELETED_SPACES })
  },

  async auditLog(_, { spaceId, ...args }, { viewer, access, db }) {
    await requireRight(access, viewer, spaceId, 'audit.read')
    const page = readPage(args, { cursorShape: AUDIT_CURSOR })
    const rows = await listAudit(db, { spaceId, beforeId: page.key?.[0] ?? null, limit: page.size + 1 })
    return Object.assign(
      toConnection(rows, page, ({ id }: AuditEntryParent) => [id]),
      { count: () => countAudit(db, spaceId) },
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
