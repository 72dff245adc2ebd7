import { requireUser } from '../../shared/auth/viewer.ts'
import { readExportInput } from '../export/export-input.ts'
import { sealExportLink } from '../export/export-link.ts'
import type { MutationResolvers } from '../resolver-types.generated.ts'

/** What the subgraph makes files of. */
export const exportMutations: Pick<MutationResolvers, 'exportReport'> = {
  async exportReport(_, { input }, { viewer, requireReader, secret }) {
    const { userId } = requireUser(viewer)
    const now = Date.now()
    const { request, userErrors } = readExportInput(input, userId, now)
    if (userErrors !== undefined) return { url: null, expiresAt: null, userErrors: [...userErrors] }
    await requireReader(input.spaceId)
    const { path, expiresAt } = sealExportLink(secret, request, now)
    return { url: path, expiresAt: new Date(expiresAt), userErrors: [] }
  },
}
