import type { ClipDesk, ClipRecord } from '../../subgraphs/shared/clip-desk.ts'
import type { DeviceCallHandlers } from './device-calls.ts'

/** Lets devices upload clips by messages: what the mutations of the same names answer, without links to read by. */
export function createClipCalls(desk: ClipDesk) {
  return {
    '/app/clip/request': async (device, body) => {
      const { uploadUrl, headers, clip } = await desk.request(device, body)
      return { uploadUrl, headers, clip: toMessage(clip) }
    },
    '/app/clip/complete': async (device, { clipId }) => ({
      clip: toMessage(await desk.complete(device, clipId)),
    }),
  } satisfies DeviceCallHandlers
}

function toMessage({ id, eventId, contentType, sizeBytes, durationMs, status, createdAt }: ClipRecord) {
  return { id, eventId, contentType, sizeBytes, durationMs, status, createdAt: createdAt.toISOString() }
}
