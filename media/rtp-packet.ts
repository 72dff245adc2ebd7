/** What the fixed header of an RTP packet says (RFC 3550 §5.1). */
export interface RtpHeader {
  readonly ssrc: number
  readonly payloadType: number
  /** Offset of the payload. */
  readonly payloadAt: number
}

const FIXED_BYTES = 12

/** Parses the header of a packet; null when it is no RTP, and for RTCP (RFC 5761 §4). */
export function parseRtpHeader(packet: Buffer): RtpHeader | null {
  if (packet.length < FIXED_BYTES || packet.readUInt8(0) >> 6 !== 2) return null
  const second = packet.readUInt8(1)
  if (second >= 192 && second <= 223) return null
  const first = packet.readUInt8(0)
  let payloadAt = FIXED_BYTES + (first & 0x0f) * 4
  if ((first & 0x10) !== 0) {
    if (packet.length < payloadAt + 4) return null
    payloadAt += 4 + packet.readUInt16BE(payloadAt + 2) * 4
  }
  if (payloadAt > packet.length) return null
  return { ssrc: packet.readUInt32BE(8), payloadType: second & 0x7f, payloadAt }
}
