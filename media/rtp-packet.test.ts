import { expect, it } from 'vitest'
import { parseRtpHeader } from './rtp-packet.ts'

const header = (first: number, second: number) => {
  const packet = Buffer.alloc(12)
  packet.writeUInt8(first, 0)
  packet.writeUInt8(second, 1)
  packet.writeUInt32BE(0xdeadbeef, 8)
  return packet
}

it('reads SSRC, payload type and where the payload begins, behind sources and extensions', () => {
  expect(parseRtpHeader(header(0x80, 0x80 | 96))).toEqual({
    ssrc: 0xdeadbeef,
    payloadType: 96,
    payloadAt: 12,
  })
  const extension = Buffer.from('bede000100000000', 'hex')
  const packet = Buffer.concat([header(0x91, 111), Buffer.alloc(4), extension, Buffer.from('payload')])
  expect(parseRtpHeader(packet)?.payloadAt).toBe(24)
})

it('takes neither RTCP nor STUN nor halves for RTP', () => {
  expect(parseRtpHeader(header(0x80, 200))).toBeNull()
  expect(parseRtpHeader(header(0x00, 0x01))).toBeNull()
  expect(parseRtpHeader(header(0x80, 96).subarray(0, 11))).toBeNull()
  expect(parseRtpHeader(header(0x8f, 96))).toBeNull()
  expect(parseRtpHeader(header(0x90, 96))).toBeNull()
})
