import { refuse, toPayload } from '../../shared/graphql/refusal.ts'
import { readMediaParameters } from '../media-parameters.ts'
import type { MutationResolvers } from '../resolver-types.generated.ts'
import { toReply } from './session-mutations.ts'

/** Layers beyond this are none of any codec; those beyond what there is are the highest. */
const MAX_LAYER = 10

/** Mutations of what flows over a session. */
export const mediaMutations = {
  async produceBroadcast(_, { input: { sessionId, kind, rtpParameters } }, { requireViewer, desk }) {
    const viewer = requireViewer()
    const { reply, userErrors } = await toPayload('reply', () =>
      desk.call(viewer, sessionId, { parameters: 'rtpParameters' }, async media => {
        if (kind !== 'audio' && kind !== 'video')
          return refuse('BAD_USER_INPUT', 'kind', 'kind is audio or video.')
        const parameters = readMediaParameters('rtpParameters', rtpParameters)
        return media.produce({ sessionId, kind, rtpParameters: parameters })
      }),
    )
    return { producerId: reply?.producerId ?? null, sequence: reply?.seq ?? null, userErrors }
  },

  async consumeBroadcast(_, { input: { sessionId, rtpCapabilities } }, { requireViewer, desk }) {
    const viewer = requireViewer()
    const { reply, userErrors } = await toPayload('reply', () =>
      desk.call(viewer, sessionId, { parameters: 'rtpCapabilities' }, media =>
        media.consume({
          sessionId,
          rtpCapabilities: readMediaParameters('rtpCapabilities', rtpCapabilities),
        }),
      ),
    )
    return {
      consumers: reply === null ? null : [...reply.consumers],
      sequence: reply?.seq ?? null,
      userErrors,
    }
  },

  async resumeConsumer(_, { input: { sessionId, consumerId } }, { requireViewer, desk }) {
    const viewer = requireViewer()
    return toReply(() =>
      desk.call(viewer, sessionId, { missing: 'consumerId' }, media =>
        media.resumeConsumer({ sessionId, consumerId }),
      ),
    )
  },

  async pauseConsumer(_, { input: { sessionId, consumerId } }, { requireViewer, desk }) {
    const viewer = requireViewer()
    return toReply(() =>
      desk.call(viewer, sessionId, { missing: 'consumerId' }, media =>
        media.pauseConsumer({ sessionId, consumerId }),
      ),
    )
  },

  async setPreferredLayers(_, { input }, { requireViewer, desk }) {
    const { sessionId, consumerId, spatialLayer, temporalLayer } = input
    const viewer = requireViewer()
    return toReply(() =>
      desk.call(viewer, sessionId, { missing: 'consumerId' }, async media => {
        checkLayer('spatialLayer', spatialLayer)
        if (temporalLayer == null) return media.setPreferredLayers({ sessionId, consumerId, spatialLayer })
        checkLayer('temporalLayer', temporalLayer)
        return media.setPreferredLayers({ sessionId, consumerId, spatialLayer, temporalLayer })
      }),
    )
  },
} satisfies MutationResolvers

function checkLayer(field: string, layer: number): void {
  if (layer < 0 || layer > MAX_LAYER)
    refuse('BAD_USER_INPUT', field, `${field} is between 0 and ${MAX_LAYER}.`)
}
