import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { probeIngest } from './ingest-probe.ts'

let device: Socket
let port: number

beforeEach(async () => {
  device = createSocket('udp4').bind(0, '127.0.0.1')
  await once(device, 'listening')
  // A port that was free a moment ago.
  const free = createSocket('udp4').bind(0, '127.0.0.1')
  await once(free, 'listening')
  port = free.address().port
  await new Promise<void>(resolve => free.close(() => resolve()))
})
afterEach(() => {
  device.close()
})

function rtp(ssrc: number, payloadType: number): Buffer {
  const packet = Buffer.alloc(20)
  packet.writeUInt8(0x80, 0)
  packet.writeUInt8(payloadType, 1)
  packet.writeUInt32BE(ssrc, 8)
  return packet
}

/** Sends packets again and again until the probe has ended. */
async function probe(packets: readonly Buffer[], forMs: number, signal = new AbortController().signal) {
  const timer = setInterval(() => {
    for (const packet of packets) device.send(packet, port, '127.0.0.1')
  }, 10)
  try {
    return await probeIngest({ ip: '127.0.0.1', port, ssrc: 7, payloadType: 96, forMs, signal })
  } finally {
    clearInterval(timer)
  }
}

it('ends at the first packet that is as agreed, and says where it comes from', async () => {
  const report = await probe([rtp(8, 96), rtp(7, 96)], 10_000)
  expect(report.match).toEqual({ ip: '127.0.0.1', port: device.address().port })
})

it('says what comes instead, and counts what is no RTP', async () => {
  expect(await probe([rtp(7, 97)], 100)).toMatchObject({ match: null, other: { ssrc: 7, payloadType: 97 } })
  const report = await probe(
    [Buffer.from('GET / HTTP/1.1'), Buffer.from('80c800060000000700000000', 'hex')],
    100,
  )
  expect(report.other).toBeNull()
  expect(report.strange).toBeGreaterThan(0)
  // Half of them were RTCP.
  expect(report.packets).toBeGreaterThan(report.strange)
})

it('ends when it is told to, and leaves the port free', async () => {
  const abort = new AbortController()
  const probing = probe([], 60_000, abort.signal)
  abort.abort()
  expect(await probing).toMatchObject({ packets: 0 })
  await probe([], 1)
})

it('waits for a port that is about to be free', async () => {
  const holder = createSocket('udp4').bind(port, '127.0.0.1')
  await once(holder, 'listening')
  const probing = probe([rtp(7, 96)], 10_000)
  setTimeout(() => holder.close(), 100)
  expect((await probing).match).not.toBeNull()
})
