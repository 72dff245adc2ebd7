import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createWorker, type types } from 'mediasoup'
import { ROUTER_CODECS } from '../../../media/router-codecs.ts'
import { runPeer } from '../peer-program.ts'
import { createFan } from './bare-fan.ts'

/** Where a bare program takes calls. */
export interface BareReady {
  readonly url: string
}

interface Session {
  readonly transport: types.WebRtcTransport
  readonly consumers: Map<string, types.Consumer>
}

/**
 * mediasoup as its documentation starts it: a worker, a router, a port of one WebRtcServer, one source by plain RTP, and calls
 * by HTTP without rights, rooms, states, deadlines or statistics. Beside it, a fan of plain RTP in two workers, which is
 * asked over standard input how many viewers one carries.
 */
await runPeer<object, BareReady>(async () => {
  const worker = await createWorker({ logLevel: 'error' })
  const webRtcServer = await worker.createWebRtcServer({
    listenInfos: [{ protocol: 'udp', ip: '127.0.0.1' }],
  })
  const router = await worker.createRouter({ mediaCodecs: ROUTER_CODECS })
  const sessions = new Map<string, Session>()
  let source: types.Producer | undefined

  const sessionOf = (id: string): Session => {
    const session = sessions.get(id)
    if (session === undefined) throw new Error(`There is no session ${id}.`)
    return session
  }

  const methods: Record<string, (input: never) => Promise<object>> = {
    async film() {
      const transport = await router.createPlainTransport({
        listenInfo: { protocol: 'udp', ip: '127.0.0.1' },
        comedia: true,
        rtcpMux: false,
      })
      const [ssrc, payloadType] = [22_222_222, 101]
      source = await transport.produce({
        kind: 'video',
        rtpParameters: {
          codecs: [{ mimeType: 'video/VP8', payloadType, clockRate: 90_000 }],
          encodings: [{ ssrc }],
        },
      })
      return { ip: '127.0.0.1', port: transport.tuple.localPort, ssrc, payloadType }
    },
    async join({ sessionId }: { sessionId: string }) {
      const transport = await router.createWebRtcTransport({ webRtcServer, enableUdp: true })
      sessions.set(sessionId, { transport, consumers: new Map() })
      const { id, iceParameters, iceCandidates, dtlsParameters } = transport
      return {
        sessionId,
        routerRtpCapabilities: router.rtpCapabilities,
        transport: { id, iceParameters, iceCandidates, dtlsParameters },
        iceServers: [],
      }
    },
    async connect({
      sessionId,
      dtlsParameters,
    }: {
      sessionId: string
      dtlsParameters: types.DtlsParameters
    }) {
      await sessionOf(sessionId).transport.connect({ dtlsParameters })
      return {}
    },
    async consume({
      sessionId,
      rtpCapabilities,
    }: {
      sessionId: string
      rtpCapabilities: types.RtpCapabilities
    }) {
      const { transport, consumers } = sessionOf(sessionId)
      const producerId = source?.id ?? ''
      const consumer = await transport.consume({ producerId, rtpCapabilities, paused: true })
      consumers.set(consumer.id, consumer)
      const { id, kind, rtpParameters } = consumer
      return { consumers: [{ id, producerId, kind, rtpParameters }] }
    },
    async resumeConsumer({ sessionId, consumerId }: { sessionId: string; consumerId: string }) {
      await sessionOf(sessionId).consumers.get(consumerId)?.resume()
      return {}
    },
  }

  const server = createServer(async (request, response) => {
    try {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const method = methods[(request.url ?? '').slice(1)]
      if (method === undefined) throw new Error(`There is no call ${request.url}.`)
      response.end(JSON.stringify(await method(JSON.parse(String(Buffer.concat(chunks))) as never)))
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    ready: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    async answer(question) {
      const { viewers, ms } = JSON.parse(question) as { viewers: number; ms: number }
      await using fan = await createFan(viewers)
      return await fan.measure(ms)
    },
    async close() {
      server.closeAllConnections()
      server.close()
      worker.close()
    },
  }
})
