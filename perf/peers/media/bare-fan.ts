import { setTimeout as sleep } from 'node:timers/promises'
import { createWorker, type types } from 'mediasoup'
import { ROUTER_CODECS } from '../../../media/router-codecs.ts'
import { startSyntheticCamera } from './synthetic-camera.ts'

/** Counts of the side that takes. */
export interface FanResult {
  readonly received: number
  readonly lost: number
  /** CPU of the worker that sends. */
  readonly senderCpuMs: number
}

/** One source of 1.5 Mbit/s that a worker sends to many, and a worker that takes all of it and counts. */
export interface Fan extends AsyncDisposable {
  /** Counts over this time, after 1.5 s that do not count; what is lost shows in reports that come once a second. */
  measure(ms: number): Promise<FanResult>
}

const LISTEN = { protocol: 'udp', ip: '127.0.0.1' } as const
const CODEC = { mimeType: 'video/VP8', payloadType: 101, clockRate: 90_000 } as const
const SSRC = 22_222_222
const WARM_UP_MS = 1_500

/** Makes a fan of so many plain transports, each with a port of its own at both ends. Without SRTP. */
export async function createFan(viewers: number): Promise<Fan> {
  const [sender, taker] = await Promise.all([
    createWorker({ logLevel: 'none' }),
    createWorker({ logLevel: 'none' }),
  ])
  const [from, to] = await Promise.all([
    sender.createRouter({ mediaCodecs: ROUTER_CODECS }),
    taker.createRouter({ mediaCodecs: ROUTER_CODECS }),
  ])
  const entry = await from.createPlainTransport({ listenInfo: LISTEN, comedia: true })
  const source = await entry.produce({
    kind: 'video',
    rtpParameters: { codecs: [CODEC], encodings: [{ ssrc: SSRC }] },
  })
  const taken: types.Producer[] = []
  for (let i = 0; i < viewers; i++) {
    const [out, into] = await Promise.all([
      from.createPlainTransport({ listenInfo: LISTEN }),
      to.createPlainTransport({ listenInfo: LISTEN }),
    ])
    await out.connect({ ip: '127.0.0.1', port: into.tuple.localPort })
    await into.connect({ ip: '127.0.0.1', port: out.tuple.localPort })
    const consumer = await out.consume({ producerId: source.id, rtpCapabilities: from.rtpCapabilities })
    const { codecs, encodings } = consumer.rtpParameters
    // Without feedback: a lost packet stays lost, and is counted.
    const [codec] = codecs
    if (codec === undefined) throw new TypeError('Expected a codec of the consumer')
    const bare = { mimeType: codec.mimeType, payloadType: codec.payloadType, clockRate: codec.clockRate }
    taken.push(
      await into.produce({
        kind: 'video',
        rtpParameters: { codecs: [bare], encodings: [{ ssrc: encodings?.[0]?.ssrc ?? 0 }] },
      }),
    )
  }
  const { localPort: port } = entry.tuple
  const stop = startSyntheticCamera({ ip: '127.0.0.1', port, ssrc: SSRC, payloadType: CODEC.payloadType })

  async function read(): Promise<FanResult> {
    const [stats, { ru_utime: user, ru_stime: system }] = await Promise.all([
      Promise.all(taken.map(producer => producer.getStats())),
      sender.getResourceUsage(),
    ])
    const sum = (read: (one: types.ProducerStat) => number) =>
      stats.flat().reduce((total, one) => total + read(one), 0)
    return {
      received: sum(one => one.packetCount),
      lost: sum(one => one.packetsLost),
      senderCpuMs: user + system,
    }
  }

  return {
    async measure(ms) {
      await sleep(WARM_UP_MS)
      const before = await read()
      await sleep(ms)
      const after = await read()
      return {
        received: after.received - before.received,
        lost: after.lost - before.lost,
        senderCpuMs: after.senderCpuMs - before.senderCpuMs,
      }
    },
    async [Symbol.asyncDispose]() {
      stop()
      sender.close()
      taker.close()
    },
  }
}
