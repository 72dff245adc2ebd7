import type { types } from 'mediasoup'
import { findProfileLevelId } from './h264-profile.ts'
import { parseRtpHeader } from './rtp-packet.ts'

/**
 * Reads the packets of an H264 producer and tells the `profile-level-id` of each sequence parameter set, until `judge`
 * answers true: packets come to this process no longer than that. Stops by itself when the producer closes.
 */
export async function inspectProfile(
  router: types.Router,
  producer: types.Producer,
  judge: (profileLevelId: string) => boolean,
): Promise<void> {
  const transport = await router.createDirectTransport()
  if (producer.closed) return transport.close()
  producer.observer.once('close', () => transport.close())
  try {
    const consumer = await transport.consume({
      producerId: producer.id,
      rtpCapabilities: router.rtpCapabilities,
    })
    consumer.on('rtp', packet => {
      const header = parseRtpHeader(packet)
      const found = header === null ? null : findProfileLevelId(packet.subarray(header.payloadAt))
      if (found === null || transport.closed) return
      if (judge(found)) transport.close()
    })
  } catch (error) {
    transport.close()
    throw error
  }
}
