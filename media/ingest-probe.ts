import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseRtpHeader } from './rtp-packet.ts'

/** What came to a port. */
export interface ProbeReport {
  /** RTP with the SSRC and payload type that were agreed; where it comes from. */
  readonly match: { readonly ip: string; readonly port: number } | null
  /** The newest RTP with another SSRC or payload type. */
  readonly other: { readonly ssrc: number; readonly payloadType: number } | null
  /** Packets that are neither RTP nor RTCP. */
  readonly strange: number
  readonly packets: number
}

const BIND_TRIES = 50
const BIND_PAUSE_MS = 20

/**
 * Listens on a port of media's in the place of its worker, which drops what it does not expect without a word, and reads
 * the headers of what comes. Resolves at the first packet that is as agreed, else at `forMs`, or when `signal` aborts;
 * the port is free again then. Rejects when the port cannot be bound.
 */
export async function probeIngest({
  ip,
  port,
  ssrc,
  payloadType,
  forMs,
  signal,
}: {
  ip: string
  port: number
  ssrc: number
  payloadType: number
  forMs: number
  signal: AbortSignal
}): Promise<ProbeReport> {
  const socket = await bindFreed(ip, port)
  const { promise, resolve } = Promise.withResolvers<void>()
  const report = {
    match: null as ProbeReport['match'],
    other: null as ProbeReport['other'],
    strange: 0,
    packets: 0,
  }
  socket.on('error', () => resolve())
  socket.on('message', (packet, from) => {
    report.packets++
    const header = parseRtpHeader(packet)
    if (header === null) {
      if (!isRtcp(packet)) report.strange++
    } else if (header.ssrc === ssrc && header.payloadType === payloadType) {
      report.match = { ip: from.address, port: from.port }
      resolve()
    } else report.other = { ssrc: header.ssrc, payloadType: header.payloadType }
  })
  const timer = setTimeout(resolve, forMs)
  const onAbort = () => resolve()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    if (!signal.aborted) await promise
    return report
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    await new Promise<void>(closed => socket.close(() => closed()))
  }
}

/** A worker closes its port a moment after it was told to. */
async function bindFreed(ip: string, port: number) {
  for (let attempt = 1; ; attempt++) {
    const socket = createSocket(isIPv6(ip) ? 'udp6' : 'udp4')
    try {
      socket.bind({ address: ip, port, exclusive: true })
      // Rejects when the socket fails instead.
      await once(socket, 'listening')
      return socket
    } catch (error) {
      socket.close()
      if (attempt === BIND_TRIES) throw error
      await sleep(BIND_PAUSE_MS)
    }
  }
}

function isRtcp(packet: Buffer): boolean {
  const type = packet.length >= 8 ? packet.readUInt8(1) : 0
  return type >= 192 && type <= 223 && packet.readUInt8(0) >> 6 === 2
}
