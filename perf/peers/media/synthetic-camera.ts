import { createSocket } from 'node:dgram'

/** Where RTP goes. */
export interface RtpTarget {
  readonly ip: string
  readonly port: number
  readonly ssrc: number
  readonly payloadType: number
}

/** 25 frames a second of 6 packets of 1,250 bytes: 1.5 Mbit/s. */
export const FRAMES_PER_SECOND = 25
const PACKETS_PER_FRAME = 6
const PACKET_BYTES = 1_250
const TICKS_PER_FRAME = 90_000 / FRAMES_PER_SECOND

/** RFC 7741: a descriptor, then the tag of a key frame of 640 by 480. What follows is no picture. */
const KEY_START = Buffer.from('101002009d012a8002e001', 'hex')
const DELTA_START = Buffer.from('10110200', 'hex')

/**
 * Sends VP8 of 1.5 Mbit/s by RTP, a key frame a second, whose frames cannot be decoded: receivers take and count packets,
 * and spend nothing on pictures. Returns what ends it.
 */
export function startSyntheticCamera({ ip, port, ssrc, payloadType }: RtpTarget): () => void {
  const socket = createSocket('udp4')
  const startedAt = performance.now()
  let [frame, sequence] = [0, 0]

  function sendFrame(): void {
    for (let i = 0; i < PACKETS_PER_FRAME; i++) {
      const packet = Buffer.alloc(PACKET_BYTES)
      packet.writeUInt8(0x80, 0)
      packet.writeUInt8(payloadType | (i === PACKETS_PER_FRAME - 1 ? 0x80 : 0), 1)
      packet.writeUInt16BE(sequence++ & 0xff_ff, 2)
      packet.writeUInt32BE((frame * TICKS_PER_FRAME) >>> 0, 4)
      packet.writeUInt32BE(ssrc, 8)
      if (i > 0) packet.writeUInt8(0, 12)
      else (frame % FRAMES_PER_SECOND === 0 ? KEY_START : DELTA_START).copy(packet, 12)
      socket.send(packet, port, ip)
    }
    frame++
  }

  const timer = setInterval(() => {
    const due = ((performance.now() - startedAt) / 1_000) * FRAMES_PER_SECOND
    while (frame < due) sendFrame()
  }, 10)
  return () => {
    clearInterval(timer)
    socket.close()
  }
}
