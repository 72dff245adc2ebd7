import { refuse, toPayload } from '../../shared/graphql/refusal.ts'
import type { JoinedSession } from '../../shared/media-port.ts'
import { readMediaParameters } from '../media-parameters.ts'
import type { MutationResolvers } from '../resolver-types.generated.ts'

const MAX_CLIENT_ID_LENGTH = 64

/** Mutations that open and end sessions, and that connect them. */
export const sessionMutations = {
  async joinBroadcast(_, { input: { deviceId, clientId } }, { requireViewer, getDevice, desk }) {
    return toPayload('session', async () => {
      const device = await getDevice(deviceId, 'space.read', false)
      if ((clientId?.length ?? 0) > MAX_CLIENT_ID_LENGTH)
        refuse('BAD_USER_INPUT', 'clientId', `clientId has ${MAX_CLIENT_ID_LENGTH} characters at most.`)
      return toSession(await desk.join(requireViewer(), device, clientId ?? ''))
    })
  },

  async publishBroadcast(_, { input: { deviceId } }, { requireViewer, getDevice, desk }) {
    return toPayload('session', async () => {
      const device = await getDevice(deviceId, 'broadcast.control', true)
      return toSession(await desk.publish(requireViewer(), device))
    })
  },

  async connectBroadcast(_, { input: { sessionId, dtlsParameters } }, { requireViewer, desk }) {
    const viewer = requireViewer()
    return toReply(() =>
      desk.call(viewer, sessionId, { parameters: 'dtlsParameters' }, media =>
        media.connect({ sessionId, dtlsParameters: readMediaParameters('dtlsParameters', dtlsParameters) }),
      ),
    )
  },

  async restartIce(_, { input: { sessionId } }, { requireViewer, desk }) {
    const viewer = requireViewer()
    const { reply, userErrors } = await toPayload('reply', () =>
      desk.call(viewer, sessionId, {}, media => media.restartIce({ sessionId })),
    )
    return {
      iceParameters: reply?.iceParameters ?? null,
      iceServers: reply === null ? null : reply.iceServers.map(server => ({ ...server })),
      sequence: reply?.seq ?? null,
      userErrors,
    }
  },

  async leaveBroadcast(_, { input: { sessionId } }, { requireViewer, desk }) {
    const viewer = requireViewer()
    const { left, userErrors } = await toPayload('left', async () => {
      await desk.call(viewer, sessionId, {}, media => media.leave({ sessionId }))
      return true
    })
    return { left: left ?? false, userErrors }
  },
} satisfies MutationResolvers

/** What a call answers that has nothing to tell but its place in the sequence. */
export async function toReply(work: () => Promise<{ readonly seq: number }>) {
  const { reply, userErrors } = await toPayload('reply', work)
  return { sequence: reply?.seq ?? null, userErrors }
}

function toSession({
  sessionId,
  seq,
  routerRtpCapabilities,
  transport,
  iceServers,
  expiresAt,
}: JoinedSession) {
  return {
    id: sessionId,
    sequence: seq,
    routerRtpCapabilities,
    transport: { ...transport, iceCandidates: [...transport.iceCandidates] },
    iceServers: iceServers.map(server => ({ ...server })),
    expiresAt: new Date(expiresAt),
  }
}
