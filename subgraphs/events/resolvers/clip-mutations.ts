import { requireDevice } from '../../shared/auth/viewer.ts'
import { Refusal, toPayload } from '../../shared/graphql/refusal.ts'
import type { MutationResolvers } from '../resolver-types.generated.ts'

/** What a device does about its clips. */
export const clipMutations = {
  async requestClipUpload(_, { input }, { viewer, clips }) {
    const device = requireDevice(viewer)
    try {
      return { ...(await clips.desk.request(device, input)), userErrors: [] }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { uploadUrl: null, headers: null, clip: null, userErrors: error.userErrors }
    }
  },
  async completeClipUpload(_, { input: { clipId } }, { viewer, clips }) {
    const device = requireDevice(viewer)
    return await toPayload('clip', () => clips.desk.complete(device, clipId))
  },
} satisfies MutationResolvers
