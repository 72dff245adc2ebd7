import type { MediaJson } from '../../subgraphs/shared/media-port.ts'

/** DTLS parameters of a client that will never come. */
export function makeDtlsParameters(byte = 1): MediaJson {
  const value = Buffer.alloc(32, byte).toString('hex').toUpperCase().match(/../g)?.join(':')
  return { role: 'client', fingerprints: [{ algorithm: 'sha-256', value }] }
}

/** RTP capabilities of a client that can decode these. */
export function clientRtpCapabilities(mimeTypes: readonly string[]): MediaJson {
  return {
    codecs: mimeTypes.map((mimeType, at) => ({
      kind: mimeType.slice(0, mimeType.indexOf('/')),
      mimeType,
      preferredPayloadType: 100 + at,
      clockRate: 90_000,
      rtcpFeedback: [{ type: 'nack', parameter: 'pli' }],
      parameters:
        mimeType === 'video/H264'
          ? { 'packetization-mode': 1, 'profile-level-id': '42e01f', 'level-asymmetry-allowed': 1 }
          : {},
    })),
    headerExtensions: [],
  }
}
